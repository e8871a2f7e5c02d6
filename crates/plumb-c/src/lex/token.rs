//! Tokens and the table of keywords.
//!
//! A token is a kind and a place; literals are decoded from the source text when the parser meets them, so the token
//! stays small. Words (identifiers and keywords alike) carry their interned name, because GNU attributes may be named
//! like keywords.

use crate::ast::BasicType;
use crate::names::{Name, Names};
use crate::source::Span;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Tok,
    pub start: u32,
    pub end: u32,
    /// The word's text; the empty name for everything else.
    pub name: Name,
}

impl Token {
    pub fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Tok {
    Eof,
    Ident,
    /// A preprocessing number (C11 6.4.8).
    Number,
    Char,
    String,

    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Semi,
    Comma,
    Dot,
    Arrow,
    Ellipsis,
    Question,
    Colon,
    Tilde,
    Bang,
    PlusPlus,
    MinusMinus,

    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Amp,
    Pipe,
    Caret,
    Shl,
    Shr,
    AmpAmp,
    PipePipe,
    Lt,
    Gt,
    Le,
    Ge,
    EqEq,
    Ne,

    Assign,
    PlusAssign,
    MinusAssign,
    StarAssign,
    SlashAssign,
    PercentAssign,
    AmpAssign,
    PipeAssign,
    CaretAssign,
    ShlAssign,
    ShrAssign,

    Typedef,
    Extern,
    Static,
    Auto,
    Register,
    ThreadLocal,
    Inline,
    Noreturn,
    Const,
    Volatile,
    Restrict,
    Atomic,
    Alignas,
    Attribute,
    Extension,
    Struct,
    Union,
    Enum,
    Typeof,
    AutoType,
    Void,
    Bool,
    CharType,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Complex,
    Int128,
    /// A type name built into gcc that a program may still declare for itself; see [`builtin_type`].
    BuiltinType,
    Decimal,

    Sizeof,
    Alignof,
    GnuAlignof,
    Generic,
    FuncName,
    VaArg,
    Offsetof,
    TypesCompatible,
    ChooseExpr,
    Real,
    Imag,

    Asm,
    Break,
    Case,
    Continue,
    Default,
    Do,
    Else,
    For,
    Goto,
    If,
    Return,
    Switch,
    While,
    Label,
    StaticAssert,
    /// `_Pragma`; the lexer removes the whole operator.
    PragmaOp,
    /// Ignored wherever it stands: `__w64` and calling conventions of other compilers mean nothing here.
    Ignored,
}

impl Tok {
    /// Whether a declaration or a type name can start with this keyword.
    pub fn is_specifier(self) -> bool {
        (Tok::Typedef as u8..=Tok::Decimal as u8).contains(&(self as u8)) && self != Tok::Extension
    }
}

/// How punctuation is written in messages.
pub(crate) fn spelling(kind: Tok) -> &'static str {
    match kind {
        Tok::LParen => "`(`",
        Tok::RParen => "`)`",
        Tok::LBracket => "`[`",
        Tok::RBracket => "`]`",
        Tok::LBrace => "`{`",
        Tok::RBrace => "`}`",
        Tok::Semi => "`;`",
        Tok::Comma => "`,`",
        Tok::Colon => "`:`",
        Tok::Assign => "`=`",
        Tok::While => "`while`",
        Tok::Ident => "a name",
        Tok::String => "a string literal",
        _ => "another token",
    }
}

const KEYWORDS: &[(&str, Tok)] = &[
    ("typedef", Tok::Typedef),
    ("extern", Tok::Extern),
    ("static", Tok::Static),
    ("auto", Tok::Auto),
    ("register", Tok::Register),
    ("_Thread_local", Tok::ThreadLocal),
    ("__thread", Tok::ThreadLocal),
    ("inline", Tok::Inline),
    ("__inline", Tok::Inline),
    ("__inline__", Tok::Inline),
    ("_Noreturn", Tok::Noreturn),
    ("const", Tok::Const),
    ("__const", Tok::Const),
    ("__const__", Tok::Const),
    ("volatile", Tok::Volatile),
    ("__volatile", Tok::Volatile),
    ("__volatile__", Tok::Volatile),
    ("restrict", Tok::Restrict),
    ("__restrict", Tok::Restrict),
    ("__restrict__", Tok::Restrict),
    ("_Atomic", Tok::Atomic),
    ("_Alignas", Tok::Alignas),
    ("__attribute__", Tok::Attribute),
    ("__attribute", Tok::Attribute),
    ("__extension__", Tok::Extension),
    ("struct", Tok::Struct),
    ("union", Tok::Union),
    ("enum", Tok::Enum),
    ("typeof", Tok::Typeof),
    ("__typeof", Tok::Typeof),
    ("__typeof__", Tok::Typeof),
    ("__auto_type", Tok::AutoType),
    ("void", Tok::Void),
    ("_Bool", Tok::Bool),
    ("char", Tok::CharType),
    ("short", Tok::Short),
    ("int", Tok::Int),
    ("long", Tok::Long),
    ("float", Tok::Float),
    ("double", Tok::Double),
    ("signed", Tok::Signed),
    ("__signed", Tok::Signed),
    ("__signed__", Tok::Signed),
    ("unsigned", Tok::Unsigned),
    ("_Complex", Tok::Complex),
    ("__complex", Tok::Complex),
    ("__complex__", Tok::Complex),
    ("__int128", Tok::Int128),
    ("_Decimal32", Tok::Decimal),
    ("_Decimal64", Tok::Decimal),
    ("_Decimal128", Tok::Decimal),
    ("sizeof", Tok::Sizeof),
    ("_Alignof", Tok::Alignof),
    ("__alignof", Tok::GnuAlignof),
    ("__alignof__", Tok::GnuAlignof),
    ("_Generic", Tok::Generic),
    ("__func__", Tok::FuncName),
    ("__FUNCTION__", Tok::FuncName),
    ("__PRETTY_FUNCTION__", Tok::FuncName),
    ("__builtin_va_arg", Tok::VaArg),
    ("__builtin_offsetof", Tok::Offsetof),
    ("__builtin_types_compatible_p", Tok::TypesCompatible),
    ("__builtin_choose_expr", Tok::ChooseExpr),
    ("__real", Tok::Real),
    ("__real__", Tok::Real),
    ("__imag", Tok::Imag),
    ("__imag__", Tok::Imag),
    ("asm", Tok::Asm),
    ("__asm", Tok::Asm),
    ("__asm__", Tok::Asm),
    ("break", Tok::Break),
    ("case", Tok::Case),
    ("continue", Tok::Continue),
    ("default", Tok::Default),
    ("do", Tok::Do),
    ("else", Tok::Else),
    ("for", Tok::For),
    ("goto", Tok::Goto),
    ("if", Tok::If),
    ("return", Tok::Return),
    ("switch", Tok::Switch),
    ("while", Tok::While),
    ("__label__", Tok::Label),
    ("_Static_assert", Tok::StaticAssert),
    ("_Pragma", Tok::PragmaOp),
    ("__w64", Tok::Ignored),
    ("_Nonnull", Tok::Ignored),
    ("_Nullable", Tok::Ignored),
];

/// Types that gcc (or, for `__CPROVER_*`, CBMC) knows by name. `_Float64` and `_Float32x` have the format of
/// `double` and `_Float64x` that of `long double` on every target here.
const BUILTIN_TYPES: &[(&str, BasicType)] = &[
    ("__builtin_va_list", BasicType::VaList),
    ("__int128_t", BasicType::Int128),
    ("__uint128_t", BasicType::UInt128),
    ("_Float16", BasicType::Float16),
    ("_Float32", BasicType::Float),
    ("_Float64", BasicType::Double),
    ("_Float32x", BasicType::Double),
    ("_Float64x", BasicType::LongDouble),
    ("__float80", BasicType::LongDouble),
    ("_Float128", BasicType::Float128),
    ("__float128", BasicType::Float128),
    ("__CPROVER_bool", BasicType::Bool),
    ("__CPROVER_size_t", BasicType::Size),
    ("__CPROVER_ssize_t", BasicType::SignedSize),
];

pub(crate) fn builtin_type(text: &str) -> Option<BasicType> {
    BUILTIN_TYPES.iter().find(|(name, _)| *name == text).map(|&(_, ty)| ty)
}

/// Finds the kind of a word by its number: keywords are interned first, so their numbers are small.
pub(crate) struct Keywords {
    by_index: Vec<Tok>,
}

impl Keywords {
    pub fn new(names: &mut Names) -> Keywords {
        let builtin = BUILTIN_TYPES.iter().map(|&(text, _)| (text, Tok::BuiltinType));
        let mut by_index = Vec::new();
        for (text, kind) in KEYWORDS.iter().copied().chain(builtin) {
            let index = names.intern(text).index();
            if by_index.len() <= index {
                by_index.resize(index + 1, Tok::Ident);
            }
            by_index[index] = kind;
        }
        Keywords { by_index }
    }

    pub fn kind(&self, name: Name) -> Tok {
        self.by_index.get(name.index()).copied().unwrap_or(Tok::Ident)
    }
}
