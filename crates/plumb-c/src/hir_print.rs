//! The typed program as a tree for people: one [`Node`] per declaration, statement and expression, drawn as indented
//! text or as JSON.

use crate::hir::{
    AddressBase, AssignOp, AtomicOp, Block, Body, Builtin, Callee, Expr, ExprKind, Function, Global, GlobalInit,
    Initializer, LabelId, LocalId, Program, StaticValue, Stmt, StmtKind,
};
use crate::sema::operators::operator_text;
use crate::source::{Place, Span};
use crate::types::QualTy;
use serde::Serialize;

/// A line of the drawing and what hangs under it.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub kind: &'static str,
    /// Names, operators and values.
    pub detail: String,
    /// The C type, where there is one.
    pub ty: Option<String>,
    pub span: Span,
    pub children: Vec<Node>,
}

/// The whole program, or the functions of one name.
pub fn tree(program: &Program, only: Option<&str>, with_library: bool) -> Vec<Node> {
    let mut nodes = Vec::new();
    let shown = |name| only.is_none_or(|o| program.names.text(name) == o);
    if only.is_none() {
        nodes.extend(
            program.globals.iter().filter(|g| with_library || !is_library(program, g)).map(|g| global(program, g)),
        );
    }
    for function in &program.functions {
        if shown(function.name) && (with_library || !function.is_library) {
            nodes.push(Printer { program, body: function.body.as_ref() }.function(function));
        }
    }
    nodes
}

fn is_library(program: &Program, global: &Global) -> bool {
    program.sources.place(global.span).is_some_and(|p| p.file.starts_with("<library>"))
}

/// Two spaces of indentation per level.
pub fn text(nodes: &[Node], program: &Program) -> String {
    let mut out = String::new();
    for node in nodes {
        draw(node, 0, program, &mut out);
    }
    out
}

fn draw(node: &Node, depth: usize, program: &Program, out: &mut String) {
    for _ in 0..depth {
        out.push_str("  ");
    }
    out.push_str(node.kind);
    if !node.detail.is_empty() {
        out.push(' ');
        out.push_str(&node.detail);
    }
    if let Some(ty) = &node.ty {
        out.push_str(" : ");
        out.push_str(ty);
    }
    if depth == 0
        && let Some(place) = program.sources.place(node.span)
    {
        out.push_str(&format!("  [{place}]"));
    }
    out.push('\n');
    for child in &node.children {
        draw(child, depth + 1, program, out);
    }
}

/// A node, as JSON has it.
#[derive(Serialize)]
pub struct NodeDoc<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    detail: &'a str,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    ty: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<NodeDoc<'a>>,
}

/// Trees as JSON has them.
pub fn documents<'a>(nodes: &'a [Node], program: &Program) -> Vec<NodeDoc<'a>> {
    let document = |node: &'a Node| NodeDoc {
        kind: node.kind,
        detail: &node.detail,
        ty: node.ty.as_deref(),
        place: program.sources.place(node.span),
        children: documents(&node.children, program),
    };
    nodes.iter().map(document).collect()
}

fn node(kind: &'static str, detail: impl Into<String>, children: Vec<Node>) -> Node {
    Node { kind, detail: detail.into(), ty: None, span: Span::NONE, children }
}

fn global(program: &Program, global: &Global) -> Node {
    let children = match &global.init {
        GlobalInit::Extern | GlobalInit::Zero => Vec::new(),
        GlobalInit::Data(parts) => parts
            .iter()
            .map(|p| node("at", format!("{} {}", p.offset, static_value(program, &p.value)), vec![]))
            .collect(),
    };
    let linkage = match (&global.init, global.is_static) {
        (GlobalInit::Extern, _) => "extern",
        (_, true) => "static",
        (_, false) => "global",
    };
    Node {
        kind: linkage,
        detail: program.names.text(global.name).to_string(),
        ty: Some(program.types.show(global.ty, &program.names)),
        span: global.span,
        children,
    }
}

fn static_value(program: &Program, value: &StaticValue) -> String {
    match value {
        StaticValue::Int { value, bytes } => format!("= {value} ({bytes} bytes)"),
        StaticValue::Bits { value, range } => {
            format!("= {value} (bits {}..{})", range.start, range.start + range.width)
        }
        StaticValue::Bytes(bytes) => format!("= \"{}\"", bytes.escape_ascii()),
        StaticValue::Address { base, offset } => {
            let base = match base {
                AddressBase::Global(id) => program.names.text(program.global(*id).name).to_string(),
                AddressBase::Function(id) => program.names.text(program.function(*id).name).to_string(),
                AddressBase::Label(function, label) => {
                    let body = program.function(*function).body.as_ref();
                    let label = body.and_then(|b| b.labels.get(*label));
                    format!("&{}", label.map_or("?", |l| program.names.text(l.name)))
                }
            };
            if *offset == 0 { format!("= &{base}") } else { format!("= &{base} {offset:+}") }
        }
    }
}

/// Draws one function, whose locals and labels are in `body`.
struct Printer<'a> {
    program: &'a Program,
    body: Option<&'a Body>,
}

impl Printer<'_> {
    fn show(&self, ty: QualTy) -> Option<String> {
        Some(self.program.types.show(ty, &self.program.names))
    }

    fn local(&self, id: LocalId) -> String {
        match self.body.and_then(|b| b.locals.get(id)).and_then(|l| l.name) {
            Some(name) => self.program.names.text(name).to_string(),
            None => format!("%{}", id.0),
        }
    }

    fn label(&self, id: LabelId) -> String {
        match self.body.and_then(|b| b.labels.get(id)) {
            Some(label) => self.program.names.text(label.name).to_string(),
            None => format!("%{}", id.0),
        }
    }

    fn function(&self, function: &Function) -> Node {
        let mut children = Vec::new();
        let mut detail = self.program.names.text(function.name).to_string();
        if let Some(body) = &function.body {
            for local in &body.locals.raw[..body.param_count] {
                let name = local.name.map_or("", |n| self.program.names.text(n));
                children.push(Node { ty: self.show(local.ty), ..node("parameter", name, vec![]) });
            }
            children.extend(body.block.stmts.iter().map(|s| self.stmt(s)));
        } else if let Some(model) = function.model {
            detail.push_str(&format!(" (model {})", self.program.names.text(self.program.function(model).name)));
        }
        let kind = match (&function.body, function.is_static) {
            (None, _) => "declared-function",
            (Some(_), true) => "static-function",
            (Some(_), false) => "function",
        };
        Node { ty: self.show(function.ty.into()), span: function.span, ..node(kind, detail, children) }
    }

    fn block(&self, block: &Block) -> Node {
        node("block", "", block.stmts.iter().map(|s| self.stmt(s)).collect())
    }

    fn stmt(&self, stmt: &Stmt) -> Node {
        let part = |label: &'static str, child: Node| node(label, "", vec![child]);
        let mut result = match &stmt.kind {
            StmtKind::Empty => node("empty", "", vec![]),
            StmtKind::Expr(e) => node("expr", "", vec![self.expr(e)]),
            StmtKind::Declare { local, init } => {
                let ty = self.body.and_then(|b| b.locals.get(*local)).and_then(|l| self.show(l.ty));
                let children = init.iter().flat_map(|i| self.initializer(i)).collect();
                Node { ty, ..node("declare", self.local(*local), children) }
            }
            StmtKind::Defer(call) => node("defer", "", vec![self.expr(call)]),
            StmtKind::VlaSize { local, len } => node("vla-size", self.local(*local), vec![self.expr(len)]),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { cond, then, otherwise } => {
                let mut children = vec![self.expr(cond), part("then", self.stmt(then))];
                children.extend(otherwise.iter().map(|s| part("else", self.stmt(s))));
                node("if", "", children)
            }
            StmtKind::While { cond, body } => node("while", "", vec![self.expr(cond), part("do", self.stmt(body))]),
            StmtKind::DoWhile { body, cond } => node("do", "", vec![self.stmt(body), part("while", self.expr(cond))]),
            StmtKind::For { init, cond, step, body, scope: _ } => {
                let mut children: Vec<Node> = init.iter().map(|s| part("init", self.stmt(s))).collect();
                children.extend(cond.iter().map(|e| part("while", self.expr(e))));
                children.extend(step.iter().map(|e| part("step", self.expr(e))));
                children.push(part("do", self.stmt(body)));
                node("for", "", children)
            }
            StmtKind::Switch { value, body } => node("switch", "", vec![self.expr(value), self.stmt(body)]),
            StmtKind::Case { low, high, body } if low == high => node("case", low.to_string(), vec![self.stmt(body)]),
            StmtKind::Case { low, high, body } => node("case", format!("{low} ... {high}"), vec![self.stmt(body)]),
            StmtKind::Default { body } => node("default", "", vec![self.stmt(body)]),
            StmtKind::Label { label, body } => node("label", self.label(*label), vec![self.stmt(body)]),
            StmtKind::Goto(label) => node("goto", self.label(*label), vec![]),
            StmtKind::GotoComputed(e) => node("goto-computed", "", vec![self.expr(e)]),
            StmtKind::Break => node("break", "", vec![]),
            StmtKind::Continue => node("continue", "", vec![]),
            StmtKind::Return(value) => node("return", "", value.iter().map(|e| self.expr(e)).collect()),
            StmtKind::Asm(asm) => {
                let outputs = asm.outputs.iter().map(|e| part("output", self.expr(e)));
                let inputs = asm.inputs.iter().map(|e| part("input", self.expr(e)));
                node("asm", format!("\"{}\"", asm.template.escape_ascii()), outputs.chain(inputs).collect())
            }
        };
        result.span = stmt.span;
        result
    }

    fn initializer(&self, init: &Initializer) -> Vec<Node> {
        let mut nodes: Vec<Node> = init
            .parts
            .iter()
            .map(|part| {
                let bits = part.bits.map_or(String::new(), |b| format!(" bits {}..{}", b.start, b.start + b.width));
                node("at", format!("{}{bits}", part.offset), vec![self.expr(&part.value)])
            })
            .collect();
        if init.zero_rest {
            nodes.push(node("rest-zero", "", vec![]));
        }
        nodes
    }

    fn exprs<'e>(&self, list: impl IntoIterator<Item = &'e Expr>) -> Vec<Node> {
        list.into_iter().map(|e| self.expr(e)).collect()
    }

    fn expr(&self, expr: &Expr) -> Node {
        let names = &self.program.names;
        let mut result = match &expr.kind {
            ExprKind::Int(value) => node("int", value.to_string(), vec![]),
            ExprKind::Float(bits) => node("float", format!("bits {bits:#x}"), vec![]),
            ExprKind::Local(id) => node("local", self.local(*id), vec![]),
            ExprKind::Global(id) => node("global", names.text(self.program.global(*id).name), vec![]),
            ExprKind::Func(id) => node("function", names.text(self.program.function(*id).name), vec![]),
            ExprKind::Deref(e) => node("deref", "", vec![self.expr(e)]),
            ExprKind::Member { base, field } => node("member", self.field(base, *field), vec![self.expr(base)]),
            ExprKind::CompoundLiteral { local, init } => {
                node("compound-literal", self.local(*local), self.initializer(init))
            }
            ExprKind::Load(e) => node("load", "", vec![self.expr(e)]),
            ExprKind::AddrOf(e) => node("address-of", "", vec![self.expr(e)]),
            ExprKind::Decay(e) => node("decay", "", vec![self.expr(e)]),
            ExprKind::Cast { kind, value, implicit } => {
                let how = if *implicit { "implicit " } else { "" };
                node("cast", format!("{how}{kind:?}"), vec![self.expr(value)])
            }
            ExprKind::Neg(e) => node("negate", "", vec![self.expr(e)]),
            ExprKind::BitNot(e) => node("complement", "", vec![self.expr(e)]),
            ExprKind::Not(e) => node("not", "", vec![self.expr(e)]),
            ExprKind::Binary(op, a, b) => node("binary", operator_text(*op), self.exprs([&**a, b])),
            ExprKind::PtrAdd { pointer, index, negate } => {
                node("pointer-step", if *negate { "-" } else { "+" }, self.exprs([&**pointer, index]))
            }
            ExprKind::PtrDiff(a, b) => node("pointer-difference", "", self.exprs([&**a, b])),
            ExprKind::LogicalAnd(a, b) => node("and", "", self.exprs([&**a, b])),
            ExprKind::LogicalOr(a, b) => node("or", "", self.exprs([&**a, b])),
            ExprKind::Cond { cond, then, otherwise, elvis_cast: _ } => {
                let children = [Some(&**cond), then.as_deref(), Some(otherwise)];
                node("conditional", "", self.exprs(children.into_iter().flatten()))
            }
            ExprKind::Comma(a, b) => node("comma", "", self.exprs([&**a, b])),
            ExprKind::Assign { target, value } => node("assign", "", self.exprs([&**target, value])),
            ExprKind::CompoundAssign { op, target, value, compute, compute_bits: _, into: _, back: _ } => {
                let op = match op {
                    AssignOp::Arith(op) => operator_text(*op),
                    AssignOp::PtrAdd { negate: false } => "+",
                    AssignOp::PtrAdd { negate: true } => "-",
                };
                let computed = self.program.types.show(*compute, names);
                node("compound-assign", format!("{op}= in {computed}"), self.exprs([&**target, value]))
            }
            ExprKind::IncDec { increment, prefix, target } => {
                let (op, place) = (if *increment { "++" } else { "--" }, if *prefix { "before" } else { "after" });
                node("step", format!("{op} {place}"), vec![self.expr(target)])
            }
            ExprKind::Call { callee: Callee::Direct(id), args } => {
                node("call", names.text(self.program.function(*id).name), self.exprs(args))
            }
            ExprKind::Call { callee: Callee::Pointer(pointer), args } => {
                node("call-pointer", "", self.exprs(std::iter::once(&**pointer).chain(args)))
            }
            ExprKind::Builtin { op, args } => node("builtin", builtin(*op), self.exprs(args)),
            ExprKind::StmtExpr(block) => node("statement-expression", "", vec![self.block(block)]),
            ExprKind::LabelAddr(label) => node("label-address", self.label(*label), vec![]),
            ExprKind::SizeofVla(ty) => node("sizeof", self.program.types.show(*ty, names), vec![]),
            ExprKind::VaArg { list } => node("va-arg", "", vec![self.expr(list)]),
        };
        result.ty = self.show(expr.ty);
        result.span = expr.span;
        result
    }

    fn field(&self, base: &Expr, field: u32) -> String {
        let record = self.program.types.record_id(base.ty.ty).map(|id| self.program.types.record(id));
        let name = record.and_then(|r| r.body.as_ref()).and_then(|b| b.fields.get(field as usize)).and_then(|f| f.name);
        match name {
            Some(name) => self.program.names.text(name).to_string(),
            None => format!("#{field}"),
        }
    }
}

fn builtin(op: Builtin) -> String {
    match op {
        Builtin::Atomic(AtomicOp::Fetch(op)) => format!("fetch-{}", operator_text(op)),
        Builtin::Atomic(AtomicOp::OpFetch(op)) => format!("{}-fetch", operator_text(op)),
        Builtin::Atomic(other) => format!("atomic {other:?}"),
        plain => format!("{plain:?}"),
    }
}
