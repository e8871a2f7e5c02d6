// args: run --inputs device-register.txt
// expect: last exited with status 17
#define STATUS (*(volatile unsigned char *)0x4000)
int main(void) { STATUS = 3; return STATUS; }
