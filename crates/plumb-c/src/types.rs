//! C types: one table per run, structural types interned so that identity is equality.
//!
//! Records and enums are nominal: each definition has an id, and its body is filled in when it is completed.

use crate::index::TiVec;
use crate::names::Name;
use crate::source::Span;
use crate::target::{FloatFormat, Target};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TyId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct RecordId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct EnumId(pub u32);

crate::index_types!(RecordId, EnumId);

/// A hidden local of the current function that holds the element count of a variable-length array.
pub use crate::hir::LocalId;

pub use crate::ast::Quals;

/// A type with the qualifiers of the object it describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualTy {
    pub ty: TyId,
    pub quals: Quals,
}

impl From<TyId> for QualTy {
    fn from(ty: TyId) -> QualTy {
        QualTy { ty, quals: Quals::default() }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Int(IntKind),
    Float(FloatKind),
    Pointer(QualTy),
    Array(QualTy, ArrayLen),
    Function(FnType),
    Record(RecordId),
    Enum(EnumId),
    /// The type of expressions that were reported as wrong; everything accepts it silently.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    Fixed(u64),
    /// `int a[]`: completed by an initialiser, or a flexible member, or a tentative definition of one element.
    Unknown,
    /// The count lies in a hidden local of the function being checked.
    Variable(LocalId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnType {
    pub ret: QualTy,
    /// Adjusted (arrays and functions decayed) parameter types.
    pub params: Vec<QualTy>,
    pub variadic: bool,
    /// `f()`: nothing is known of the parameters.
    pub unprototyped: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum IntKind {
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
}

impl IntKind {
    pub const ALL: [IntKind; 14] = [
        IntKind::Bool,
        IntKind::Char,
        IntKind::SChar,
        IntKind::UChar,
        IntKind::Short,
        IntKind::UShort,
        IntKind::Int,
        IntKind::UInt,
        IntKind::Long,
        IntKind::ULong,
        IntKind::LLong,
        IntKind::ULLong,
        IntKind::Int128,
        IntKind::UInt128,
    ];

    pub fn bytes(self, target: &Target) -> u64 {
        match self {
            IntKind::Bool | IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => target.int_bytes,
            IntKind::Long | IntKind::ULong => target.long_bytes,
            IntKind::LLong | IntKind::ULLong => 8,
            IntKind::Int128 | IntKind::UInt128 => 16,
        }
    }

    /// Bits that count for the value: 1 for `_Bool`, else eight times the bytes.
    pub fn bits(self, target: &Target) -> u32 {
        if self == IntKind::Bool { 1 } else { self.bytes(target) as u32 * 8 }
    }

    pub fn is_signed(self, target: &Target) -> bool {
        match self {
            IntKind::Char => target.char_signed,
            IntKind::SChar | IntKind::Short | IntKind::Int | IntKind::Long | IntKind::LLong | IntKind::Int128 => true,
            IntKind::Bool
            | IntKind::UChar
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULLong
            | IntKind::UInt128 => false,
        }
    }

    /// Conversion rank (C11 6.3.1.1).
    pub fn rank(self) -> u8 {
        match self {
            IntKind::Bool => 0,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LLong | IntKind::ULLong => 5,
            IntKind::Int128 | IntKind::UInt128 => 6,
        }
    }

    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LLong => IntKind::ULLong,
            IntKind::Int128 => IntKind::UInt128,
            unsigned => unsigned,
        }
    }

    pub fn to_signed(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::UChar => IntKind::SChar,
            IntKind::UShort => IntKind::Short,
            IntKind::UInt => IntKind::Int,
            IntKind::ULong => IntKind::Long,
            IntKind::ULLong => IntKind::LLong,
            IntKind::UInt128 => IntKind::Int128,
            signed => signed,
        }
    }

    pub fn c_name(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LLong => "long long",
            IntKind::ULLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
}

impl FloatKind {
    pub fn format(self, target: &Target) -> FloatFormat {
        match self {
            FloatKind::Float => FloatFormat::F32,
            FloatKind::Double => target.double_format,
            FloatKind::LongDouble => target.long_double_format,
        }
    }

    pub fn c_name(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
        }
    }
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    pub is_union: bool,
    pub tag: Option<Name>,
    /// `None` while only declared.
    pub body: Option<RecordBody>,
    /// The translation unit of the declaration: within one, every declaration is a type of its own.
    pub unit: u32,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct RecordBody {
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
    /// GNU transparent unions accept a member's value where the union is a parameter.
    pub transparent: bool,
    /// Ends in `T a[]`.
    pub flexible: bool,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for anonymous members and unnamed bit-fields.
    pub name: Option<Name>,
    pub ty: QualTy,
    /// Byte offset; of a bit-field, the offset of the storage unit of its declared type that holds its first bit.
    pub offset: u64,
    pub bits: Option<BitRange>,
    /// The alignment of the member's own, in bytes, as `__alignof__` says it.
    pub align: u64,
    pub span: Span,
}

/// The bits of a bit-field, counted from the least significant bit of the bytes that start at the field's offset. A
/// packed bit-field may reach beyond its declared type's size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitRange {
    pub start: u32,
    pub width: u32,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<Name>,
    /// The compatible integer type; `None` while only declared.
    pub underlying: Option<IntKind>,
    pub variants: Vec<(Name, i128)>,
    /// As in [`Record`].
    pub unit: u32,
    pub span: Span,
}

/// All types of a run.
#[derive(Clone, Debug)]
pub struct TypeTable {
    pub target: Target,
    types: Vec<Type>,
    index: FxHashMap<Type, TyId>,
    pub records: TiVec<RecordId, Record>,
    pub enums: TiVec<EnumId, Enum>,
    /// Records of different units that were found compatible.
    pub(crate) same_records: FxHashSet<(RecordId, RecordId)>,
}

/// Ids of the types that every program has, fixed by [`TypeTable::new`].
impl TypeTable {
    pub const VOID: TyId = TyId(0);
    pub const ERROR: TyId = TyId(1);
    const FIRST_INT: u32 = 2;
    const FIRST_FLOAT: u32 = TypeTable::FIRST_INT + 14;
    pub const INT: TyId = TypeTable::int_id(IntKind::Int);

    pub const fn int_id(kind: IntKind) -> TyId {
        TyId(TypeTable::FIRST_INT + kind as u32)
    }

    pub const fn float_id(kind: FloatKind) -> TyId {
        TyId(TypeTable::FIRST_FLOAT + kind as u32)
    }

    pub fn new(target: Target) -> TypeTable {
        let mut table = TypeTable {
            target,
            types: Vec::new(),
            index: FxHashMap::default(),
            records: TiVec::new(),
            enums: TiVec::new(),
            same_records: FxHashSet::default(),
        };
        table.intern(Type::Void);
        table.intern(Type::Error);
        for kind in IntKind::ALL {
            let id = table.intern(Type::Int(kind));
            debug_assert_eq!(id, TypeTable::int_id(kind));
        }
        for kind in [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble] {
            let id = table.intern(Type::Float(kind));
            debug_assert_eq!(id, TypeTable::float_id(kind));
        }
        table
    }

    pub fn intern(&mut self, ty: Type) -> TyId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = TyId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// The id of a type that has been interned before.
    pub fn find(&self, ty: &Type) -> Option<TyId> {
        self.index.get(ty).copied()
    }

    pub fn get(&self, id: TyId) -> &Type {
        &self.types[id.0 as usize]
    }

    pub fn pointer_to(&mut self, to: impl Into<QualTy>) -> TyId {
        self.intern(Type::Pointer(to.into()))
    }

    pub fn array_of(&mut self, elem: impl Into<QualTy>, len: ArrayLen) -> TyId {
        self.intern(Type::Array(elem.into(), len))
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id]
    }

    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id]
    }

    /// `size_t`.
    pub fn size_kind(&self) -> IntKind {
        if self.target.pointer_bytes == self.target.int_bytes { IntKind::UInt } else { IntKind::ULong }
    }

    /// `ptrdiff_t`.
    pub fn ptrdiff_kind(&self) -> IntKind {
        self.size_kind().to_signed()
    }
}
