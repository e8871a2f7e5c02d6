//! C to start mutating from: dense in the constructs whose handling is intricate.

use std::path::Path;

const SNIPPETS: [&str; 16] = [
    "struct s { int a : 3; unsigned b : 17, : 0; long long c : 40; union { char d[4]; float e; }; } __attribute__((packed));
     struct s g = { .a = 1, .c = -2, .d = { [1] = 'x', [2 ... 3] = 'y' } };
     int main(void) { struct s *p = &g; p->a += 5; p->b <<= 2; p->c--; return p->a ? p->b : (int)p->c; }",
    "typedef unsigned char u8; typedef struct node { struct node *next; u8 data[]; } node;
     extern void *malloc(unsigned long); node *cons(node *n) { node *m = malloc(sizeof *m + 4); m->next = n; return m; }
     int main(void) { node *n = 0; for (int i = 0; i < 3; i++) n = cons(n); while (n) n = n->next; return 0; }",
    "int f(int n) { int a[n][n + 1]; a[0][n] = sizeof a; int (*p)[n + 1] = a; return (*p)[n] + sizeof(int[n]); }
     int main(void) { return f(3); }",
    "int main(void) { int x = ({ int y = 1; y + 2; }); void *t[] = { &&one, &&two }; goto *t[x & 1];
     one: x = 1; two: switch (x) { case 1 ... 3: x++; default: break; case 9: ; } return x ?: 7; }",
    "enum e { A, B = 5, C = B << 2, D = -1 }; _Static_assert(C == 20, \"c\"); enum e g = B;
     int main(void) { enum e *p = &g; return _Generic(*p, int: 1, unsigned: 2, default: 3) + _Alignof(enum e); }",
    "int old(a, b, c) int a; char b; float c; { return a + b + c; } implicit() { return old(1, 2, 3.0); }
     main() { return implicit(); }",
    "#pragma pack(push, 1)\nstruct p { char c; double d; long double l; };\n#pragma pack(pop)\n# 7 \"other.h\" 1\n
     struct p array[2] = { { 1, 2.5 }, { .l = 0x1.8p3L } }; int main(void) { return array[1].l > array[0].d; }",
    "float sq(float x) { return x * x; } double d = 1e-310, n = 0.0 / 0.0; long double l = 1.5L;
     int main(void) { float f = 0.1f; f += d; f = sq(f) / 3; d = f ? l : n; return (int)d + (unsigned char)f + !n; }",
    "#include <none>\nint sum(int n, ...) { __builtin_va_list ap, aq; __builtin_va_start(ap, n); __builtin_va_copy(aq, ap); int s = 0;
     while (n--) s += __builtin_va_arg(ap, int); __builtin_va_end(ap); return s; } int main(void) { return sum(2, 3, 4L); }",
    "static inline __attribute__((always_inline, noreturn)) void die(const char *m) { for (;;) ; }
     int (*table[3])(int, char *[static 2]); int (*(*fp)(void))[4]; char *names[] = { \"a\", \"b\" \"c\", [5] = L\"d\" };
     int main(int argc, char **argv) { if (argc > 1) die(argv[0]); return !fp; }",
    "union u { int i; float f; char c[4]; } u = { .f = 1.0f }; struct { int x, y; } pt = { 1, 2 }, *pp = &pt;
     int main(void) { u.i ^= 0x80000000; pt = (typeof(pt)){ .y = 3 }; pp->x = (int){ 4 }; return ((union u)pt.x).c[0]; }",
    "__int128 big = 1; unsigned long long m = 0xffffffffffffffffull; _Bool b = 3; signed char sc = -1; wchar_t;
     int main(void) { big <<= 100; big /= 7; m *= m; b--; sc >>= 1; return (int)(big >> 90) + b + sc + (m > -1); }",
    "int main(void) { int i = 0, j; do { if (i == 3) continue; for (j = 0; ; j++) { if (j > i) break; while (j < 2) { goto in; }
     { in: i += j; } } } while (i++ < 10); return i, j; }",
    "int x, *p = &x, **q = &p; char *s = \"str\\n\\x41\\101\\u00e9\"; const volatile int reg = 5; int arr[3] = { 1 }; int *end = arr + 3;
     long off = (long)&((struct { char c; int d; } *)0)->d; int main(void) { **q = s[1] + arr[2]; return end - arr + *p++ - reg; }",
    "void isr(void) __attribute__((interrupt)); int g; int main(void) { asm volatile(\"cli\" ::: \"memory\"); int r;
     __asm__(\"mov %1, %0\" : \"=r\"(r) : \"r\"(g)); asm goto(\"jmp %l0\" :::: out); r = __builtin_clz(r | 1) + __builtin_popcount(g);
     out: return __builtin_add_overflow(r, g, &r) + __sync_fetch_and_add(&g, 1); }",
    "extern int nondet(void); extern void __VERIFIER_assume(int); void reach_error(void) {} int a[10];
     int main(void) { int i = nondet(); __VERIFIER_assume(i >= 0 && i < 10); if (a[i] != 0) { ERROR: reach_error(); } return 0; }",
];

/// Our own snippets, the project's test cases and its library models.
pub fn all() -> Vec<String> {
    let mut seeds: Vec<String> = SNIPPETS.iter().map(|s| s.to_string()).collect();
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["tests/cases", "../../tests/cases", "../plumb-ir/src/library"] {
        collect(&package.join(folder), &mut seeds);
    }
    if let Some(more) = std::env::var_os("PLUMB_FUZZ_SEEDS") {
        collect(Path::new(&more), &mut seeds);
    }
    seeds
}

fn collect(folder: &Path, seeds: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, seeds);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i")
            && let Ok(bytes) = std::fs::read(&path)
        {
            seeds.push(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}
