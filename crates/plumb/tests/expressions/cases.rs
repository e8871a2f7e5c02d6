//! Test cases around expression trees: C functions that compute something and print it.
//!
//! Every case prints lines that begin with its number, so that a difference in output leads back to its source.

use crate::ctype::CType;
use crate::oracle::{Arch, Random};
use crate::tree::{Class, Form, Grower, Leaf, Place, Tree};
use std::fmt::Write;

/// One case: file-scope text and the calls that `main` makes.
pub struct Case {
    pub text: String,
    pub calls: String,
}

/// A struct of bit-fields that cases operate on.
pub struct BitStruct {
    pub name: String,
    pub text: String,
    pub fields: Vec<String>,
}

impl BitStruct {
    pub fn any(random: &mut Random, index: usize, arch: Arch) -> BitStruct {
        let name = format!("bits{index}");
        let packed = if random.chance(30) { "__attribute__((packed)) " } else { "" };
        let mut text = format!("struct {packed}{name} {{");
        let mut fields = Vec::new();
        for number in 0..random.between(2, 6) {
            let ty = loop {
                let ty = CType::any_integer(random, arch);
                if !ty.is_wide() {
                    break ty;
                }
            };
            let field = format!("f{number}");
            let width = random.between(1, ty.bits(arch) as i64);
            let _ = write!(text, " {} {field} : {width};", ty.name());
            fields.push(field);
            if random.chance(15) {
                text.push_str(random.pick::<&str>(&[" char gap;", " int : 0;", " unsigned : 3;"]));
                // A name may be used once only.
                text = text.replacen("gap;", &format!("gap{number};"), 1);
            }
        }
        text.push_str(" };\n");
        BitStruct { name, text, fields }
    }
}

/// What the cases of one program share.
pub struct Maker<'a> {
    pub random: &'a mut Random,
    pub arch: Arch,
    pub structs: &'a [BitStruct],
}

impl Maker<'_> {
    pub fn case(&mut self, number: usize) -> Case {
        match self.random.below(21) {
            0..=8 => self.value(number),
            9..=10 => self.assignment(number),
            11..=12 => self.step(number),
            13..=16 => self.bit_field(number),
            17 => self.conversions_of_calls(number),
            18 => self.static_bits(number),
            19 => crate::order::case(self.random, number),
            _ => self.switch(number),
        }
    }

    fn grower(&mut self, prefix: &str) -> Grower<'_> {
        Grower { random: self.random, arch: self.arch, fields: Vec::new(), prefix: prefix.to_string(), count: 0 }
    }

    /// One tree, as constants of several kinds and at run time.
    fn value(&mut self, number: usize) -> Case {
        let depth = 1 + self.random.below(4);
        let tree = self.grower(&format!("v{number}_")).arithmetic(depth);
        let constant = tree.text(Form::Constant);
        let class = tree.class();
        let mut text = String::new();
        let mut body = String::new();
        match class {
            Class::Integer => {
                let ty = if tree.is_wide() { CType::UInt128 } else { CType::any_integer(self.random, self.arch) };
                let _ = writeln!(text, "static {} k{number} = {constant};", ty.name());
                body += &show(number, "k", class, ty.is_wide(), &format!("k{number}"));
            }
            Class::Float | Class::Double | Class::LongDouble => {
                let ty = CType::any_float(self.random);
                let _ = writeln!(text, "static {} k{number} = {constant};", ty.name());
                body += &show(number, "k", Class::of(ty), false, &format!("k{number}"));
            }
        }
        if class == Class::Integer && !tree.has_float() {
            let _ = writeln!(text, "enum {{ e{number} = (int)({constant}) }};");
            body += &show(number, "e", class, false, &format!("e{number}"));
        }
        let running = tree.text(Form::Running);
        if class == Class::Integer && !tree.has_float() {
            // The two renderings of a tree have one value, so the label is the one that is taken.
            let _ = writeln!(body, "  int c = 0;\n  switch ((int)({running})) {{ case (int)({constant}): c = 1; }}");
            body += &show(number, "c", class, false, "c");
        }
        body += &show(number, "s", Class::Integer, false, &format!("sizeof({running})"));
        if class == Class::Integer {
            body += &show(number, "n", class, false, &format!("(__typeof__({running}))-1 < (__typeof__({running}))1"));
        }
        body += &show(number, "r", class, tree.is_wide(), &running);
        self.function(number, text, &tree.leaves(), &body)
    }

    /// `=` and `op=` on a variable of any type, the value of the assignment shown as well as what is stored.
    fn assignment(&mut self, number: usize) -> Case {
        let ty = CType::any(self.random, self.arch);
        let mut grower = self.grower(&format!("v{number}_"));
        let Tree::Leaf(target) = grower.leaf(ty) else { unreachable!("a leaf is asked for") };
        let (operator, operand, tree) = operation(&mut grower, ty);
        let class = Class::of(ty);
        let wide = ty.is_wide();
        let mut body = show(number, "r", class, wide, &format!("({} {operator} {operand})", target.name));
        body += &show(number, "v", class, wide, &target.name);
        let mut leaves = tree.leaves();
        leaves.push(&target);
        self.function(number, String::new(), &leaves, &body)
    }

    /// `++` and `--`, before and after.
    fn step(&mut self, number: usize) -> Case {
        let ty = CType::any(self.random, self.arch);
        let mut grower = self.grower(&format!("v{number}_"));
        let Tree::Leaf(target) = grower.leaf(ty) else { unreachable!("a leaf is asked for") };
        let expression = step_text(grower.random, &target.name);
        let (class, wide) = (Class::of(ty), ty.is_wide());
        let mut body = show(number, "r", class, wide, &expression);
        body += &show(number, "s", Class::Integer, false, &format!("sizeof({expression})"));
        body += &show(number, "v", class, wide, &target.name);
        self.function(number, String::new(), &[&target], &body)
    }

    /// Reads and writes of bit-fields between neighbours, whose bytes are printed after.
    fn bit_field(&mut self, number: usize) -> Case {
        let chosen = self.random.below(self.structs.len());
        let structure = &self.structs[chosen];
        let object = format!("b{number}");
        let field = format!("{object}.{}", self.random.pick(&structure.fields));
        let fields = structure.fields.iter().map(|f| format!("{object}.{f}")).collect();
        let fill = self.random.pick(&[0x00, 0xff, 0xa5, 0x3c]);
        let mut grower =
            Grower { random: self.random, arch: self.arch, fields, prefix: format!("v{number}_"), count: 0 };
        let depth = 1 + grower.random.below(3);
        let mut body = format!("  fill(&{object}, sizeof {object}, {fill});\n");
        let leaves = match grower.random.below(4) {
            0 => {
                let tree = grower.arithmetic(depth);
                body += &show(number, "r", tree.class(), tree.is_wide(), &tree.text(Form::Running));
                tree
            }
            1 => {
                body += &show(number, "r", Class::Integer, false, &step_text(grower.random, &field));
                Tree::Fixed(String::new())
            }
            2 => {
                let tree = grower.integer(depth);
                let store = format!("({field} = {})", tree.text(Form::Running));
                body += &show(number, "r", Class::Integer, false, &store);
                tree
            }
            _ => {
                let (operator, operand, tree) = operation(&mut grower, CType::Bool);
                body += &show(number, "r", Class::Integer, false, &format!("({field} {operator} {operand})"));
                tree
            }
        };
        body += &show(number, "v", Class::Integer, false, &field);
        let _ = writeln!(body, "  dump({number}, &{object}, sizeof {object});");
        let text = format!("static struct {} {object};\n", structure.name);
        self.function(number, text, &leaves.leaves(), &body)
    }

    /// Conversions by parameters, results, K&R definitions and the default promotions of unprototyped calls.
    fn conversions_of_calls(&mut self, number: usize) -> Case {
        let mut grower = self.grower(&format!("v{number}_"));
        let tree = grower.integer(2);
        let parameter = CType::any(grower.random, grower.arch);
        let result = CType::any(grower.random, grower.arch);
        let (parameter_name, result_name) = (parameter.name(), result.name());
        // A float parameter can hold values that an integer result cannot.
        let value = if parameter.is_float() && !result.is_float() { "p > 0 && p < 100 ? p : 1" } else { "p" };
        let mut text = format!("static {result_name} f{number}({parameter_name} p) {{ return {value}; }}\n");
        let _ = writeln!(text, "static {result_name} o{number}(p) {parameter_name} p; {{ return {value}; }}");
        let argument = tree.text(Form::Running);
        let (class, wide) = (Class::of(result), result.is_wide());
        let mut body = show(number, "r", class, wide, &format!("f{number}({argument})"));
        // An unprototyped call passes the promoted argument, which must have the parameter's promoted type.
        let promoted = format!("o{number}(({parameter_name})({argument}))");
        body += &show(number, "o", class, wide, &promoted);
        self.function(number, text, &tree.leaves(), &body)
    }

    /// A static initialiser of bit-fields.
    fn static_bits(&mut self, number: usize) -> Case {
        let chosen = self.random.below(self.structs.len());
        let structure = &self.structs[chosen];
        let mut parts = Vec::new();
        for field in &structure.fields {
            let tree = self.grower("unused").integer(1);
            parts.push(format!(".{field} = {}", tree.text(Form::Constant)));
        }
        let text = format!("static struct {} b{number} = {{ {} }};\n", structure.name, parts.join(", "));
        let body = format!("  dump({number}, &b{number}, sizeof b{number});\n");
        self.function(number, text, &[], &body)
    }

    /// `switch` on a promoted value, with labels converted to its type.
    fn switch(&mut self, number: usize) -> Case {
        let mut grower = self.grower(&format!("v{number}_"));
        let ty = loop {
            let ty = CType::any_integer(grower.random, grower.arch);
            if !ty.is_wide() {
                break ty;
            }
        };
        let Tree::Leaf(subject) = grower.leaf(ty) else { unreachable!("a leaf is asked for") };
        let value = &subject.value;
        let case_list = match grower.random.below(3) {
            0 => format!("case {value}: r = 1; break; case ({value}) ^ 64: r = 2; break; default: r = 3;"),
            1 => format!("default: r = 3; break; case ({value}) & 7: r += 4; case (({value}) & 7) + 8: r += 5;"),
            _ => {
                "case -100 ... -1: r = 1; case 0 ... 100: r += 2; break; case 101 ... 2147483647: r = 5; default: r++;"
                    .to_string()
            }
        };
        let mut body = format!("  int r = 0;\n  switch ({}) {{ {case_list} }}\n", subject.name);
        body += &show(number, "r", Class::Integer, false, "r");
        self.function(number, String::new(), &[&subject], &body)
    }

    /// Wraps a body in a function that has the leaves as its variables, and calls it.
    fn function(&mut self, number: usize, mut text: String, leaves: &[&Leaf], body: &str) -> Case {
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        let mut locals = String::new();
        for Leaf { ty, value, place, name } in leaves {
            let ty = ty.name();
            let base = name.trim_start_matches("(*").trim_end_matches(')').trim_end_matches(".m");
            let _ = match place {
                Place::Parameter => {
                    parameters.push(format!("{ty} {base}"));
                    arguments.push(value.clone());
                    Ok(())
                }
                Place::Local => writeln!(locals, "  {ty} {base} = {value};"),
                Place::Volatile => writeln!(locals, "  volatile {ty} {base} = {value};"),
                Place::Global => writeln!(text, "static {ty} {base} = {value};"),
                Place::Pointed => writeln!(locals, "  {ty} {base}_o = {value}, *{base} = &{base}_o;"),
                Place::Member => writeln!(locals, "  struct {{ char c; {ty} m; }} {base} = {{ 1, {value} }};"),
            };
        }
        let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
        let _ = writeln!(text, "static void t{number}({parameters}) {{\n{locals}{body}}}");
        Case { text, calls: format!("  t{number}({});\n", arguments.join(", ")) }
    }
}

/// An assignment operator for a target of the type, a right side that keeps it defined, and the tree of that side.
/// `Bool` stands for any bit-field: integers only.
fn operation(grower: &mut Grower<'_>, ty: CType) -> (&'static str, String, Tree) {
    if ty.is_float() {
        let operator = grower.random.pick(&["=", "+=", "-=", "*=", "/="]);
        let tree = grower.arithmetic(2);
        return (operator, tree.text(Form::Running), tree);
    }
    if ty.is_signed() && ty.bits(grower.arch) >= 16 && grower.random.chance(25) {
        // The sum of a value of the type and a float may leave the type's range, so the value is thrown away by `= `.
        let tree = grower.float(1);
        let text = tree.text(Form::Running);
        return ("=", format!("({text} > -30000 && {text} < 30000 ? {text} : 2.75)"), tree);
    }
    let operator = grower.random.pick(&["=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="]);
    let tree = grower.integer(2);
    let text = tree.text(Form::Running);
    let operand = match operator {
        "<<=" | ">>=" => format!("({text} & 31)"),
        "/=" | "%=" if grower.random.chance(30) => format!("-(({text} & 255) + 2)"),
        "/=" | "%=" => format!("(({text} & 255) + 1)"),
        _ => text,
    };
    (operator, operand, tree)
}

fn step_text(random: &mut Random, target: &str) -> String {
    match random.below(4) {
        0 => format!("{target}++"),
        1 => format!("{target}--"),
        2 => format!("++{target}"),
        _ => format!("--{target}"),
    }
}

/// A call of the prelude's printing function for the class.
fn show(number: usize, key: &str, class: Class, wide: bool, expression: &str) -> String {
    let function = match class {
        Class::Integer if wide => "show_wide",
        Class::Integer => "show_integer",
        Class::Float => "show_float",
        Class::Double => "show_double",
        Class::LongDouble => "show_long_double",
    };
    format!("  {function}({number}, '{key}', {expression});\n")
}
