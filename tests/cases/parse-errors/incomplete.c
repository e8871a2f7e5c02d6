// expect: exit 3
// expect: stderr incomplete
struct s;
struct s object;
int main(void) { return 0; }
