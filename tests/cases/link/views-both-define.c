// args: check
// files: views-both-define.part
// expect: exit 3
// expect: stderr conflicting types for 'level'
int level = 1;
int main(void) { return level; }
