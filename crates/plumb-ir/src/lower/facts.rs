//! What must be known of a function's body before its first edge is laid, found in one walk.
//!
//! * Which expressions have side effects: an operand evaluated before such an expression has to be saved.
//! * Which `&&`, `||` and `?:` may be evaluated without control flow, because what C evaluates conditionally is small
//!   and can do no harm.
//! * Which locals a jump can bring to life without passing their declaration, into whose blocks it can lead, and how many
//!   objects that end with their block and calls of cleanup functions are still to come at each label. All are read off
//!   the tree of declarations: each one's parent is the declaration before it that is in scope with it. A local that ends
//!   with its block is there twice, at the start of the block and at its declaration.

use crate::index::TiVec;
use plumb_c::hir::{Block, Body, Builtin, Callee, Expr, ExprKind, Initializer, LabelId, LocalId, Stmt, StmtKind};
use rustc_hash::FxHashSet;

/// Conditional operands larger than this get control flow even if they are harmless.
const SMALL: u32 = 40;

#[derive(Clone, Copy, Default)]
struct Summary {
    effect: bool,
    /// Reads memory, divides, or has an effect.
    harmful: bool,
    size: u32,
}

impl Summary {
    fn join(self, other: Summary) -> Summary {
        Summary {
            effect: self.effect || other.effect,
            harmful: self.harmful || other.harmful,
            size: self.size.saturating_add(other.size),
        }
    }

    fn harmful(self) -> Summary {
        Summary { harmful: true, ..self }
    }

    fn effect(self) -> Summary {
        Summary { effect: true, harmful: true, ..self }
    }
}

/// What a local is to the walk.
#[derive(Clone, Copy)]
pub(super) struct LocalKind {
    pub(super) is_register: bool,
    pub(super) is_vla: bool,
    /// It is to live no longer than its block, if no jump leads into that.
    pub(super) is_scoped: bool,
}

/// A place in the tree of declarations; `None` is the root.
type Node = Option<u32>;

struct Declaration {
    parent: Node,
    depth: u32,
    what: Declared,
}

/// What comes to life at a place.
#[derive(Clone, Copy)]
enum Declared {
    /// A local, at the start of its block.
    Start(LocalId),
    /// A local, at its declaration.
    Local(LocalId),
    /// A cleanup function's call.
    Defer,
}

/// Expressions are distinguished by address: the tree does not move while a function is lowered.
#[derive(Default)]
pub(super) struct Facts {
    effects: FxHashSet<*const Expr>,
    flat: FxHashSet<*const Expr>,
    /// By local: a jump may skip its declaration.
    pub(super) skipped: TiVec<LocalId, bool>,
    /// By local: it is allocated at the start of its block and freed on every path out of it.
    pub(super) scoped: TiVec<LocalId, bool>,
    /// By label: variable-length arrays, scoped locals and calls of cleanup functions that are still to end there.
    pub(super) label_endings: TiVec<LabelId, u32>,
    /// A jump leads past the declaration of a variable with a cleanup function into its scope.
    pub(super) enters_cleanup: bool,
    /// By local: the body mentions it.
    pub(super) mentioned: TiVec<LocalId, bool>,
}

impl Facts {
    pub(super) fn new(
        body: &Body,
        locals: TiVec<LocalId, LocalKind>,
        is_global_register: impl Fn(&Expr) -> bool,
    ) -> Facts {
        let mut walk = Walk {
            facts: Facts {
                skipped: vec![false; body.locals.len()].into(),
                scoped: locals.iter().map(|l| l.is_scoped).collect(),
                label_endings: vec![0; body.labels.len()].into(),
                mentioned: vec![false; body.locals.len()].into(),
                ..Facts::default()
            },
            locals,
            is_global_register: &is_global_register,
            declarations: Vec::new(),
            at: None,
            switches: Vec::new(),
            label_nodes: vec![None; body.labels.len()].into(),
            gotos: Vec::new(),
            computed: Vec::new(),
        };
        walk.block(&body.block);
        walk.match_gotos(body);
        walk.count_alive();
        walk.facts
    }

    pub(super) fn has_effect(&self, e: &Expr) -> bool {
        self.effects.contains(&std::ptr::from_ref(e))
    }

    /// Whether a `&&`, `||` or `?:` can be an expression of its own.
    pub(super) fn is_flat(&self, e: &Expr) -> bool {
        self.flat.contains(&std::ptr::from_ref(e))
    }
}

struct Walk<'f> {
    facts: Facts,
    locals: TiVec<LocalId, LocalKind>,
    is_global_register: &'f dyn Fn(&Expr) -> bool,
    declarations: Vec<Declaration>,
    at: Node,
    /// Where each enclosing `switch` jumps from.
    switches: Vec<Node>,
    label_nodes: TiVec<LabelId, Node>,
    gotos: Vec<(Node, LabelId)>,
    computed: Vec<Node>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) -> Summary {
        let outside = self.at;
        self.start(&block.locals);
        let summary = block.stmts.iter().fold(Summary::default(), |sum, s| sum.join(self.stmt(s)));
        self.at = outside;
        summary
    }

    /// A scope starts.
    fn start(&mut self, locals: &[LocalId]) {
        for &local in locals {
            if self.locals[local].is_scoped {
                self.declare(Declared::Start(local));
            }
        }
    }

    fn declare(&mut self, what: Declared) {
        let depth = self.at.map_or(0, |n| self.declarations[n as usize].depth);
        self.declarations.push(Declaration { parent: self.at, depth: depth + 1, what });
        self.at = Some(self.declarations.len() as u32 - 1);
    }

    fn stmt(&mut self, stmt: &Stmt) -> Summary {
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue => Summary::default(),
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Declare { local, init } => {
                self.declare(Declared::Local(*local));
                init.as_ref().map_or(Summary::default(), |i| self.initializer(i))
            }
            StmtKind::Defer(call) => {
                self.declare(Declared::Defer);
                self.expr(call)
            }
            StmtKind::VlaSize { len, .. } => self.expr(len),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { cond, then, otherwise } => {
                let sum = self.expr(cond).join(self.inner(then));
                otherwise.as_ref().map_or(sum, |o| sum.join(self.inner(o)))
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => self.expr(cond).join(self.inner(body)),
            StmtKind::For { init, cond, step, body, scope } => {
                let outside = self.at;
                self.start(scope);
                let mut sum = init.iter().fold(Summary::default(), |sum, s| sum.join(self.stmt(s)));
                for e in [cond, step].into_iter().flatten() {
                    sum = sum.join(self.expr(e));
                }
                sum = sum.join(self.inner(body));
                self.at = outside;
                sum
            }
            StmtKind::Switch { value, body } => {
                let sum = self.expr(value);
                self.switches.push(self.at);
                let sum = sum.join(self.inner(body));
                self.switches.pop();
                sum
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } => {
                if let Some(&from) = self.switches.last() {
                    self.skip(from, self.at);
                }
                self.stmt(body)
            }
            StmtKind::Label { label, body } => {
                self.label_nodes[*label] = self.at;
                self.stmt(body)
            }
            StmtKind::Goto(label) => {
                self.gotos.push((self.at, *label));
                Summary::default()
            }
            StmtKind::GotoComputed(target) => {
                self.computed.push(self.at);
                self.expr(target)
            }
            StmtKind::Return(value) => value.as_ref().map_or(Summary::default(), |e| self.expr(e)),
            StmtKind::Asm(asm) => {
                for label in &asm.labels {
                    self.gotos.push((self.at, *label));
                }
                asm.outputs.iter().chain(&asm.inputs).fold(Summary::default(), |sum, e| sum.join(self.expr(e))).effect()
            }
        }
    }

    /// A statement with a scope of its own.
    fn inner(&mut self, stmt: &Stmt) -> Summary {
        let outside = self.at;
        let summary = self.stmt(stmt);
        self.at = outside;
        summary
    }

    fn initializer(&mut self, init: &Initializer) -> Summary {
        init.parts.iter().fold(Summary::default(), |sum, part| sum.join(self.expr(&part.value)))
    }

    fn expr(&mut self, e: &Expr) -> Summary {
        let mut sum = self.children(e);
        sum.size = sum.size.saturating_add(1);
        if sum.effect {
            self.facts.effects.insert(std::ptr::from_ref(e));
        }
        sum
    }

    fn children(&mut self, e: &Expr) -> Summary {
        match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Global(_)
            | ExprKind::Func(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::SizeofVla(_) => Summary::default(),
            ExprKind::Local(local) => {
                self.facts.mentioned[*local] = true;
                Summary::default()
            }
            ExprKind::CompoundLiteral { init, .. } => self.initializer(init).effect(),
            ExprKind::Load(place) => {
                let sum = self.expr(place);
                if self.is_register(place) { sum } else { sum.harmful() }
            }
            // A member of a record value is read without a `Load` node.
            ExprKind::Member { base, .. } => {
                let sum = self.expr(base);
                if matches!(
                    base.kind,
                    ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Deref(_) | ExprKind::Member { .. }
                ) {
                    sum
                } else {
                    sum.harmful()
                }
            }
            ExprKind::Deref(a)
            | ExprKind::AddrOf(a)
            | ExprKind::Decay(a)
            | ExprKind::Cast { value: a, .. }
            | ExprKind::Neg(a)
            | ExprKind::BitNot(a)
            | ExprKind::Not(a) => self.expr(a),
            ExprKind::Binary(op, a, b) => {
                let sum = self.expr(a).join(self.expr(b));
                if matches!(op, plumb_c::hir::BinaryOp::Div | plumb_c::hir::BinaryOp::Rem) {
                    sum.harmful()
                } else {
                    sum
                }
            }
            ExprKind::PtrAdd { pointer: a, index: b, .. } | ExprKind::PtrDiff(a, b) | ExprKind::Comma(a, b) => {
                self.expr(a).join(self.expr(b))
            }
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => {
                let first = self.expr(a);
                let second = self.expr(b);
                self.note_flat(e, a, second);
                first.join(second)
            }
            ExprKind::Cond { cond, then, otherwise, .. } => {
                let first = self.expr(cond);
                let mut arms = self.expr(otherwise);
                if let Some(then) = then {
                    arms = arms.join(self.expr(then));
                    self.note_flat(e, cond, arms);
                }
                first.join(arms)
            }
            ExprKind::Assign { target: a, value: b } | ExprKind::CompoundAssign { target: a, value: b, .. } => {
                self.expr(a).join(self.expr(b)).effect()
            }
            ExprKind::IncDec { target, .. } | ExprKind::VaArg { list: target } => self.expr(target).effect(),
            ExprKind::Call { callee, args } => {
                let first = match callee {
                    Callee::Direct(_) => Summary::default(),
                    Callee::Pointer(p) => self.expr(p),
                };
                args.iter().fold(first, |sum, a| sum.join(self.expr(a))).effect()
            }
            ExprKind::Builtin { op, args } => {
                let sum = args.iter().fold(Summary::default(), |sum, a| sum.join(self.expr(a)));
                if builtin_has_effect(*op) { sum.effect() } else { sum }
            }
            ExprKind::StmtExpr(block) => self.block(block).effect(),
        }
    }

    fn note_flat(&mut self, e: &Expr, first: &Expr, conditional: Summary) {
        if !conditional.harmful && conditional.size <= SMALL && !self.branches(first) {
            self.facts.flat.insert(std::ptr::from_ref(e));
        }
    }

    /// The operand is control flow by itself, which the operator around it had better join.
    fn branches(&self, mut e: &Expr) -> bool {
        while let ExprKind::Not(inner) | ExprKind::Cast { value: inner, .. } = &e.kind {
            e = inner;
        }
        matches!(e.kind, ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..)) && !self.facts.is_flat(e)
    }

    fn is_register(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Local(local) => self.locals[*local].is_register,
            ExprKind::Global(_) => (self.is_global_register)(place),
            _ => false,
        }
    }

    fn match_gotos(&mut self, body: &Body) {
        for (from, label) in std::mem::take(&mut self.gotos) {
            self.skip(from, self.label_nodes[label]);
        }
        for from in std::mem::take(&mut self.computed) {
            for (label, _) in body.labels.iter_enumerated().filter(|(_, l)| l.address_taken) {
                self.skip(from, self.label_nodes[label]);
            }
        }
    }

    /// Counts what is alive at labels, now that it is known which locals are scoped.
    fn count_alive(&mut self) {
        let mut alive: Vec<u32> = Vec::with_capacity(self.declarations.len());
        for node in &self.declarations {
            let counts = match node.what {
                Declared::Start(local) => self.facts.scoped[local],
                Declared::Local(local) => self.locals[local].is_vla,
                Declared::Defer => true,
            };
            alive.push(node.parent.map_or(0, |p| alive[p as usize]) + counts as u32);
        }
        for (label, node) in self.label_nodes.iter_enumerated() {
            self.facts.label_endings[label] = node.map_or(0, |n| alive[n as usize]);
        }
    }

    /// A jump from one place to another passes by the declarations that are in scope at the second only.
    fn skip(&mut self, mut from: Node, mut to: Node) {
        let depth = |walk: &Self, n: Node| n.map_or(0, |n| walk.declarations[n as usize].depth);
        let parent = |walk: &Self, n: Node| n.and_then(|n| walk.declarations[n as usize].parent);
        while from != to {
            if depth(self, to) >= depth(self, from) {
                if let Some(n) = to {
                    match self.declarations[n as usize].what {
                        Declared::Start(local) => self.facts.scoped[local] = false,
                        Declared::Local(local) => self.facts.skipped[local] = true,
                        Declared::Defer => self.facts.enters_cleanup = true,
                    }
                }
                to = parent(self, to);
            } else {
                from = parent(self, from);
            }
        }
    }
}

fn builtin_has_effect(op: Builtin) -> bool {
    match op {
        Builtin::Unreachable
        | Builtin::Trap
        | Builtin::AddOverflow
        | Builtin::SubOverflow
        | Builtin::MulOverflow
        | Builtin::Alloca
        | Builtin::VaStart
        | Builtin::VaEnd
        | Builtin::VaCopy
        | Builtin::ConstantP
        | Builtin::ReturnAddress
        | Builtin::FrameAddress
        | Builtin::Atomic(_) => true,
        Builtin::Expect
        | Builtin::Clz
        | Builtin::Ctz
        | Builtin::Ffs
        | Builtin::Popcount
        | Builtin::Parity
        | Builtin::Clrsb
        | Builtin::Bswap
        | Builtin::IsNan
        | Builtin::IsInf
        | Builtin::IsInfSign
        | Builtin::IsFinite
        | Builtin::IsNormal
        | Builtin::SignBit
        | Builtin::IsGreater
        | Builtin::IsGreaterEqual
        | Builtin::IsLess
        | Builtin::IsLessEqual
        | Builtin::IsLessGreater
        | Builtin::IsUnordered
        | Builtin::Fabs
        | Builtin::Sqrt
        | Builtin::Floor
        | Builtin::Ceil
        | Builtin::Trunc
        | Builtin::Round
        | Builtin::Rint
        | Builtin::Fmod
        | Builtin::Fmin
        | Builtin::Fmax
        | Builtin::Copysign
        | Builtin::Remainder
        | Builtin::Fma
        | Builtin::Prefetch => false,
    }
}
