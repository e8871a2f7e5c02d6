/* <assert.h> of several C libraries. With an assertion property these calls are checks and never get here. */

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) { __plumb_abort(); }
void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) { __plumb_abort(); }
void __assert_func(const char *file, int line, const char *function, const char *text) { __plumb_abort(); }
void __assert_rtn(const char *function, const char *file, int line, const char *text) { __plumb_abort(); }
void _assert(const char *text, const char *file, int line) { __plumb_abort(); }

void assert(_Bool condition)
{
    if (!condition)
        __plumb_abort();
}

void static_assert(int condition) { (void)condition; }
