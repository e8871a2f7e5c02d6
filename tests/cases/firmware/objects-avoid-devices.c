// arch: 32 avr
// expect: exit 0
// Where the run would put heap, stack and static objects there is a device: they keep out of it.
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);
typedef struct {
    volatile unsigned char bytes[sizeof(int) == 2 ? 0x3000 : 0x3f000000];
} block;
#define LOW ((block *)(sizeof(int) == 2 ? 0x1000u : 0x1000000u))
static volatile int global = 3;
static block *device;

static int is_apart(volatile void *p)
{
    return (__UINTPTR_TYPE__)p < (__UINTPTR_TYPE__)LOW || (__UINTPTR_TYPE__)p >= (__UINTPTR_TYPE__)LOW + sizeof(block);
}

int main(void)
{
    volatile int local = 4;
    volatile int *heap = malloc(sizeof *heap);
    device = LOW;
    *heap = 5;
    device->bytes[7] = 1;
    if (!is_apart(&global) || !is_apart(&local) || !is_apart(heap))
        reach_error();
    if (global != 3 || local != 4 || *heap != 5)
        reach_error();
    return 0;
}
