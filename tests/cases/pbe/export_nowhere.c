// A folder that cannot be made is told before the search begins.
//
// args: check --engine pbe --no-cache --summaries /dev/null/made
// expect: exit 3
// expect: stderr cannot write summaries to /dev/null/made
// expect: stderr name a directory that you may write
extern void abort(void);
int main(void) { return 0; }
