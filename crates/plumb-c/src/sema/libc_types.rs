//! Types of library functions that the compiler knows: the targets of `__builtin_X`.
//!
//! A signature is a string of letters, the result first: `v` void, `i` int, `b` unsigned char, `l` long, `U` unsigned long, `L` long long, `z` size_t, `m` intmax_t,
//! `d` double (or the format of the function's suffix), `e` long double, `p` `void *`, `P` `const void *`, `s` `char *`,
//! `S` `const char *`, `A` va_list; a final `.` is the ellipsis.

use super::Sema;
use crate::hir::FuncId;
use crate::types::{FloatKind, FnType, IntKind, QualTy, Quals, TyId, Type, TypeTable};

const FUNCTIONS: &[(&str, &str)] = &[
    // stdlib.h
    ("abort", "v"),
    ("abs", "ii"),
    ("labs", "ll"),
    ("llabs", "LL"),
    ("imaxabs", "mm"),
    ("calloc", "pzz"),
    ("exit", "vi"),
    ("_exit", "vi"),
    ("_Exit", "vi"),
    ("free", "vp"),
    ("malloc", "pz"),
    ("realloc", "ppz"),
    ("aligned_alloc", "pzz"),
    // string.h
    ("memchr", "pPiz"),
    ("memcmp", "iPPz"),
    ("bcmp", "iPPz"),
    ("bcopy", "vPpz"),
    ("bzero", "vpz"),
    ("memcpy", "ppPz"),
    ("memmove", "ppPz"),
    ("mempcpy", "ppPz"),
    ("memset", "ppiz"),
    ("stpcpy", "ssS"),
    ("stpncpy", "ssSz"),
    ("strcat", "ssS"),
    ("strncat", "ssSz"),
    ("strchr", "sSi"),
    ("strrchr", "sSi"),
    ("index", "sSi"),
    ("rindex", "sSi"),
    ("strcmp", "iSS"),
    ("strncmp", "iSSz"),
    ("strcasecmp", "iSS"),
    ("strncasecmp", "iSSz"),
    ("strcpy", "ssS"),
    ("strncpy", "ssSz"),
    ("strcspn", "zSS"),
    ("strspn", "zSS"),
    ("strdup", "sS"),
    ("strndup", "sSz"),
    ("strlen", "zS"),
    ("strnlen", "zSz"),
    ("strpbrk", "sSS"),
    ("strstr", "sSS"),
    // stdio.h
    ("printf", "iS."),
    ("fprintf", "ipS."),
    ("sprintf", "isS."),
    ("snprintf", "iszS."),
    ("vprintf", "iSA"),
    ("vfprintf", "ipSA"),
    ("vsprintf", "isSA"),
    ("vsnprintf", "iszSA"),
    ("scanf", "iS."),
    ("fscanf", "ipS."),
    ("sscanf", "iSS."),
    ("vscanf", "iSA"),
    ("vfscanf", "ipSA"),
    ("vsscanf", "iSSA"),
    ("putchar", "ii"),
    ("puts", "iS"),
    ("putc", "iip"),
    ("fputc", "iip"),
    ("fputs", "iSp"),
    ("fwrite", "zPzzp"),
    // ctype.h
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isascii", "ii"),
    ("isblank", "ii"),
    ("iscntrl", "ii"),
    ("isdigit", "ii"),
    ("isgraph", "ii"),
    ("islower", "ii"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("isxdigit", "ii"),
    ("toascii", "ii"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    // Primitives of CBMC
    ("__CPROVER_allocate", "pzi"),
    ("__CPROVER_OBJECT_SIZE", "zP"),
    ("__CPROVER_POINTER_OFFSET", "zP"),
    // Single instructions of an AVR
    ("__builtin_avr_cli", "v"),
    ("__builtin_avr_delay_cycles", "vU"),
    ("__builtin_avr_nop", "v"),
    ("__builtin_avr_sei", "v"),
    ("__builtin_avr_sleep", "v"),
    ("__builtin_avr_swap", "bb"),
    ("__builtin_avr_wdr", "v"),
    // math.h without variants
    ("significand", "dd"),
];

/// math.h by the signature of the `double` variant; names with `f` and `l` appended exist too.
const MATH: &[(&str, &str)] = &[
    // What `__builtin_powi` stands for: no library has a function `powi`.
    ("__plumb_powi", "ddi"),
    ("__plumb_folded_powi", "ddi"),
    // A primitive of CBMC.
    ("__CPROVER_fabs", "dd"),
    ("acos", "dd"),
    ("acosh", "dd"),
    ("asin", "dd"),
    ("asinh", "dd"),
    ("atan", "dd"),
    ("atan2", "ddd"),
    ("atanh", "dd"),
    ("cbrt", "dd"),
    ("ceil", "dd"),
    ("copysign", "ddd"),
    ("cos", "dd"),
    ("cosh", "dd"),
    ("erf", "dd"),
    ("erfc", "dd"),
    ("exp", "dd"),
    ("exp10", "dd"),
    ("exp2", "dd"),
    ("expm1", "dd"),
    ("fabs", "dd"),
    ("fdim", "ddd"),
    ("floor", "dd"),
    ("fma", "dddd"),
    ("fmax", "ddd"),
    ("fmin", "ddd"),
    ("fmod", "ddd"),
    ("frexp", "ddp"),
    ("hypot", "ddd"),
    ("ilogb", "id"),
    ("ldexp", "ddi"),
    ("lgamma", "dd"),
    ("llrint", "Ld"),
    ("llround", "Ld"),
    ("log", "dd"),
    ("log10", "dd"),
    ("log1p", "dd"),
    ("log2", "dd"),
    ("logb", "dd"),
    ("lrint", "ld"),
    ("lround", "ld"),
    ("modf", "ddp"),
    ("nan", "dS"),
    ("nearbyint", "dd"),
    ("nextafter", "ddd"),
    ("nexttoward", "dde"),
    ("pow", "ddd"),
    ("remainder", "ddd"),
    ("remquo", "dddp"),
    ("rint", "dd"),
    ("round", "dd"),
    ("scalbln", "ddl"),
    ("scalbn", "ddi"),
    ("sin", "dd"),
    ("sinh", "dd"),
    ("sqrt", "dd"),
    ("tan", "dd"),
    ("tanh", "dd"),
    ("tgamma", "dd"),
    ("trunc", "dd"),
];

/// The signature of a name, and the format that `d` stands for in it.
fn signature(name: &str) -> Option<(&'static str, FloatKind)> {
    let find = |table: &'static [(&str, &str)], name: &str| table.iter().find(|(n, _)| *n == name).map(|(_, s)| *s);
    if let Some(s) = find(FUNCTIONS, name).or_else(|| find(MATH, name)) {
        return Some((s, FloatKind::Double));
    }
    let (base, kind) = match (name.strip_suffix('f'), name.strip_suffix('l')) {
        (Some(base), _) => (base, FloatKind::Float),
        (None, Some(base)) => (base, FloatKind::LongDouble),
        (None, None) => return None,
    };
    find(MATH, base).map(|s| (s, kind))
}

/// Whether gcc takes a function of that name for the library's, so that it may compute a call of it by itself.
pub fn is_known_to_compilers(name: &str) -> bool {
    const OTHERS: [&str; 8] = ["alloca", "ffs", "ffsl", "ffsll", "finite", "isinf", "isnan", "signbit"];
    signature(name).is_some() || OTHERS.contains(&name)
}

/// The functions that calls of builtins turn into.
pub fn builtin_targets() -> impl Iterator<Item = String> {
    let plain = FUNCTIONS.iter().map(|(name, _)| name.to_string());
    plain.chain(MATH.iter().flat_map(|(name, _)| ["", "f", "l"].map(|suffix| format!("{name}{suffix}"))))
}

impl Sema<'_> {
    /// The type of a library function that the compiler knows.
    pub(crate) fn library_type(&mut self, name: &str) -> Option<TyId> {
        let (signature, float) = signature(name)?;
        let variadic = signature.ends_with('.');
        let mut types = Vec::with_capacity(signature.len());
        for letter in signature.trim_end_matches('.').chars() {
            types.push(QualTy::from(self.letter_type(letter, float)));
        }
        let ret = types.remove(0);
        let ty = FnType { ret, params: types, variadic, unprototyped: false };
        Some(self.types.intern(Type::Function(ty)))
    }

    /// Declares a known library function under its plain name.
    pub(crate) fn known_library_function(&mut self, name: &str) -> Option<FuncId> {
        let ty = self.library_type(name)?;
        Some(self.declare_library_function(name, ty))
    }

    fn letter_type(&mut self, letter: char, float: FloatKind) -> TyId {
        let char_ty = TypeTable::int_id(IntKind::Char);
        let constant = |ty: TyId| QualTy { ty, quals: Quals { is_const: true, ..Quals::default() } };
        match letter {
            'i' => TypeTable::INT,
            'l' => TypeTable::int_id(IntKind::Long),
            'U' => TypeTable::int_id(IntKind::ULong),
            'b' => TypeTable::int_id(IntKind::UChar),
            'L' => TypeTable::int_id(IntKind::LLong),
            'z' => self.size_ty(),
            'm' if self.types.target.long_bytes == 8 => TypeTable::int_id(IntKind::Long),
            'm' => TypeTable::int_id(IntKind::LLong),
            'd' => TypeTable::float_id(float),
            'e' => TypeTable::float_id(FloatKind::LongDouble),
            'p' => self.types.pointer_to(TypeTable::VOID),
            'P' => self.types.pointer_to(constant(TypeTable::VOID)),
            's' => self.types.pointer_to(char_ty),
            'S' => self.types.pointer_to(constant(char_ty)),
            'A' => self.va_list_param(),
            _ => TypeTable::VOID,
        }
    }
}
