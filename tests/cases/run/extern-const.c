// args: run --inputs extern-const.txt
// expect: last exited with status 5
extern const int setting;
extern const struct range { int low, high; } range;
int main(void) { return setting + range.low; }
