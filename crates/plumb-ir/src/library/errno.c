/* <errno.h>. Models set errno only where a program is likely to look. */

static int __plumb_errno;

int *__errno_location(void) { return &__plumb_errno; }
int *__errno(void) { return &__plumb_errno; }
int *___errno(void) { return &__plumb_errno; }

/* The operating system refuses: it says why in errno, and the call returns -1. */
static int __plumb_refused(void)
{
    __plumb_errno = __plumb_nondet_uchar() % 133 + 1;
    return -1;
}

static void __plumb_domain_error(void) { __plumb_errno = 33; } /* EDOM */
static void __plumb_range_error(void) { __plumb_errno = 34; }  /* ERANGE */
