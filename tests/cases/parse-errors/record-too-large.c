// args: run
// expect: exit 3
// expect: stderr the type is larger than the address space
struct flags { _Bool first; _Bool more[9223372036854775807]; int last; };

int main(void)
{
    return sizeof(struct flags) != 0;
}
