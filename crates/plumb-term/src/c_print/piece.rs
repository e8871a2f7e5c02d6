//! A piece of C: text, how tight it binds, and the type it has.

/// From loose to tight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Prec {
    Choice,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Prefix,
    Primary,
}

/// The C type of an expression after promotion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// `int`, or a narrower type that becomes one.
    Int,
    /// A signed type of more bits than `int`.
    Signed(u32),
    /// An unsigned type of at least the bits of `int`.
    Unsigned(u32),
    Float,
}

#[derive(Clone, Debug)]
pub struct Piece {
    pub text: String,
    pub prec: Prec,
    pub ty: Type,
}

impl Piece {
    pub fn primary(text: impl Into<String>, ty: Type) -> Piece {
        Piece { text: text.into(), prec: Prec::Primary, ty }
    }

    /// The text as an operand that must bind at least so tight.
    pub fn at(&self, prec: Prec) -> String {
        if self.prec >= prec { self.text.clone() } else { format!("({})", self.text) }
    }

    pub fn prefix(sign: &str, a: &Piece, ty: Type) -> Piece {
        // Two minus signs in a row would be another operator.
        let needed = if a.text.starts_with(sign) { Prec::Primary } else { Prec::Prefix };
        Piece { text: format!("{sign}{}", a.at(needed)), prec: Prec::Prefix, ty }
    }

    pub fn cast(name: &str, a: &Piece, ty: Type) -> Piece {
        Piece { text: format!("({name}){}", a.at(Prec::Prefix)), prec: Prec::Prefix, ty }
    }

    /// An operator that groups to the left. Operands of another binary operator than sums and products get parentheses, so
    /// that nobody has to know C's precedences by heart.
    pub fn binary(a: &Piece, sign: &str, b: &Piece, prec: Prec, ty: Type) -> Piece {
        let needed = match prec {
            Prec::And | Prec::Or => Prec::BitOr,
            Prec::Equality | Prec::Relation => Prec::Shift,
            Prec::Sum => Prec::Sum,
            Prec::Product => Prec::Product,
            _ => Prec::Prefix,
        };
        let same = |piece: &Piece| piece.prec == prec && matches!(prec, Prec::And | Prec::Or);
        let left = if same(a) { a.text.clone() } else { a.at(needed) };
        let right = if same(b) { b.text.clone() } else { b.at(tighter(needed)) };
        Piece { text: format!("{left} {sign} {right}"), prec, ty }
    }

    pub fn choice(c: &Piece, a: &Piece, b: &Piece, ty: Type) -> Piece {
        let text = format!("{} ? {} : {}", c.at(Prec::Or), a.at(Prec::Or), b.at(Prec::Choice));
        Piece { text, prec: Prec::Choice, ty }
    }

    pub fn call(function: &str, arguments: &[Piece], ty: Type) -> Piece {
        let list: Vec<&str> = arguments.iter().map(|argument| argument.text.as_str()).collect();
        Piece { text: format!("{function}({})", list.join(", ")), prec: Prec::Primary, ty }
    }
}

/// For right operands, since operators group to the left.
fn tighter(prec: Prec) -> Prec {
    match prec {
        Prec::Sum => Prec::Product,
        Prec::Product => Prec::Prefix,
        other => other,
    }
}
