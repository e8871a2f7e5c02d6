// expect: exit 3
// expect: stderr nowhere
int main(void) { goto nowhere; return 0; }
