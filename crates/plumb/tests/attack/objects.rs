//! The objects and functions of a generated program: scalars, arrays, structures with bit-fields, unions, pointers to all
//! of them, functions with and without static variables, recursion with a bound.

use crate::ints::Ints;
use std::fmt::Write;

/// How far the objects' values go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// That of their types.
    Full,
    /// An endless loop ends its iterations with statements that make values small.
    Small,
}

/// Declarations at file scope, and statements that keep values small.
#[derive(Default)]
pub struct Objects {
    pub text: String,
    pub clamps: Vec<String>,
}

impl Objects {
    /// Declares objects and functions that the statements may use from now on.
    pub fn any(ints: &mut Ints, range: Range) -> Objects {
        let mut objects = Objects::default();
        let few = range == Range::Small;
        for _ in 0..1 + ints.random.below(if few { 3 } else { 4 }) {
            objects.scalar(ints, "g", "@state@");
        }
        if ints.random.chance(50) {
            objects.array(ints, few);
        }
        if ints.random.chance(50) {
            objects.structure(ints);
        }
        if ints.random.chance(25) {
            objects.union(ints);
        }
        if ints.random.chance(20) {
            objects.grid(ints, few);
        }
        if ints.random.chance(40) {
            objects.pure_function(ints);
        }
        if ints.random.chance(15) {
            objects.function_pointer(ints);
        }
        if ints.random.chance(20) {
            objects.out_parameter(ints);
        }
        if ints.random.chance(25) {
            objects.recursion(ints);
        }
        if ints.random.chance(30) {
            objects.action(ints);
        }
        objects
    }

    /// A variable with an initial value.
    pub fn scalar(&mut self, ints: &mut Ints, stem: &str, place: &str) {
        let (ty, name, value) = (ints.ty(), ints.name(stem), ints.random.below(4));
        let value = if ty == "_Bool" { value & 1 } else { value };
        let _ = writeln!(self.text, "{place}{ty} {name} = {value};");
        self.clamp(ints, &name, ty);
        ints.targets.push(name);
    }

    fn clamp(&mut self, ints: &mut Ints, name: &str, ty: &str) {
        let top = ints.random.pick(&[1, 3, 5, 7]);
        self.clamps.push(match ints.random.below(4) {
            _ if ty == "_Bool" => return,
            0 => format!("if ({name} > {top} || {name} < 0) {name} = 0;"),
            1 => format!("if ({name} > {top}) {name} = {top}; if ({name} < -2) {name} = -2;"),
            2 => format!("{name} %= {};", top + 1),
            _ => format!("{name} &= {};", ints.random.pick(&[1, 3, 7])),
        });
        if ty.starts_with("unsigned") && ints.random.chance(50) {
            self.clamps.push(format!("{name} &= 7;"));
        }
    }

    fn array(&mut self, ints: &mut Ints, few: bool) {
        let (ty, name) = (ints.ty(), ints.name("array"));
        let size = if few { 2 } else { ints.random.pick(&[2, 4]) };
        let _ = writeln!(self.text, "@state@{ty} {name}[{size}] = {{1, 0}};");
        for index in 0..size {
            self.clamps.push(format!("{name}[{index}] &= {};", ints.random.pick(&[1, 3])));
        }
        ints.arrays.push((name.clone(), size));
        if ints.random.chance(60) {
            let pointer = ints.name("p");
            let _ = writeln!(self.text, "@state@{ty} *{pointer} = {name};");
            let mut to: Vec<String> = (0..size).map(|index| format!("&{name}[{index}]")).collect();
            to.push(format!("{name} + {}", size - 1));
            ints.pointers.push((pointer.clone(), to));
            ints.targets.push(format!("*{pointer}"));
        }
    }

    fn structure(&mut self, ints: &mut Ints) {
        let (tag, name) = (ints.name("S"), ints.name("s"));
        let (wide, narrow) = (1 + ints.random.below(5), 1 + ints.random.below(3));
        let other = ints.ty();
        let signed = ints.random.pick(&["int", "signed char", "long long", "short"]);
        let unsigned = ints.random.pick(&["unsigned", "unsigned char", "unsigned long long"]);
        let _ = writeln!(
            self.text,
            "struct {tag} {{ {signed} x : {}; {unsigned} y : {narrow}; _Bool z : 1; {other} k; }};",
            wide.min(4)
        );
        let _ = writeln!(self.text, "@state@struct {tag} {name} = {{1, 0, 1, 2}}, {name}b;");
        for (object, member) in [(&name, "x"), (&name, "y"), (&name, "z"), (&name, "k")] {
            ints.targets.push(format!("{object}.{member}"));
        }
        self.clamps.push(format!("{name}.k &= 3;"));
        if ints.random.chance(40) {
            let pointer = ints.name("ps");
            let _ = writeln!(self.text, "@state@struct {tag} *{pointer} = &{name};");
            ints.pointers.push((pointer.clone(), vec![format!("&{name}"), format!("&{name}b")]));
            ints.targets.extend([format!("{pointer}->x"), format!("{pointer}->k"), format!("(*{pointer}).y")]);
            self.clamps.push(format!("{name}b.k &= 1;"));
        }
        if ints.random.chance(40) {
            ints.pointers.push((format!("{name}b"), vec![name.clone(), format!("(struct {tag}){{ .y = 1, .k = 3 }}")]));
            ints.values.push(format!("{name}b.y"));
            self.clamps.push(format!("{name}b.k &= 1;"));
        }
        if ints.random.chance(30) {
            let (function, value) = (ints.name("make"), ints.random.below(4));
            let _ = writeln!(
                self.text,
                "static struct {tag} {function}(struct {tag} from, int k) {{ from.k = k; from.x += {value}; return from; }}"
            );
            ints.values.push(format!("{function}({name}, 2).x"));
            ints.pointers
                .push((name.clone(), vec![format!("{function}({name}, 1)"), format!("{function}({name}b, 3)")]));
        }
    }

    /// Two structures on the heap that point to each other or themselves, and pointers to them: a state machine as drivers have it. Gives the
    /// declarations for the start of main.
    pub fn heap(&mut self, ints: &mut Ints) -> String {
        let (tag, names, alias) = (ints.name("H"), [ints.name("h"), ints.name("h")], ints.name("ph"));
        let (ty, width) = (ints.random.pick(&["unsigned char", "short", "int", "long long"]), 2 + ints.random.below(3));
        let _ = writeln!(
            self.text,
            "struct {tag} {{ int state; {ty} k; unsigned f : {width}; signed char c; struct {tag} *to; }};"
        );
        let mut locals = String::new();
        let mut first = String::new();
        for (name, other) in [(&names[0], &names[1]), (&names[1], &names[0])] {
            let _ = writeln!(self.text, "@cell {tag} {name}@");
            let _ = writeln!(locals, "    @local@struct {tag} *{name} = @new {tag} {name}@;");
            let (state, k) = (ints.random.below(4), ints.random.below(3));
            let _ = write!(first, " {name}->state = {state}; {name}->k = {k}; {name}->f = 1; {name}->c = 0;");
            let to = if ints.random.chance(70) { other } else { name };
            let _ = write!(first, " {name}->to = {to};");
            self.clamps.push(format!("{name}->state &= {};", ints.random.pick(&[1, 3, 7])));
            self.clamps.push(format!("{name}->k &= {}; {name}->c &= 1;", ints.random.pick(&[0, 1, 3])));
        }
        let [one, other] = &names;
        ints.targets.extend([format!("{one}->state"), format!("{one}->state"), format!("{other}->k")]);
        ints.targets.extend([format!("{alias}->state"), format!("{one}->to->state"), format!("{alias}->to->c")]);
        ints.values.extend([format!("{one}->f"), format!("{one}->to->k"), format!("({one} == {alias})")]);
        let places = || vec![one.clone(), other.clone()];
        if ints.random.chance(60) {
            ints.pointers.push((alias.clone(), places()));
        }
        if ints.random.chance(30) {
            ints.pointers.push((format!("{one}->to"), places()));
        }
        if ints.random.chance(20) {
            ints.pointers.push((one.clone(), vec![format!("{one}->to"), other.clone()]));
        }
        if ints.random.chance(40) {
            let (function, value) = (ints.name("step"), ints.random.below(4));
            let _ = writeln!(
                self.text,
                "static int {function}_of(struct {tag} *h, int a) {{ if (h->state == {value}) h->to->state = a & 7; else h->c = a; return h->k; }}\n\
                 @state@struct {tag} *{function}_at;\n\
                 static int {function}(int a) {{ return {function}_at ? {function}_of({function}_at, a) : 0; }}"
            );
            let _ = write!(first, " {function}_at = {alias};");
            ints.actions.push(function);
        }
        let _ = writeln!(locals, "    @local@struct {tag} *{alias} = @alias {one}@;\n    @first{first}@");
        locals
    }

    fn union(&mut self, ints: &mut Ints) {
        let (tag, name) = (ints.name("U"), ints.name("u"));
        let _ = writeln!(
            self.text,
            "union {tag} {{ unsigned w; unsigned char b[4]; short h[2]; struct {{ unsigned low : 3; int high : 6; }} f; }};"
        );
        let _ = writeln!(self.text, "@state@union {tag} {name} = {{ 5 }};");
        ints.targets.extend(["w", "b[0]", "b[1]", "h[0]", "f.low", "f.high"].map(|member| format!("{name}.{member}")));
        self.clamps.push(format!("{name}.w &= {};", ints.random.pick(&["0x103u", "7u", "0x201u", "0x18u"])));
    }

    fn pure_function(&mut self, ints: &mut Ints) {
        let (result, one, other, name) = (ints.ty(), ints.ty(), ints.ty(), ints.name("f"));
        let (values, targets) = (ints.values.clone(), std::mem::take(&mut ints.targets));
        ints.values.extend(targets.iter().cloned());
        ints.values.extend(["a", "b", "a", "b"].map(String::from));
        let (first, second) = (ints.expr(2), ints.expr(2));
        let (first, second) = (ints.unnarrowed(first), ints.unnarrowed(second));
        (ints.values, ints.targets) = (values, targets);
        let _ = writeln!(
            self.text,
            "static {result} {name}({one} a, {other} b)\n{{\n    if (a > b)\n        return {first};\n    return {second};\n}}"
        );
        ints.pure_functions.push(name);
    }

    /// Structures in an array, reached by subscripts, by a pointer that moves, and through a pointer to that.
    fn grid(&mut self, ints: &mut Ints, few: bool) {
        let (tag, name, pointer) = (ints.name("G"), ints.name("grid"), ints.name("pg"));
        let (ty, width) = (ints.random.pick(&["unsigned char", "short", "int"]), 2 + ints.random.below(3));
        let _ = writeln!(self.text, "struct {tag} {{ {ty} m[2]; int d : {width}; struct {{ signed char e; }} in; }};");
        let _ = writeln!(self.text, "@state@struct {tag} {name}[2] = {{ {{ {{ 0, 1 }}, 1, {{ 2 }} }} }};");
        let _ = writeln!(self.text, "@state@struct {tag} *{pointer} = &{name}[1], **{pointer}p = &{pointer};");
        ints.targets.extend([format!("{name}[0].m[1]"), format!("{pointer}->d"), format!("(*{pointer}p)->in.e")]);
        ints.arrays.push((format!("{pointer}->m"), 2));
        ints.values.push(format!("{name}[1].d"));
        ints.pointers.push((pointer.clone(), vec![name.clone(), format!("{name} + 1")]));
        ints.pointers.push((format!("{name}[1]"), vec![format!("{name}[0]"), format!("*{pointer}")]));
        let mask = if few { 1 } else { 3 };
        for place in ["m[0]", "m[1]", "in.e"] {
            self.clamps.push(format!("{name}[0].{place} &= {mask}; {name}[1].{place} &= 1;"));
        }
    }

    /// A table of functions, from which a pointer takes one.
    fn function_pointer(&mut self, ints: &mut Ints) {
        let (name, pointer) = (ints.name("ops"), ints.name("op"));
        let ty = ints.random.pick(&["int", "unsigned char", "short", "long long"]);
        let (one, other) =
            (ints.random.pick(&["a + b", "a - b", "a * b"]), ints.random.pick(&["a ^ b", "a & ~b", "a < b"]));
        let _ = writeln!(
            self.text,
            "static {ty} {name}_a({ty} a, {ty} b) {{ return {one}; }}\n\
             static {ty} {name}_b({ty} a, {ty} b) {{ return {other}; }}\n\
             static {ty} (*const {name}[2])({ty}, {ty}) = {{ {name}_a, {name}_b }};\n\
             @state@{ty} (*{pointer})({ty}, {ty}) = {name}_a;"
        );
        ints.pure_functions.push(pointer.clone());
        let select = ints.random.pick(&ints.targets);
        ints.pointers.push((pointer, vec![format!("&{name}_b"), format!("{name}_a"), format!("{name}[{select} & 1]")]));
    }

    /// A function that writes through its argument.
    fn out_parameter(&mut self, ints: &mut Ints) {
        let (ty, name, to) =
            (ints.random.pick(&["unsigned char", "short", "int"]), ints.name("put"), ints.name("cell"));
        let value = ints.expr(1);
        let sum = ints.unnarrowed(format!("a + ({value})"));
        let _ = writeln!(self.text, "@state@{ty} {to} = 1;");
        let _ =
            writeln!(self.text, "static int {name}_at({ty} *at, int a) {{ {ty} old = *at; *at = {sum}; return old; }}");
        let _ = writeln!(self.text, "static int {name}(int a) {{ return {name}_at(&{to}, a); }}");
        self.clamps.push(format!("{to} &= 3;"));
        ints.actions.push(name);
        ints.values.push(to);
    }

    fn recursion(&mut self, ints: &mut Ints) {
        let (ty, name) = (ints.ty(), ints.name("r"));
        let step = ints.random.pick(&["a + n", "a * 3", "a ^ (n << 1)", "n - a", "a - 1"]);
        let step = ints.unnarrowed(step.to_string());
        if ints.random.chance(50) {
            let _ = writeln!(
                self.text,
                "static {ty} {name}(unsigned n, {ty} a) {{ return n == 0 || n > 3 ? a : {name}(n - 1, {step}); }}"
            );
            ints.pure_functions.push(name);
            return;
        }
        let _ = writeln!(
            self.text,
            "static {ty} {name}_of(unsigned n, {ty} a) {{ return n == 0 ? a : {name}_of(n - 1, {step}); }}\n\
             static {ty} {name}(unsigned n, {ty} a) {{ return {name}_of(n & 3, a); }}"
        );
        ints.pure_functions.push(name);
    }

    fn action(&mut self, ints: &mut Ints) {
        let (ty, name) = (ints.random.pick(&["unsigned char", "signed char", "int", "short"]), ints.name("act"));
        let (values, targets) = (ints.values.clone(), ints.targets.clone());
        ints.values.extend(["a".to_string(), "count".to_string()]);
        ints.targets.push("count".to_string());
        let body = ints.block(2, 1, false, 1);
        let result = ints.expr(1);
        let result = ints.unnarrowed(result);
        (ints.values, ints.targets) = (values, targets);
        let _ = writeln!(
            self.text,
            "static int {name}(int a)\n{{\n    static @state@{ty} count = 1;\n{body}    count &= 3;\n    return {result};\n}}"
        );
        ints.actions.push(name);
    }
}
