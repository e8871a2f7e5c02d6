//! The syntax tree: what the user wrote, before any meaning is given to it.
//!
//! The parser knows just enough scoping to tell typedef names from other identifiers. Types, constants and
//! conversions are the business of [`crate::sema`], which turns this tree into [`crate::hir`].

use crate::names::Name;
use crate::source::Span;

#[derive(Clone, Debug, Default)]
pub struct TranslationUnit {
    pub items: Vec<Item>,
}

#[derive(Clone, Debug)]
pub enum Item {
    Function(Box<FunctionDef>),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    /// A file-scope `asm("...")`, which the semantics ignores.
    Asm(Span),
}

#[derive(Clone, Debug)]
pub struct FunctionDef {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    /// Declarations between the declarator and the body of a K&R definition.
    pub kr_params: Vec<Declaration>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct StaticAssert {
    pub cond: Expr,
    pub message: Option<Vec<u8>>,
    pub span: Span,
}

/// `specs declarator = init, declarator = init;` The list is empty for `struct S { ... };`.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub specs: DeclSpecs,
    pub declarators: Vec<InitDeclarator>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub init: Option<Init>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Clone, Debug)]
pub struct DeclSpecs {
    pub storage: Option<Storage>,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    pub quals: Quals,
    pub ty: TypeSpec,
    pub attrs: Vec<Attr>,
    pub align: Vec<AlignSpec>,
    pub span: Span,
}

/// Type qualifiers as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

#[derive(Clone, Debug)]
pub enum AlignSpec {
    Type(TypeName),
    Expr(Expr),
}

#[derive(Clone, Debug)]
pub enum TypeSpec {
    /// Combinations of `int`, `long`, `unsigned` and so on, already counted and checked by the parser.
    Basic(BasicType),
    Record(Box<RecordSpec>),
    Enum(Box<EnumSpec>),
    Typedef(Name),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
    /// `__auto_type`: the type of the initialiser.
    Auto,
    /// No type specifier at all: C89's implicit `int`.
    ImplicitInt,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BasicType {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    Int128,
    UInt128,
    Float16,
    Float,
    Double,
    LongDouble,
    Float128,
    /// `_Complex` of any kind; sema rejects it where it is used.
    Complex,
    VaList,
    /// `__CPROVER_size_t` and `__CPROVER_ssize_t`.
    Size,
    SignedSize,
}

#[derive(Clone, Debug)]
pub struct RecordSpec {
    pub is_union: bool,
    pub tag: Option<Name>,
    /// `None` for a mere reference such as `struct S`.
    pub fields: Option<Vec<FieldDecl>>,
    pub attrs: Vec<Attr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum FieldDecl {
    Field {
        specs: DeclSpecs,
        /// Empty for an anonymous struct or union member.
        declarators: Vec<FieldDeclarator>,
        span: Span,
    },
    StaticAssert(StaticAssert),
}

#[derive(Clone, Debug)]
pub struct FieldDeclarator {
    /// Without a name for an unnamed bit-field.
    pub declarator: Declarator,
    pub bits: Option<Expr>,
    /// Attributes written after the bit width.
    pub attrs: Vec<Attr>,
}

#[derive(Clone, Debug)]
pub struct EnumSpec {
    pub tag: Option<Name>,
    pub variants: Option<Vec<Enumerator>>,
    pub attrs: Vec<Attr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Enumerator {
    pub name: Name,
    pub value: Option<Expr>,
    pub span: Span,
}

/// A declarator, its parts ordered from the name outwards: `*a[3]` is `[Array(3), Pointer]`, to be applied to the
/// specified type from the last part to the first.
#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Option<Name>,
    pub parts: Vec<DeclaratorPart>,
    pub attrs: Vec<Attr>,
    /// `asm("symbol")` after the declarator.
    pub asm_label: Option<Vec<u8>>,
    /// The name's place, or where it would stand.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum DeclaratorPart {
    Pointer { quals: Quals, attrs: Vec<Attr> },
    Array { quals: Quals, is_static: bool, size: ArraySize },
    Function(Params),
}

#[derive(Clone, Debug)]
pub enum ArraySize {
    Unspecified,
    /// `[*]` in a prototype.
    Star,
    Expr(Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Params {
    /// A prototype; `(void)` is an empty one.
    Prototype { params: Vec<Param>, variadic: bool },
    /// `()` or K&R's `(a, b)`.
    Identifiers(Vec<(Name, Span)>),
}

#[derive(Clone, Debug)]
pub struct Param {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    pub span: Span,
}

/// A type without a name: in casts, `sizeof`, compound literals.
#[derive(Clone, Debug)]
pub struct TypeName {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    pub span: Span,
}

/// One attribute of `__attribute__((...))` or `[[...]]`, its name without surrounding underscores.
#[derive(Clone, Debug)]
pub struct Attr {
    pub name: Name,
    pub args: Vec<AttrArg>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AttrArg {
    Expr(Expr),
    Type(TypeName),
}

#[derive(Clone, Debug)]
pub enum Init {
    Expr(Expr),
    List(InitList),
}

#[derive(Clone, Debug)]
pub struct InitList {
    pub items: Vec<InitItem>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitItem {
    pub designators: Vec<Designator>,
    pub value: Init,
}

#[derive(Clone, Debug)]
pub enum Designator {
    Field(Name, Span),
    Index(Expr),
    /// GNU `[a ... b]`.
    Range(Expr, Expr),
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub items: Vec<BlockItem>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum BlockItem {
    Declaration(Declaration),
    Statement(Stmt),
    StaticAssert(StaticAssert),
    /// `__label__ a, b;`
    LocalLabels(Vec<(Name, Span)>),
    /// A GNU nested function; sema rejects it.
    NestedFunction(Box<FunctionDef>),
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Block(Block),
    If {
        cond: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
    },
    For {
        init: ForInit,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    /// `case low:` or GNU `case low ... high:`.
    Case {
        low: Expr,
        high: Option<Expr>,
        body: Box<Stmt>,
    },
    Default {
        body: Box<Stmt>,
    },
    Label {
        name: Name,
        attrs: Vec<Attr>,
        body: Box<Stmt>,
    },
    Goto(Name),
    GotoComputed(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    Asm(Box<AsmStmt>),
}

#[derive(Clone, Debug)]
pub enum ForInit {
    None,
    Expr(Expr),
    Declaration(Declaration),
}

#[derive(Clone, Debug)]
pub struct AsmStmt {
    pub is_volatile: bool,
    pub template: Vec<u8>,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<Vec<u8>>,
    /// Labels of `asm goto`.
    pub labels: Vec<(Name, Span)>,
}

#[derive(Clone, Debug)]
pub struct AsmOperand {
    pub constraint: Vec<u8>,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer literal; the suffix and base decide its type in sema.
    Int {
        value: u128,
        decimal: bool,
        unsigned: bool,
        long: LongSuffix,
    },
    /// A floating literal as spelled, without its suffix (sema rounds it once, to the right format).
    Float {
        text: Box<str>,
        suffix: FloatSuffix,
    },
    /// An imaginary literal (`1.0i`); sema rejects it.
    Imaginary,
    Char {
        value: u32,
        encoding: Encoding,
    },
    /// Adjacent literals are joined; no terminating NUL is stored. Elements are code units of the encoding.
    String {
        units: Vec<u32>,
        encoding: Encoding,
    },
    Ident(Name),
    /// `__func__`, `__FUNCTION__`, `__PRETTY_FUNCTION__`.
    FunctionName,
    Unary(UnaryOp, Box<Expr>),
    IncDec {
        increment: bool,
        prefix: bool,
        value: Box<Expr>,
    },
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    LogicalAnd(Box<Expr>, Box<Expr>),
    LogicalOr(Box<Expr>, Box<Expr>),
    /// Without a middle: GNU `a ?: b`.
    Cond(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Assign(Box<Expr>, Box<Expr>),
    AssignOp(BinaryOp, Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Member {
        base: Box<Expr>,
        arrow: bool,
        field: Name,
        field_span: Span,
    },
    Cast(Box<TypeName>, Box<Expr>),
    CompoundLiteral(Box<TypeName>, InitList),
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    AlignofType {
        ty: Box<TypeName>,
        gnu: bool,
    },
    StmtExpr(Box<Block>),
    LabelAddr(Name),
    Generic {
        control: Box<Expr>,
        arms: Vec<GenericArm>,
    },
    VaArg {
        list: Box<Expr>,
        ty: Box<TypeName>,
    },
    Offsetof {
        ty: Box<TypeName>,
        path: Vec<OffsetofStep>,
    },
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
    /// CBMC's `__CPROVER_forall { int i; body }` and `__CPROVER_exists`.
    Quantifier {
        forall: bool,
        variable: Box<Declaration>,
        body: Box<Expr>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LongSuffix {
    None,
    Long,
    LongLong,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSuffix {
    None,
    F,
    L,
    /// `q`, `f128` and other formats.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Plain,
    Wide,
    Utf8,
    Utf16,
    Utf32,
}

/// An arm of `_Generic`; `ty` is `None` for `default`.
#[derive(Clone, Debug)]
pub struct GenericArm {
    pub ty: Option<TypeName>,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub enum OffsetofStep {
    Field(Name, Span),
    Index(Expr),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    AddrOf,
    Real,
    Imag,
    /// `__extension__`.
    Extension,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
}
