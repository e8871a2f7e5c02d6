// gcc refuses a mode that does not hold the values, and so does Plumb.
// args: check
// expect: exit 3
// expect: stderr machine mode 'QI' does not hold all values
enum Large { L0, L1 = 300 } __attribute__((mode(QI)));
int main(void) { return L0; }
