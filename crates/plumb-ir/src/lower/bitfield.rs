//! Which bytes an access of a bit-field touches.
//!
//! Any window around the field gives the same values. The choice matters to what comes after: fields that share bytes
//! should share their window, so that it can become one register, and a window must not reach into an ordinary member.
//! So the bytes of each run of adjacent bit-fields are grouped by the fields that straddle them, and groups grow to a
//! size that the machine can load where the run or the padding behind it has room.

use super::Context;
use plumb_c::types::{BitRange, Field, RecordBody, RecordId, TyId, Type};
use std::rc::Rc;

/// Windows of several fields are no larger than what a machine loads at once.
const LARGEST_SHARED: u64 = 8;

/// Bytes of a record: an offset from its start, and how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) start: u64,
    pub(super) bytes: u64,
}

impl Window {
    fn end(self) -> u64 {
        self.start + self.bytes
    }

    fn covering(self, other: Window) -> Window {
        let start = self.start.min(other.start);
        Window { start, bytes: self.end().max(other.end()) - start }
    }

    fn overlaps(self, other: Window) -> bool {
        self.start < other.end() && other.start < self.end()
    }
}

/// The bytes that hold the range's bits.
pub(super) fn bytes_of(offset: u64, range: BitRange) -> Window {
    let start = offset + range.start as u64 / 8;
    let end = offset + (range.start as u64 + range.width as u64).div_ceil(8);
    Window { start, bytes: end - start }
}

impl Context<'_> {
    /// The window of each bit-field of a record, by field.
    pub(super) fn bit_windows(&mut self, id: RecordId) -> Rc<[Option<Window>]> {
        if let Some(known) = self.bit_windows.get(&id) {
            return known.clone();
        }
        let windows: Rc<[Option<Window>]> = match &self.hir.types.record(id).body {
            Some(body) if self.hir.types.record(id).is_union => {
                body.fields.iter().map(|f| f.bits.map(|r| grow(bytes_of(f.offset, r), 0, body.size))).collect()
            }
            Some(body) => struct_windows(body, |ty| self.size_of(ty)).into(),
            None => Rc::new([]),
        };
        self.bit_windows.insert(id, windows.clone());
        windows
    }

    /// The window of the bit-field that an initialiser sets: the field is found by its place in the object.
    pub(super) fn window_at(&mut self, ty: TyId, offset: u64, range: BitRange) -> Option<Window> {
        match self.hir.types.get(ty) {
            Type::Array(elem, _) => {
                let size = self.size_of(elem.ty).max(1);
                let base = offset / size * size;
                let inner = self.window_at(elem.ty, offset - base, range)?;
                Some(Window { start: inner.start + base, ..inner })
            }
            Type::Record(id) => {
                let windows = self.bit_windows(*id);
                let body = self.hir.types.record(*id).body.as_ref()?;
                for (field, window) in body.fields.iter().zip(windows.iter()) {
                    match field.bits {
                        Some(bits) if field.offset == offset && bits == range => return *window,
                        Some(_) => continue,
                        None => {
                            let inside = offset.checked_sub(field.offset).filter(|o| *o < self.size_of(field.ty.ty));
                            if let Some(inner) = inside.and_then(|o| self.window_at(field.ty.ty, o, range)) {
                                return Some(Window { start: inner.start + field.offset, ..inner });
                            }
                        }
                    }
                }
                None
            }
            _ => None,
        }
    }
}

fn struct_windows(body: &RecordBody, size_of: impl Fn(TyId) -> u64) -> Vec<Option<Window>> {
    let mut windows = vec![None; body.fields.len()];
    let mut at = 0;
    let mut low = 0;
    while at < body.fields.len() {
        let field = &body.fields[at];
        if field.bits.is_none() {
            low = field.offset + size_of(field.ty.ty);
            at += 1;
            continue;
        }
        let run = body.fields[at..].iter().take_while(|f| f.bits.is_some()).count();
        let high = body.fields.get(at + run).map_or(body.size, |f| f.offset).max(low);
        for (window, field) in windows[at..at + run].iter_mut().zip(run_windows(&body.fields[at..at + run], low, high))
        {
            *window = field;
        }
        at += run;
    }
    windows
}

/// Windows of adjacent bit-fields that may use the bytes from `low` to `high`.
fn run_windows(fields: &[Field], low: u64, high: u64) -> Vec<Option<Window>> {
    let own = |f: &Field| f.bits.filter(|r| r.width > 0).map(|r| bytes_of(f.offset, r));
    let mut groups: Vec<Window> = Vec::new();
    for window in fields.iter().filter_map(own) {
        groups.push(window);
        merge_last(&mut groups);
    }
    // Growing a group may make it meet others; each round then leaves fewer groups.
    loop {
        let before = groups.len();
        let mut grown: Vec<Window> = Vec::new();
        for group in groups {
            grown.push(grow(group, low, high));
            merge_last(&mut grown);
        }
        groups = grown;
        if groups.len() == before {
            break;
        }
    }
    // A long chain of packed fields makes a group too wide to load at once: its fields then go by their own bytes.
    let shared = |window: Window| groups.iter().copied().find(|g| g.overlaps(window) && g.bytes <= LARGEST_SHARED);
    fields.iter().map(|f| own(f).map(|window| shared(window).unwrap_or_else(|| grow(window, low, high)))).collect()
}

fn merge_last(groups: &mut Vec<Window>) {
    while let [.., a, b] = groups[..] {
        if !a.overlaps(b) {
            return;
        }
        groups.truncate(groups.len() - 2);
        groups.push(a.covering(b));
    }
}

/// The smallest window of 1, 2, 4, 8 or 16 bytes around one, inside the bounds; the window itself if none fits.
fn grow(window: Window, low: u64, high: u64) -> Window {
    let bytes = window.bytes.next_power_of_two();
    if bytes > 16 || high - low.min(high) < bytes {
        return window;
    }
    let start = window.start.min(high - bytes).max(low.min(high));
    let grown = Window { start, bytes };
    if grown.start <= window.start && grown.end() >= window.end() { grown } else { window }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(offset: u64, start: u32, width: u32) -> Field {
        Field {
            name: None,
            ty: plumb_c::types::TypeTable::INT.into(),
            offset,
            bits: Some(BitRange { start, width }),
            align: 4,
            span: plumb_c::source::Span::NONE,
        }
    }

    #[test]
    fn fields_that_share_bytes_share_a_window() {
        let fields = [field(0, 0, 3), field(0, 3, 9), field(0, 12, 20), field(4, 0, 8)];
        let windows = run_windows(&fields, 0, 8);
        assert_eq!(windows[0], Some(Window { start: 0, bytes: 4 }));
        assert_eq!(windows[0], windows[2]);
        assert_eq!(windows[3], Some(Window { start: 4, bytes: 1 }));
    }

    #[test]
    fn fields_that_chain_over_many_bytes_have_windows_of_their_own() {
        let fields: Vec<Field> = (0..20).map(|i| field(i * 12 / 8, (i * 12 % 8) as u32, 12)).collect();
        let windows = run_windows(&fields, 0, 30);
        assert!(windows.iter().all(|w| w.is_some_and(|w| w.bytes <= 2)), "{windows:?}");
    }

    #[test]
    fn an_odd_group_grows_into_padding_but_not_into_a_member() {
        let fields = [field(0, 0, 24)];
        assert_eq!(run_windows(&fields, 0, 4)[0], Some(Window { start: 0, bytes: 4 }));
        assert_eq!(run_windows(&fields, 0, 3)[0], Some(Window { start: 0, bytes: 3 }));
    }
}
