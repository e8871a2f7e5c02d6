//! Where gcc puts the members of a struct or union.
//!
//! The rules are those of the System V ABI as gcc implements them (`PCC_BITFIELD_TYPE_MATTERS`): a bit-field goes to the
//! next free bit unless it would then touch more alignment units of its type than the type itself has; a named one aligns
//! the whole record by its type; `packed` and `#pragma pack` lift both rules, each in its own way. All
//! positions are in bits until the end.

/// What the layout needs to know of a member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Bytes of the declared type; 0 for a flexible array.
    pub size: u64,
    /// The declared type's preferred alignment in bytes.
    pub type_align: u64,
    /// The type got its alignment by an attribute, which i386's cap on members respects.
    pub type_user_align: bool,
    /// i386's cap on the alignment of 8-byte scalars as members.
    pub cap: Option<u64>,
    /// `aligned` on the member itself.
    pub align: Option<u64>,
    pub packed: bool,
    /// The width of a bit-field.
    pub bits: Option<u64>,
    pub named: bool,
}

/// What holds for the record as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub is_union: bool,
    /// `aligned` on the record.
    pub align: Option<u64>,
    /// `#pragma pack(n)`.
    pub pack: Option<u64>,
    /// No machine mode is aligned more strictly than this.
    pub max_mode_align: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// The first bit of each member, from the start of the record.
    pub positions: Vec<u64>,
    /// The alignment of each member itself, in bytes.
    pub aligns: Vec<u64>,
    pub size: u64,
    pub align: u64,
}

pub(crate) fn lay_out(shapes: &[Shape], rules: Rules) -> Layout {
    let mut record_align = 8;
    let mut position = 0u64;
    let mut end = 0u64;
    let mut positions = Vec::with_capacity(shapes.len());
    let mut aligns = Vec::with_capacity(shapes.len());
    for shape in shapes {
        if rules.is_union {
            position = 0;
        }
        let member = align_member(shape, position, rules);
        record_align = record_align.max(member.record_align);
        if !rules.is_union {
            position = aligned(position, member.align);
            if member.type_matters && spans_too_much(shape, position) {
                position = aligned(position, shape.capped_type_align());
            }
        }
        positions.push(position);
        aligns.push((member.align / 8).max(1));
        position = position.saturating_add(shape.bits.unwrap_or(shape.size.saturating_mul(8)));
        end = end.max(position);
    }
    let align = (record_align / 8).max(rules.align.unwrap_or(1));
    let size = end.div_ceil(8).checked_next_multiple_of(align).unwrap_or(u64::MAX);
    // Positions that would not fit into 64 bits were cut off: no size is right.
    let size = if end == u64::MAX { u64::MAX } else { size };
    Layout { positions, aligns, size, align }
}

fn aligned(position: u64, align: u64) -> u64 {
    position.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}

impl Shape {
    /// The type's alignment in bits as it counts for members.
    fn capped_type_align(&self) -> u64 {
        let align = self.type_align * 8;
        match self.cap {
            Some(cap) if !self.type_user_align => align.min(cap * 8),
            Some(_) | None => align,
        }
    }
}

/// The demands of one member, in bits.
struct Demand {
    /// Of the member's own position.
    align: u64,
    /// Of the record as a whole.
    record_align: u64,
    /// Whether the member must respect the units of its type.
    type_matters: bool,
}

fn align_member(shape: &Shape, position: u64, rules: Rules) -> Demand {
    let mut align = shape.align.map_or(1, |a| a * 8);
    let mut user_align = shape.align.is_some();
    let is_zero_width = shape.bits == Some(0);
    // Zero-width bit-fields end a unit no matter how tightly the record is packed.
    let packed = shape.packed && !is_zero_width;
    let pack = rules.pack.filter(|_| !is_zero_width);
    let mut type_matters = false;
    let adopt_type_align = |align: &mut u64, user_align: &mut bool| {
        if shape.type_align * 8 > *align {
            *align = shape.type_align * 8;
            *user_align = shape.type_user_align;
        }
    };
    match shape.bits {
        Some(0) => adopt_type_align(&mut align, &mut user_align),
        Some(width) => {
            // A bit-field that happens to be a whole, aligned machine integer is treated as one.
            let mode_align = width.min(rules.max_mode_align * 8);
            let aligned = position == 0 || (1u64 << position.trailing_zeros()) >= mode_align;
            if matches!(width, 8 | 16 | 32 | 64 | 128) && !(mode_align > 8 && packed) && aligned {
                align = align.max(mode_align);
            } else {
                type_matters = !packed && pack.is_none();
            }
        }
        None if packed && user_align => {}
        None => adopt_type_align(&mut align, &mut user_align),
    }
    if packed && shape.align.is_none() {
        align = align.min(8);
    }
    if !packed && !user_align {
        align = shape.cap.map_or(align, |cap| align.min(cap * 8));
    }
    align = pack.map_or(align, |pack| align.min(pack * 8));

    let record_align = if shape.bits.is_none() {
        align
    } else if !shape.named {
        8
    } else {
        let of_type = shape.capped_type_align();
        let of_type = match pack {
            Some(pack) => of_type.min(pack * 8),
            None if packed => of_type.min(8),
            None => of_type,
        };
        align.max(of_type)
    };
    Demand { align, record_align, type_matters }
}

/// Whether a bit-field at that position would touch more alignment units than its type has.
fn spans_too_much(shape: &Shape, position: u64) -> bool {
    let unit = shape.capped_type_align();
    let width = shape.bits.unwrap_or(0);
    (position % unit + width).div_ceil(unit) > shape.size * 8 / unit
}
