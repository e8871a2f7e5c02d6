//! Random programs: functions with a loop each over a few globals and an array, and a rare input that makes exceptions.

use crate::check::Kind;
use crate::oracle::Random;

pub struct Function {
    pub name: String,
    pub result: &'static str,
    /// Type and name.
    pub parameters: Vec<(&'static str, String)>,
    before: Vec<String>,
    bound: String,
    inside: Vec<String>,
    behind: Vec<String>,
}

pub struct Program {
    functions: Vec<Function>,
    main: Vec<String>,
}

const TYPES: [&str; 5] = ["int", "unsigned", "short", "unsigned char", "int"];

impl Program {
    pub fn random(random: &mut Random) -> Program {
        let mut functions: Vec<Function> = Vec::new();
        for number in 0..1 + random.below(3) {
            let function = function(random, number, &functions);
            functions.push(function);
        }
        let calls = |random: &mut Random| {
            let function = &functions[random.below(functions.len())];
            call(random, function, &["g0", "g1", "nondet()", "nondet()"])
        };
        let mut main = vec!["g0 = nondet() & 15;".to_string()];
        if random.below(2) == 0 {
            main.push("if (nondet() == 77777) g1 = 5;".to_string());
        }
        for _ in 0..1 + random.below(3) {
            main.push(format!("{};", calls(random)));
        }
        Program { functions, main }
    }

    /// The program, with what the hook says at each place.
    pub fn text(&self, hook: &dyn Fn(&Function, Kind) -> String) -> String {
        let mut out = "extern int nondet(void);\nint g0, g1;\nunsigned u0;\nint t[4];\n".to_string();
        for function in &self.functions {
            let parameters: Vec<String> = function.parameters.iter().map(|(ty, name)| format!("{ty} {name}")).collect();
            out += &format!("{} {}({})\n{{\n", function.result, function.name, parameters.join(", "));
            out += &hook(function, Kind::Entry);
            out += &format!("    {} s = 0;\n    int i = 0;\n", function.result);
            let lines = |list: &[String], indent: &str| -> String {
                list.iter().map(|line| format!("{indent}{line}\n")).collect()
            };
            out += &lines(&function.before, "    ");
            out += &format!("    while ({}i < {}) {{\n", hook(function, Kind::Loop), function.bound);
            out += &lines(&function.inside, "        ");
            out += "        i++;\n    }\n";
            out += &lines(&function.behind, "    ");
            out += &hook(function, Kind::Exit);
            out += "    return s;\n}\n";
        }
        let main: String = self.main.iter().map(|line| format!("    {line}\n")).collect();
        out + &format!("int main(void)\n{{\n{main}    return 0;\n}}\n")
    }
}

fn function(random: &mut Random, number: usize, others: &[Function]) -> Function {
    let names = ["a", "b"];
    let count = 1 + random.below(2);
    let parameters: Vec<(&'static str, String)> =
        names[..count].iter().map(|name| (random.pick(&TYPES), name.to_string())).collect();
    let mut variables = vec!["s", "g0", "g1", "u0", "a"];
    if count == 2 {
        variables.push("b");
    }
    let statements = |random: &mut Random, most: usize, has_index: bool| -> Vec<String> {
        (0..random.below(most + 1)).map(|_| statement(random, &variables, has_index, others)).collect()
    };
    let before = statements(random, 2, false);
    let inside = statements(random, 3, true);
    let behind = statements(random, 2, false);
    let bound = random.pick(&["4", "(a & 3)", "6", "3"]).to_string();
    Function { name: format!("f{number}"), result: random.pick(&TYPES), parameters, before, bound, inside, behind }
}

fn statement(random: &mut Random, variables: &[&str], has_index: bool, others: &[Function]) -> String {
    let targets = ["s", "g0", "g1", "u0", "s"];
    let target = match random.below(6) {
        0 if has_index => "t[i & 3]",
        1 => "t[2]",
        _ => random.pick(&targets),
    };
    let value = match random.below(10) {
        0 if !others.is_empty() => {
            let function = &others[random.below(others.len())];
            call(random, function, variables)
        }
        _ => expression(random, variables, 2),
    };
    let assignment = format!("{target} {} {value};", random.pick(&["=", "=", "=", "+=", "^="]));
    match random.below(6) {
        0 => format!("if (nondet() == 77777) {assignment}"),
        1 => {
            let (x, y) = (random.pick(variables), random.pick(&["0", "3", "10", "g0", "a"]));
            format!("if ({x} {} {y}) {assignment}", random.pick(&["<", "<=", "==", "!=", ">"]))
        }
        _ => assignment,
    }
}

fn call(random: &mut Random, function: &Function, arguments: &[&str]) -> String {
    let list: Vec<String> = function.parameters.iter().map(|_| random.pick(arguments).to_string()).collect();
    format!("{}({})", function.name, list.join(", "))
}

fn expression(random: &mut Random, variables: &[&str], depth: u32) -> String {
    if depth == 0 || random.below(3) == 0 {
        return match random.below(5) {
            0 => random.below(12).to_string(),
            1 => "(nondet() & 7)".to_string(),
            2 => format!("t[{}]", random.below(4)),
            _ => random.pick(variables).to_string(),
        };
    }
    let (x, y) = (expression(random, variables, depth - 1), expression(random, variables, depth - 1));
    match random.below(7) {
        0 => format!("({x} & {})", [1, 3, 6, 15, 0xff0][random.below(5)]),
        1 => format!("({x} < {y} ? {x} : {y})"),
        2 => format!("({x} | {})", [1, 8, 64][random.below(3)]),
        3 => format!("({x} - {y})"),
        4 => format!("({} * {x} + {})", 2 + random.below(4), random.below(9)),
        _ => format!("({x} + {y})"),
    }
}
