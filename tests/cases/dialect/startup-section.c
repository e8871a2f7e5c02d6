// args: check
// expect: exit 3
// expect: stderr the section '.init3' holds what runs before or after main
void early(void) __attribute__((section(".init3")));
void early(void) {}
int main(void) { return 0; }
