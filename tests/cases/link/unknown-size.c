// args: run --checks pointer,bounds
// expect: exit 2
// expect: stdout not supported: an object of unknown size that no file defines: table

extern int table[];

int main(void) { return table[3]; }
