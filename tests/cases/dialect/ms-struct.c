// args: check
// expect: exit 3
// expect: stderr the attribute 'ms_struct' is not supported
struct __attribute__((ms_struct)) S {
    char c;
    int b : 3;
};
int main(void) { return sizeof(struct S); }
