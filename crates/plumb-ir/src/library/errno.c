/* <errno.h>. Models set errno only where a program is likely to look. */

static int __plumb_errno;

int *__errno_location(void) { return &__plumb_errno; }
int *__errno(void) { return &__plumb_errno; }
int *___errno(void) { return &__plumb_errno; }
