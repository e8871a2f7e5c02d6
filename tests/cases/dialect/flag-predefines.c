// args: check -mavx2 -fsanitize=address -fno-math-errno
// expect: last TRUE
// Flags that are without effect on the meaning define macros all the same.
#include <assert.h>

int main(void)
{
#if defined(__AVX2__) && defined(__SANITIZE_ADDRESS__) && defined(__NO_MATH_ERRNO__)
    int defined = 1;
#else
    int defined = 0;
#endif
    assert(defined);
    return 0;
}
