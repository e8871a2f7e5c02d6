// args: run --volatile input --inputs volatile-input.txt
// expect: last exited with status 9
volatile int sensor;
int main(void) { sensor = 1; int a = sensor; return a + sensor; }
