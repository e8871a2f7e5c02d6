/* What verification tasks call. Inputs and assumptions are made by lowering; with a property that speaks of them the
 * calls below are checks and never get here. */

void __VERIFIER_error(void) { __plumb_abort(); }
void reach_error(void) { __plumb_abort(); }

void __VERIFIER_assert(_Bool condition)
{
    if (!condition)
        __plumb_abort();
}

/* How many atomic sections the running thread is in. Programs in which nobody else runs do not count them. */
static unsigned __plumb_atomic_depth;
void __plumb_atomic_begin(void) { __plumb_atomic_depth = __plumb_atomic_depth + 1; }
void __plumb_atomic_end(void)
{
    if (__plumb_atomic_depth)
        __plumb_atomic_depth = __plumb_atomic_depth - 1;
}

void __VERIFIER_atomic_begin(void) { __plumb_atomic_begin(); }
void __VERIFIER_atomic_end(void) { __plumb_atomic_end(); }

void __CPROVER_assert(_Bool condition, const char *text)
{
    if (!condition)
        __plumb_abort();
}

void __CPROVER_precondition(_Bool condition, const char *text)
{
    if (!condition)
        __plumb_abort();
}

void __CPROVER_postcondition(_Bool condition, const char *text)
{
    if (!condition)
        __plumb_abort();
}

/* Never fails. */
void *__CPROVER_allocate(size_t size, _Bool zero)
{
    void *p = __plumb_heap_alloc(size);
    if (zero)
        __plumb_mem_set(p, 0, size);
    else
        __plumb_havoc(p, size);
    return p;
}

void __CPROVER_cover(_Bool condition) {}
void __CPROVER_input(const char *name, ...) {}
void __CPROVER_output(const char *name, ...) {}
void __CPROVER_printf(const char *format, ...) {}
void __CPROVER_atomic_begin(void) { __plumb_atomic_begin(); }
void __CPROVER_atomic_end(void) { __plumb_atomic_end(); }
_Bool __CPROVER_isnanf(float x) { return __builtin_isnan(x); }
_Bool __CPROVER_isnand(double x) { return __builtin_isnan(x); }
_Bool __CPROVER_isnanld(long double x) { return __builtin_isnan(x); }
_Bool __CPROVER_isinff(float x) { return __builtin_isinf(x); }
_Bool __CPROVER_isinfd(double x) { return __builtin_isinf(x); }
_Bool __CPROVER_isinfld(long double x) { return __builtin_isinf(x); }
_Bool __CPROVER_isfinitef(float x) { return __builtin_isfinite(x); }
_Bool __CPROVER_isfinited(double x) { return __builtin_isfinite(x); }
_Bool __CPROVER_isnormalf(float x) { return __builtin_isnormal(x); }
_Bool __CPROVER_isnormald(double x) { return __builtin_isnormal(x); }
_Bool __CPROVER_signf(float x) { return __builtin_signbit(x) != 0; }
_Bool __CPROVER_signd(double x) { return __builtin_signbit(x) != 0; }
float __CPROVER_fabsf(float x) { return __builtin_fabsf(x); }
double __CPROVER_fabs(double x) { return __builtin_fabs(x); }
long double __CPROVER_fabsl(long double x) { return __builtin_fabsl(x); }
