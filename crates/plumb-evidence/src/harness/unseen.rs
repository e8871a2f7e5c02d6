//! Violations that the compiled program runs through: accesses and arithmetic that gcc drops or folds although a sanitizer
//! watches them, and accesses that reach another object.
//!
//! The text decides, since the automata do not tell what the program does with a value: a note too many is no harm.

use crate::replay::{Replay, Tape, compile};
use plumb_c::source::Span;
use plumb_exec::{CompileOptions, Limits, Machine, Object};
use plumb_ir::check::CheckKind;
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::fold::{Leaf, evaluate};
use plumb_ir::program::{ObjRef, Op, Program, VarRef};
use plumb_ir::ty::Bits;

/// What AddressSanitizer leaves free around an object at least.
const RED_ZONE: u64 = 16;

/// The same around allocated memory, as harnesses ask for it: the most that it can do.
pub(super) const HEAP_RED_ZONE: u64 = 2048;

pub(super) fn notes(program: &Program, replayed: &Replay) -> Vec<String> {
    let kind = program.check(replayed.check).kind;
    // Divisions, shifts and subscripts of arrays are watched even where nothing uses them.
    if !matches!(kind, CheckKind::Pointer | CheckKind::SignedOverflow) {
        return Vec::new();
    }
    let site = replayed.reported_at;
    let span = program.function(site.func).edge(site.edge).span;
    let place = program.sources.place(span).map_or(String::new(), |place| format!(" at {}:{}", place.file, place.line));
    let whole = program.full_expressions_at(span).first().copied().unwrap_or(span);
    let mut notes = Vec::new();
    if is_discarded(program, whole) {
        notes.push(format!("the harness cannot keep gcc from dropping the expression{place}, whose value is not used"));
    } else if kind == CheckKind::SignedOverflow && may_be_folded(program.sources.text(whole)) {
        notes.push(format!("the harness cannot keep gcc from folding the arithmetic{place} as if nothing overflowed"));
    }
    if kind == CheckKind::Pointer && reaches_far(program, replayed).unwrap_or(false) {
        notes.push(format!(
            "the harness cannot keep the access{place} out of other objects, where no sanitizer sees it"
        ));
    }
    notes
}

/// Whether a full expression is a statement without an effect.
fn is_discarded(program: &Program, whole: Span) -> bool {
    let Some(unit) = program.sources.unit_of(whole.start) else { return false };
    let (start, end) = ((whole.start - unit.base()) as usize, (whole.end - unit.base()) as usize);
    let (Some(before), Some(text), Some(after)) =
        (unit.text.get(..start), unit.text.get(start..end), unit.text.get(end..))
    else {
        return false;
    };
    let ends = text.trim_end().ends_with(';') || after.trim_start().starts_with(';');
    let is_statement = ends && before.trim_end().ends_with([';', '{', '}', ')', ':']);
    let tokens = tokens(text);
    let assigns = |token: &&str| {
        matches!(*token, "++" | "--") || (token.ends_with('=') && !matches!(*token, "==" | "!=" | "<=" | ">="))
    };
    let calls = tokens.windows(2).any(|pair| is_word(pair[0]) && pair[0] != "sizeof" && pair[1] == "(");
    let returns = tokens.first() == Some(&"return");
    is_statement && !returns && !tokens.iter().any(assigns) && !calls
}

/// Whether gcc may combine arithmetic with the operator around it: a comparison, or arithmetic with the same operand or
/// another constant.
fn may_be_folded(text: &str) -> bool {
    let tokens = tokens(text);
    let count = |operators: &[&str]| tokens.iter().filter(|token| operators.contains(token)).count();
    let is_number = |token: &&str| token.starts_with(|c: char| c.is_ascii_digit());
    let words: Vec<&str> = tokens.iter().copied().filter(|token| is_word(token)).collect();
    let repeats = (1..words.len()).any(|i| words[..i].contains(&words[i]));
    let compares = count(&["<", ">", "<=", ">=", "==", "!="]) > 0;
    let computes = count(&["+", "-", "*", "&", "|", "^"]);
    computes + usize::from(compares) > 1 && computes > 0 && (repeats || tokens.iter().any(is_number))
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Words and operators of C text.
fn tokens(text: &str) -> Vec<&str> {
    const LONG: [&str; 21] = [
        "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
        "%=", "&=", "|=",
    ];
    let mut rest = text.trim_start();
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let size = if in_word(first) {
            rest.find(|c| !in_word(c)).unwrap_or(rest.len())
        } else {
            LONG.iter().find(|long| rest.starts_with(**long)).map_or(first.len_utf8(), |long| long.len())
        };
        found.push(&rest[..size]);
        rest = rest[size..].trim_start();
    }
    found
}

/// Whether the address that breaks a pointer check lies further from the objects beside it than a sanitizer looks.
/// `None` where it is not known.
fn reaches_far(program: &Program, replayed: &Replay) -> Option<bool> {
    let function = program.function(replayed.site.func);
    let Op::Check { cond, .. } = function.edge(replayed.site.edge).op else { return None };
    let addr = accessed(&function.exprs, cond)?;
    let image = compile(program, &CompileOptions::default()).ok()?;
    let mut machine = Machine::new(image.clone());
    machine.run(&mut Tape::new(&replayed.inputs), Limits::steps(replayed.steps.saturating_add(1)));
    let value = address(program, replayed, &mut machine, addr)?;
    let mut objects: Vec<Object> = program.objects.keys().map(|id| image.addresses().object(id)).collect();
    objects.extend(function.objects.keys().filter_map(|object| machine.local_object(object)));
    // Those of other calls.
    let depths = 0..machine.call_depth();
    objects.extend(
        depths
            .flat_map(|depth| (0..64).map(move |i| (depth, i)))
            .filter_map(|(depth, i)| machine.object_of(depth, plumb_ir::program::LocalObj(i))),
    );
    let distance = |object: &Object| match value {
        _ if value < object.base => object.base - value,
        _ => (value + 1).saturating_sub(object.end()),
    };
    let near = |objects: &mut dyn Iterator<Item = &Object>| objects.map(distance).min();
    let allocated: Vec<Object> = machine.heap_objects().collect();
    let named = near(&mut objects.iter()).map(|distance| (distance, RED_ZONE));
    let (nearest, zone) = named.into_iter().chain(near(&mut allocated.iter()).map(|d| (d, HEAP_RED_ZONE))).min()?;
    // What is further away is near none: it was freed, or is an address of nothing.
    let furthest = if program.target.pointer_bits() == 64 { 0x1_0000 } else { 0x1000 };
    Some((zone + 1..furthest).contains(&nearest))
}

/// The address that a condition asks about.
fn accessed(exprs: &plumb_ir::expr::Exprs, cond: ExprId) -> Option<ExprId> {
    let mut open = vec![cond];
    while let Some(id) = open.pop() {
        match exprs.kind(id) {
            ExprKind::InBounds { addr, .. } => return Some(addr),
            kind => open.extend(kind.operands()),
        }
    }
    None
}

fn address(program: &Program, replayed: &Replay, machine: &mut Machine, id: ExprId) -> Option<u64> {
    let function = program.function(replayed.site.func);
    let image = compile(program, &CompileOptions::default()).ok()?;
    let value = evaluate(&function.exprs, id, &program.target, &mut |leaf| match leaf {
        Leaf::Var(VarRef::Local(var)) => machine.local(var),
        Leaf::Var(VarRef::Global(var)) => Some(machine.global(var)),
        Leaf::Addr(ObjRef::Global(object)) => Some(Bits::new(image.addresses().object(object).base.into(), 64)),
        Leaf::Addr(ObjRef::Local(object)) => Some(Bits::new(machine.local_object(object)?.base.into(), 64)),
        Leaf::Function(function) => Some(Bits::new(image.addresses().function_address(function).into(), 64)),
        Leaf::Load(at, ty) => {
            let mut bytes = [0; 16];
            machine.read_memory(at.u64(), &mut bytes[..ty.bytes(&program.target) as usize]).ok()?;
            Some(Bits::new(u128::from_le_bytes(bytes), 128))
        }
    });
    value.map(|bits| bits.u64())
}
