/* Sorting: quicksort with an insertion sort for short ranges, then a heap sort of the reversed result. */

#define COUNT 400000
#define ROUNDS 3

int printf(const char *, ...);

static unsigned values[COUNT];

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void insertion_sort(unsigned *a, int n)
{
    for (int i = 1; i < n; i++) {
        unsigned x = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > x) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = x;
    }
}

static void quick_sort(unsigned *a, int n)
{
    while (n > 16) {
        unsigned pivot = a[n / 2];
        int i = 0, j = n - 1;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                unsigned t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        if (j + 1 < n - i) {
            quick_sort(a, j + 1);
            a += i;
            n -= i;
        } else {
            quick_sort(a + i, n - i);
            n = j + 1;
        }
    }
    insertion_sort(a, n);
}

static void sift_down(unsigned *a, int root, int end)
{
    for (;;) {
        int child = 2 * root + 1;
        if (child >= end)
            return;
        if (child + 1 < end && a[child] < a[child + 1])
            child++;
        if (a[root] >= a[child])
            return;
        unsigned t = a[root];
        a[root] = a[child];
        a[child] = t;
        root = child;
    }
}

static void heap_sort(unsigned *a, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--)
        sift_down(a, i, n);
    for (int end = n - 1; end > 0; end--) {
        unsigned t = a[0];
        a[0] = a[end];
        a[end] = t;
        sift_down(a, 0, end);
    }
}

int main(void)
{
    unsigned state = 12345, sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < COUNT; i++)
            values[i] = next_random(&state);
        quick_sort(values, COUNT);
        for (int i = 0; i < COUNT / 2; i++) {
            unsigned t = values[i];
            values[i] = values[COUNT - 1 - i];
            values[COUNT - 1 - i] = t;
        }
        heap_sort(values, COUNT);
        for (int i = 0; i < COUNT; i++)
            sum = sum * 31 + values[i];
    }
    printf("checksum %x\n", sum);
    return 0;
}
