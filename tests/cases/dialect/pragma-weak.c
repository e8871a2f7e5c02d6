// args: check
// expect: exit 3
// expect: stderr `#pragma weak handler`
#pragma weak handler
int main(void) { return 0; }
