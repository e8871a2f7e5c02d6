//! A compact form of syntax trees: declarators read from the name outwards, expressions as prefix lists.

use crate::ast::*;
use crate::names::{Name, Names};

pub(super) struct Show<'a>(pub &'a Names);

impl Show<'_> {
    fn name(&self, name: Name) -> &str {
        self.0.text(name)
    }

    pub fn unit(&self, unit: &TranslationUnit) -> String {
        self.list(&unit.items, "; ", |item| match item {
            Item::Function(f) => self.function(f),
            Item::Declaration(d) => self.declaration(d),
            Item::StaticAssert(a) => format!("assert {}", self.expr(&a.cond)),
            Item::Asm(_) => "asm".to_string(),
        })
    }

    fn list<T>(&self, items: &[T], separator: &str, show: impl Fn(&T) -> String) -> String {
        items.iter().map(show).collect::<Vec<_>>().join(separator)
    }

    fn function(&self, f: &FunctionDef) -> String {
        let params = self.list(&f.kr_params, "", |d| format!(" [{}]", self.declaration(d)));
        format!("def {} : {}{params} {}", self.declarator(&f.declarator), self.specs(&f.specs), self.block(&f.body))
    }

    fn declaration(&self, d: &Declaration) -> String {
        let specs = self.specs(&d.specs);
        if d.declarators.is_empty() {
            return specs;
        }
        let declarators = self.list(&d.declarators, ", ", |d| {
            let init = d.init.as_ref().map_or(String::new(), |i| format!(" = {}", self.init(i)));
            format!("{}{init}", self.declarator(&d.declarator))
        });
        format!("{declarators} : {specs}")
    }

    fn specs(&self, s: &DeclSpecs) -> String {
        let mut words: Vec<String> = s.storage.iter().map(|s| format!("{s:?}").to_lowercase()).collect();
        let flags = [(s.thread_local, "thread"), (s.inline, "inline"), (s.noreturn, "noreturn")];
        words.extend(flags.iter().filter(|f| f.0).map(|f| f.1.to_string()));
        words.extend(self.quals(&s.quals));
        words.push(match &s.ty {
            TypeSpec::Basic(basic) => format!("{basic:?}"),
            TypeSpec::Record(r) => self.record(r),
            TypeSpec::Enum(e) => self.enumeration(e),
            TypeSpec::Typedef(name) => self.name(*name).to_string(),
            TypeSpec::TypeofExpr(e) => format!("typeof {}", self.expr(e)),
            TypeSpec::TypeofType(t) => format!("typeof {}", self.type_name(t)),
            TypeSpec::Atomic(t) => format!("atomic({})", self.type_name(t)),
            TypeSpec::Auto => "auto_type".to_string(),
            TypeSpec::ImplicitInt => "implicit".to_string(),
        });
        for align in &s.align {
            words.push(match align {
                AlignSpec::Type(t) => format!("align({})", self.type_name(t)),
                AlignSpec::Expr(e) => format!("align({})", self.expr(e)),
            });
        }
        words.extend(self.attrs(&s.attrs));
        words.join(" ")
    }

    fn quals(&self, q: &Quals) -> Vec<String> {
        let flags =
            [(q.is_const, "const"), (q.is_volatile, "volatile"), (q.is_restrict, "restrict"), (q.is_atomic, "atomic")];
        flags.iter().filter(|f| f.0).map(|f| f.1.to_string()).collect()
    }

    fn attrs(&self, attrs: &[Attr]) -> Vec<String> {
        let show = |attr: &Attr| {
            let args = self.list(&attr.args, ",", |arg| match arg {
                AttrArg::Expr(e) => self.expr(e),
                AttrArg::Type(t) => self.type_name(t),
            });
            let name = self.name(attr.name);
            if attr.args.is_empty() { format!("@{name}") } else { format!("@{name}({args})") }
        };
        attrs.iter().map(show).collect()
    }

    fn record(&self, r: &RecordSpec) -> String {
        let mut words = vec![if r.is_union { "union" } else { "struct" }.to_string()];
        words.extend(r.tag.map(|t| self.name(t).to_string()));
        words.extend(r.fields.as_ref().map(|fields| {
            let fields = self.list(fields, "; ", |field| match field {
                FieldDecl::Field { specs, declarators, .. } => {
                    let names = self.list(declarators, ", ", |d| {
                        let bits = d.bits.as_ref().map_or(String::new(), |b| format!(" :{}", self.expr(b)));
                        let attrs = self.attrs(&d.attrs).iter().map(|a| format!(" {a}")).collect::<String>();
                        format!("{}{bits}{attrs}", self.declarator(&d.declarator))
                    });
                    format!("{names} : {}", self.specs(specs))
                }
                FieldDecl::StaticAssert(a) => format!("assert {}", self.expr(&a.cond)),
            });
            format!("{{{fields}}}")
        }));
        words.extend(self.attrs(&r.attrs));
        words.join(" ")
    }

    fn enumeration(&self, e: &EnumSpec) -> String {
        let mut words = vec!["enum".to_string()];
        words.extend(e.tag.map(|t| self.name(t).to_string()));
        words.extend(e.variants.as_ref().map(|variants| {
            let variants = self.list(variants, ",", |v| match &v.value {
                Some(value) => format!("{}={}", self.name(v.name), self.expr(value)),
                None => self.name(v.name).to_string(),
            });
            format!("{{{variants}}}")
        }));
        words.extend(self.attrs(&e.attrs));
        words.join(" ")
    }

    fn declarator(&self, d: &Declarator) -> String {
        let mut text = d.name.map_or("_".to_string(), |n| self.name(n).to_string());
        for part in &d.parts {
            match part {
                DeclaratorPart::Pointer { quals, attrs } => {
                    let words = [self.quals(quals), self.attrs(attrs)].concat();
                    text += &format!(" *{}", words.join(" "));
                }
                DeclaratorPart::Array { quals, is_static, size } => {
                    let mut words = self.quals(quals);
                    words.extend(is_static.then(|| "static".to_string()));
                    words.extend(match size {
                        ArraySize::Unspecified => None,
                        ArraySize::Star => Some("*".to_string()),
                        ArraySize::Expr(e) => Some(self.expr(e)),
                    });
                    text += &format!(" [{}]", words.join(" "));
                }
                DeclaratorPart::Function(params) => text += &format!(" ({})", self.params(params)),
            }
        }
        if let Some(label) = &d.asm_label {
            text += &format!(" asm {}", String::from_utf8_lossy(label));
        }
        for attr in self.attrs(&d.attrs) {
            text += &format!(" {attr}");
        }
        text
    }

    fn params(&self, params: &Params) -> String {
        match params {
            Params::Prototype { params, variadic } => {
                let mut shown: Vec<String> = params
                    .iter()
                    .map(|p| format!("{} : {}", self.declarator(&p.declarator), self.specs(&p.specs)))
                    .collect();
                shown.extend(variadic.then(|| "...".to_string()));
                if shown.is_empty() { "void".to_string() } else { shown.join(", ") }
            }
            Params::Identifiers(names) => self.list(names, ",", |&(n, _)| self.name(n).to_string()),
        }
    }

    fn type_name(&self, t: &TypeName) -> String {
        match t.declarator.parts.is_empty() {
            true => self.specs(&t.specs),
            false => format!("{} : {}", self.declarator(&t.declarator), self.specs(&t.specs)),
        }
    }

    fn init(&self, init: &Init) -> String {
        match init {
            Init::Expr(e) => self.expr(e),
            Init::List(list) => self.init_list(list),
        }
    }

    fn init_list(&self, list: &InitList) -> String {
        let items = self.list(&list.items, ", ", |item| {
            let designators = self.list(&item.designators, "", |d| match d {
                Designator::Field(name, _) => format!(".{}", self.name(*name)),
                Designator::Index(e) => format!("[{}]", self.expr(e)),
                Designator::Range(a, b) => format!("[{}..{}]", self.expr(a), self.expr(b)),
            });
            let equals = if designators.is_empty() { "" } else { "=" };
            format!("{designators}{equals}{}", self.init(&item.value))
        });
        format!("{{{items}}}")
    }

    fn block(&self, block: &Block) -> String {
        let items = self.list(&block.items, "; ", |item| match item {
            BlockItem::Declaration(d) => self.declaration(d),
            BlockItem::Statement(s) => self.stmt(s),
            BlockItem::StaticAssert(a) => format!("assert {}", self.expr(&a.cond)),
            BlockItem::LocalLabels(names) => format!("labels {}", self.list(names, ",", |n| self.name(n.0).into())),
            BlockItem::NestedFunction(f) => self.function(f),
        });
        format!("{{{items}}}")
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        let optional = |e: &Option<Expr>| e.as_ref().map_or(String::new(), |e| self.expr(e));
        match &stmt.kind {
            StmtKind::Empty => "empty".to_string(),
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If { cond, then, otherwise } => {
                let otherwise = otherwise.as_ref().map_or(String::new(), |s| format!(" else {}", self.stmt(s)));
                format!("if {} {}{otherwise}", self.expr(cond), self.stmt(then))
            }
            StmtKind::While { cond, body } => format!("while {} {}", self.expr(cond), self.stmt(body)),
            StmtKind::DoWhile { body, cond } => format!("do {} while {}", self.stmt(body), self.expr(cond)),
            StmtKind::For { init, cond, step, body } => {
                let init = match init {
                    ForInit::None => String::new(),
                    ForInit::Expr(e) => self.expr(e),
                    ForInit::Declaration(d) => self.declaration(d),
                };
                format!("for <{init}|{}|{}> {}", optional(cond), optional(step), self.stmt(body))
            }
            StmtKind::Switch { value, body } => format!("switch {} {}", self.expr(value), self.stmt(body)),
            StmtKind::Case { low, high, body } => {
                let high = high.as_ref().map_or(String::new(), |h| format!("..{}", self.expr(h)));
                format!("case {}{high}: {}", self.expr(low), self.stmt(body))
            }
            StmtKind::Default { body } => format!("default: {}", self.stmt(body)),
            StmtKind::Label { name, attrs, body } => {
                format!("{}:{} {}", self.name(*name), self.attrs(attrs).concat(), self.stmt(body))
            }
            StmtKind::Goto(name) => format!("goto {}", self.name(*name)),
            StmtKind::GotoComputed(e) => format!("goto *{}", self.expr(e)),
            StmtKind::Break => "break".to_string(),
            StmtKind::Continue => "continue".to_string(),
            StmtKind::Return(e) => format!("return {}", optional(e)),
            StmtKind::Asm(a) => {
                let operands = |list: &[AsmOperand]| {
                    self.list(list, ",", |o| {
                        format!("{}={}", String::from_utf8_lossy(&o.constraint), self.expr(&o.value))
                    })
                };
                let clobbers = self.list(&a.clobbers, ",", |c| String::from_utf8_lossy(c).into_owned());
                let labels = self.list(&a.labels, ",", |l| self.name(l.0).to_string());
                let template = String::from_utf8_lossy(&a.template).into_owned();
                let volatile = if a.is_volatile { " volatile" } else { "" };
                format!("asm{volatile} {template}|{}|{}|{clobbers}|{labels}", operands(&a.outputs), operands(&a.inputs))
            }
        }
    }

    fn expr(&self, e: &Expr) -> String {
        let node = |op: &str, operands: &[&Expr]| {
            format!("({op} {})", operands.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(" "))
        };
        match &e.kind {
            ExprKind::Int { value, unsigned, long, .. } => {
                let suffix = match long {
                    LongSuffix::None => "",
                    LongSuffix::Long => "L",
                    LongSuffix::LongLong => "LL",
                };
                format!("{value}{}{suffix}", if *unsigned { "U" } else { "" })
            }
            ExprKind::Float { text, suffix } => format!("{text}{suffix:?}"),
            ExprKind::Imaginary => "imaginary".to_string(),
            ExprKind::Char { value, .. } => format!("'{value}"),
            ExprKind::String { units, .. } => {
                format!("{:?}", units.iter().filter_map(|&u| char::from_u32(u)).collect::<String>())
            }
            ExprKind::Ident(name) => self.name(*name).to_string(),
            ExprKind::FunctionName => "func".to_string(),
            ExprKind::Unary(op, e) => node(&format!("{op:?}"), &[e]),
            ExprKind::IncDec { increment, prefix, value } => {
                let op = if *increment { "++" } else { "--" };
                node(&if *prefix { format!("{op}_") } else { format!("_{op}") }, &[value])
            }
            ExprKind::Binary(op, a, b) => node(&format!("{op:?}"), &[a, b]),
            ExprKind::LogicalAnd(a, b) => node("&&", &[a, b]),
            ExprKind::LogicalOr(a, b) => node("||", &[a, b]),
            ExprKind::Cond(a, Some(b), c) => node("?", &[a, b, c]),
            ExprKind::Cond(a, None, c) => node("?:", &[a, c]),
            ExprKind::Comma(a, b) => node(",", &[a, b]),
            ExprKind::Assign(a, b) => node("=", &[a, b]),
            ExprKind::AssignOp(op, a, b) => node(&format!("{op:?}="), &[a, b]),
            ExprKind::Call(f, args) => {
                let args: String = args.iter().map(|a| format!(" {}", self.expr(a))).collect();
                format!("(call {}{args})", self.expr(f))
            }
            ExprKind::Index(a, b) => node("index", &[a, b]),
            ExprKind::Member { base, arrow, field, .. } => {
                format!("{}{}{}", self.expr(base), if *arrow { "->" } else { "." }, self.name(*field))
            }
            ExprKind::Cast(t, e) => format!("(cast <{}> {})", self.type_name(t), self.expr(e)),
            ExprKind::CompoundLiteral(t, list) => format!("(literal <{}> {})", self.type_name(t), self.init_list(list)),
            ExprKind::SizeofExpr(e) => node("sizeof", &[e]),
            ExprKind::SizeofType(t) => format!("(sizeof <{}>)", self.type_name(t)),
            ExprKind::AlignofExpr(e) => node("alignof", &[e]),
            ExprKind::AlignofType { ty, gnu } => {
                format!("({}alignof <{}>)", if *gnu { "gnu_" } else { "" }, self.type_name(ty))
            }
            ExprKind::StmtExpr(block) => format!("(do {})", self.block(block)),
            ExprKind::LabelAddr(name) => format!("&&{}", self.name(*name)),
            ExprKind::Generic { control, arms } => {
                let arms: String = arms
                    .iter()
                    .map(|arm| {
                        let ty = arm.ty.as_ref().map_or("default".to_string(), |t| self.type_name(t));
                        format!(" {ty}={}", self.expr(&arm.value))
                    })
                    .collect();
                format!("(generic {}{arms})", self.expr(control))
            }
            ExprKind::VaArg { list, ty } => format!("(va_arg {} <{}>)", self.expr(list), self.type_name(ty)),
            ExprKind::Offsetof { ty, path } => {
                let path = self.list(path, "", |step| match step {
                    OffsetofStep::Field(name, _) => format!(".{}", self.name(*name)),
                    OffsetofStep::Index(e) => format!("[{}]", self.expr(e)),
                });
                format!("(offsetof <{}> {path})", self.type_name(ty))
            }
            ExprKind::TypesCompatible(a, b) => format!("(same <{}> <{}>)", self.type_name(a), self.type_name(b)),
            ExprKind::ChooseExpr(a, b, c) => node("choose", &[a, b, c]),
            ExprKind::Quantifier { forall, body, .. } => node(if *forall { "forall" } else { "exists" }, &[body]),
        }
    }
}
