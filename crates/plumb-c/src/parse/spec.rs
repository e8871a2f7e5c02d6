//! Declaration specifiers and type names (C11 6.7.1 to 6.7.5, 6.7.7).

use super::declarator::DeclaratorKind;
use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::token::{Tok, builtin_type};
use crate::source::Span;

/// How often each arithmetic keyword was written, whatever the order.
#[derive(Default)]
struct Counts {
    void: u8,
    bool: u8,
    char: u8,
    short: u8,
    int: u8,
    long: u8,
    float: u8,
    double: u8,
    signed: u8,
    unsigned: u8,
    complex: u8,
    int128: u8,
}

impl Counts {
    fn slot(&mut self, kind: Tok) -> Option<&mut u8> {
        Some(match kind {
            Tok::Void => &mut self.void,
            Tok::Bool => &mut self.bool,
            Tok::CharType => &mut self.char,
            Tok::Short => &mut self.short,
            Tok::Int => &mut self.int,
            Tok::Long => &mut self.long,
            Tok::Float => &mut self.float,
            Tok::Double => &mut self.double,
            Tok::Signed => &mut self.signed,
            Tok::Unsigned => &mut self.unsigned,
            Tok::Complex => &mut self.complex,
            Tok::Int128 => &mut self.int128,
            _ => return None,
        })
    }

    /// The type that the keywords make together (C11 6.7.2, paragraph 2); `None` if they make none.
    fn basic_type(&self) -> Option<BasicType> {
        let Counts { void, bool, char, short, int, long, float, double, signed, unsigned, complex, int128 } = *self;
        let singles = [void, bool, char, short, int, float, double, signed, unsigned, complex, int128];
        if singles.iter().any(|&n| n > 1) || long > 2 || (signed > 0 && unsigned > 0) {
            return None;
        }
        let sign = signed + unsigned;
        let bases = void + bool + char + int128 + float + double;
        if bases > 1 || (bases == 1 && (int > 0 || short > 0)) {
            return None;
        }
        let plain = sign + short + long + int == 0;
        let basic = if void > 0 {
            (plain && complex == 0).then_some(BasicType::Void)
        } else if bool > 0 {
            (plain && complex == 0).then_some(BasicType::Bool)
        } else if float > 0 {
            plain.then_some(BasicType::Float)
        } else if double > 0 {
            (sign == 0 && long < 2).then_some(if long == 1 { BasicType::LongDouble } else { BasicType::Double })
        } else if char > 0 {
            (long == 0).then_some(match (signed, unsigned) {
                (0, 0) => BasicType::Char,
                (_, 0) => BasicType::SChar,
                (_, _) => BasicType::UChar,
            })
        } else if int128 > 0 {
            (long == 0).then_some(if unsigned > 0 { BasicType::UInt128 } else { BasicType::Int128 })
        } else if short > 0 {
            (long == 0).then_some(if unsigned > 0 { BasicType::UShort } else { BasicType::Short })
        } else {
            Some(match (long, unsigned > 0) {
                (0, false) => BasicType::Int,
                (0, true) => BasicType::UInt,
                (1, false) => BasicType::Long,
                (1, true) => BasicType::ULong,
                (_, false) => BasicType::LLong,
                (_, true) => BasicType::ULLong,
            })
        };
        if complex > 0 { basic.map(|_| BasicType::Complex) } else { basic }
    }
}

impl Parser<'_> {
    /// Whether the token can start a declaration or a type name.
    pub(super) fn starts_declaration(&self) -> bool {
        self.starts_declaration_at(0)
    }

    pub(super) fn starts_declaration_at(&self, mut ahead: usize) -> bool {
        // Looking ahead without limit would make a long row of `__extension__` quadratic.
        let limit = ahead + 8;
        while ahead < limit && self.kind_at(ahead) == Tok::Extension {
            ahead += 1;
        }
        match self.tokens.get(self.pos + ahead) {
            Some(token) if token.kind == Tok::Ident => self.scopes.is_typedef(token.name),
            Some(token) => token.kind.is_specifier(),
            None => false,
        }
    }

    pub(super) fn decl_specs(&mut self) -> Parsed<DeclSpecs> {
        let start = self.span();
        let mut specs = DeclSpecs {
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            quals: Quals::default(),
            ty: TypeSpec::ImplicitInt,
            attrs: std::mem::take(&mut self.pending_attrs),
            align: Vec::new(),
            span: Span::new(start.start, start.start),
        };
        let mut counts = Counts::default();
        let mut counted = false;
        let mut named = false;
        loop {
            let token = self.token();
            if let Some(slot) = counts.slot(token.kind) {
                *slot = slot.saturating_add(1);
                counted = true;
                self.bump();
                continue;
            }
            match token.kind {
                Tok::Typedef => self.storage(&mut specs, Storage::Typedef)?,
                Tok::Extern => self.storage(&mut specs, Storage::Extern)?,
                Tok::Static => self.storage(&mut specs, Storage::Static)?,
                Tok::Auto => self.storage(&mut specs, Storage::Auto)?,
                Tok::Register => self.storage(&mut specs, Storage::Register)?,
                Tok::ThreadLocal => {
                    self.bump();
                    specs.thread_local = true;
                }
                Tok::Inline => {
                    self.bump();
                    specs.inline = true;
                }
                Tok::Noreturn => {
                    self.bump();
                    specs.noreturn = true;
                }
                Tok::Extension => {
                    self.bump();
                }
                Tok::Atomic if self.kind_at(1) == Tok::LParen && !counted && !named => {
                    specs.ty = self.atomic_type()?;
                    named = true;
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic | Tok::AddressSpace => {
                    self.qualifier(&mut specs.quals)
                }
                Tok::Attribute => self.attributes(&mut specs.attrs)?,
                Tok::LBracket if self.at_double_bracket() => self.attributes(&mut specs.attrs)?,
                Tok::Alignas => {
                    let align = self.alignas()?;
                    specs.align.push(align);
                }
                Tok::Struct | Tok::Union | Tok::Enum | Tok::Typeof | Tok::AutoType | Tok::Decimal => {
                    if counted || named {
                        return Err(self.two_types(token.span()));
                    }
                    specs.ty = self.compound_type(token.kind)?;
                    named = true;
                }
                Tok::Ident if !counted && !named && self.scopes.is_typedef(token.name) => {
                    specs.ty = TypeSpec::Typedef(self.bump().name);
                    named = true;
                }
                // Behind another type it is a name being declared, as in `typedef float _Float32;`.
                Tok::BuiltinType if !named && !counts.names_a_type() => {
                    self.bump();
                    let builtin = builtin_type(self.names.text(token.name));
                    specs.ty = match builtin {
                        Some(basic) if !self.scopes.is_typedef(token.name) => match counted {
                            true => TypeSpec::Basic(BasicType::Complex),
                            false => TypeSpec::Basic(basic),
                        },
                        Some(_) | None => TypeSpec::Typedef(token.name),
                    };
                    counts = Counts::default();
                    (counted, named) = (false, true);
                }
                _ => break,
            }
        }
        specs.span = self.span_from(specs.span);
        if counted {
            if named {
                return Err(self.two_types(specs.span));
            }
            specs.ty = match counts.basic_type() {
                Some(basic) => TypeSpec::Basic(basic),
                None => return Err(self.two_types(specs.span)),
            };
        }
        let no_type = matches!(specs.ty, TypeSpec::ImplicitInt);
        if no_type && self.at(Tok::Ident) && matches!(self.kind_at(1), Tok::Ident | Tok::Star) {
            return Err(self.unknown_type());
        }
        Ok(specs)
    }

    fn two_types(&mut self, span: Span) -> crate::parse::Reported {
        let help =
            "keep one type, such as `unsigned long`; a `;` missing behind the declaration above also ends up here";
        self.error_at(span, "these type specifiers do not go together", help)
    }

    fn storage(&mut self, specs: &mut DeclSpecs, storage: Storage) -> Parsed<()> {
        let span = self.bump().span();
        match specs.storage.replace(storage) {
            None => Ok(()),
            Some(_) => Err(self.error_at(span, "a declaration has one storage class at most", "remove one of them")),
        }
    }

    pub(super) fn qualifier(&mut self, quals: &mut Quals) {
        let token = self.bump();
        match token.kind {
            Tok::AddressSpace if self.names.text(token.name) == "__memx" => quals.space = AddressSpace::Memx,
            Tok::AddressSpace => quals.space = AddressSpace::Flash,
            Tok::Const => quals.is_const = true,
            Tok::Volatile => quals.is_volatile = true,
            Tok::Restrict => quals.is_restrict = true,
            _ => quals.is_atomic = true,
        }
    }

    fn atomic_type(&mut self) -> Parsed<TypeSpec> {
        self.bump();
        let open = self.expect(Tok::LParen)?.span();
        let ty = self.type_name()?;
        self.close(Tok::RParen, open)?;
        Ok(TypeSpec::Atomic(Box::new(ty)))
    }

    fn alignas(&mut self) -> Parsed<AlignSpec> {
        self.bump();
        let open = self.expect(Tok::LParen)?.span();
        let align = match self.starts_declaration() {
            true => AlignSpec::Type(self.type_name()?),
            false => AlignSpec::Expr(self.conditional()?),
        };
        self.close(Tok::RParen, open)?;
        Ok(align)
    }

    fn compound_type(&mut self, kind: Tok) -> Parsed<TypeSpec> {
        match kind {
            Tok::Struct | Tok::Union => self.nested(|p| p.record()),
            Tok::Enum => self.nested(|p| p.enumeration()),
            Tok::AutoType => {
                self.bump();
                Ok(TypeSpec::Auto)
            }
            Tok::Typeof => self.nested(|p| p.type_of()),
            _ => {
                let span = self.span();
                let help = "use `float`, `double` or an integer type";
                Err(self.error_at(span, "decimal floating types are not supported", help))
            }
        }
    }

    fn type_of(&mut self) -> Parsed<TypeSpec> {
        self.bump();
        let open = self.expect(Tok::LParen)?.span();
        let ty = match self.starts_declaration() {
            true => TypeSpec::TypeofType(Box::new(self.type_name()?)),
            false => TypeSpec::TypeofExpr(Box::new(self.expression()?)),
        };
        self.close(Tok::RParen, open)?;
        Ok(ty)
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let start = self.span();
        self.nested(|p| {
            let specs = p.decl_specs()?;
            if matches!(specs.ty, TypeSpec::ImplicitInt) && specs.quals == Quals::default() {
                return Err(match p.kind() {
                    Tok::Ident => p.unknown_type(),
                    _ => p.unexpected("a type"),
                });
            }
            let declarator = p.declarator(DeclaratorKind::Abstract)?;
            Ok(TypeName { specs, declarator, span: p.span_from(start) })
        })
    }
}

impl Counts {
    /// Whether the keywords so far are a type by themselves: only `_Complex` asks for another.
    fn names_a_type(&self) -> bool {
        let Counts { void, bool, char, short, int, long, float, double, signed, unsigned, complex: _, int128 } = *self;
        [void, bool, char, short, int, long, float, double, signed, unsigned, int128].iter().any(|&n| n > 0)
    }
}
