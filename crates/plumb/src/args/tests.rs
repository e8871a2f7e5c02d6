use super::*;
use plumb_c::target::Target;
use plumb_engine::engine::Order;
use plumb_engine::registry::Registry;

fn args(line: &str) -> Result<Args, String> {
    let words = line.split(' ').map(std::ffi::OsString::from);
    let raw = Raw::try_parse_from(compiler_style(words)).map_err(|e| e.to_string())?;
    check(raw)
}

#[test]
fn the_flags_are_consistent() {
    use clap::CommandFactory;
    Raw::command().debug_assert();
}

#[test]
fn options_that_engines_name_are_flags_of_check() {
    use clap::CommandFactory;
    let command = Raw::command();
    let check = command.find_subcommand("check").expect("the command is there");
    let flags: Vec<String> = check.get_arguments().filter_map(|a| Some(format!("--{}", a.get_long()?))).collect();
    let registry = Registry::standard();
    let mut named = registry.all().iter().flat_map(|engine| engine.options());
    assert!(named.clone().any(|(option, _)| *option == "--order"));
    assert!(named.all(|(option, _)| flags.iter().any(|flag| flag == option)), "{flags:?}");
}

#[test]
fn compiler_flags_are_understood() {
    let args = args("plumb run -Iinc -DX=1 -UY -isystem sys -std=c99 -m32 -fwrapv -O2 a.c").unwrap();
    assert!(args.front.preprocess.code.wrapv);
    assert_eq!(args.front.target, Some(Target::ILP32));
    assert_eq!(args.front.preprocess.std.as_deref(), Some("c99"));
    assert_eq!(args.front.preprocess.system_dirs, [PathBuf::from("sys")]);
    assert_eq!(args.front.preprocess.macros.len(), 2);
}

#[test]
fn options_that_no_engine_of_the_search_obeys_are_refused() {
    let refused = [
        ("--engine kind --unwind 2", "bmc, pbe"),
        ("--engine simulate --order depth", "symexia, symex, la, bam"),
        ("--engine la --order random", "depth, breadth"),
        ("--engine bmc --summaries d", "pbe"),
        ("--engine bmc --no-cache", "pbe"),
        ("--engine symex --unwind-loop 3=4", "bmc, pbe"),
    ];
    for (options, help) in refused {
        let why = args(&format!("plumb check {options} a.c")).unwrap_err();
        assert!(why.contains(help), "{options}: {why}");
    }
    for options in ["--unwind 2", "--engine bmc --unwind 2", "--engine la --order tour:lf", "--order random"] {
        args(&format!("plumb check {options} a.c")).unwrap();
    }
}

#[test]
fn orders_have_their_names() {
    for (name, order) in Order::ALL {
        let args = args(&format!("plumb check --order {name} a.c")).unwrap();
        let Command::Check(check) = args.command else { panic!("a check was asked for") };
        assert_eq!(check.order, Some(order));
        if let Order::Tour(metric) = order {
            assert_eq!(name, format!("tour:{metric}"));
        }
    }
}

#[test]
fn contradictions_are_reported() {
    let lines = [
        "plumb run",
        "plumb show ast --dot a.c",
        "plumb show ir --asserts a.c",
        "plumb show ir --write d a.c",
        "plumb show oil",
        "plumb check --oil a.oil",
        "plumb run --arch 99 a.c",
        "plumb check",
        "plumb check --threads 0 a.c",
        "plumb check --engine magic a.c",
        "plumb check -ffast-math a.c",
        "plumb check -fno-such-flag a.c",
        "plumb check --timeout -1 a.c",
        "plumb check --witness no/such/directory/w.yml a.c",
        "plumb synth",
        "plumb synth --threads 0 a.sl",
        "plumb synth a.sl b.sl",
        "plumb infer",
        "plumb infer --confidence 2 a.c",
        "plumb tune",
        "plumb tune --threshold -1 h.jsonl",
        "plumb tune -o no/such/directory/m.json h.jsonl",
        "plumb check --order tour a.c",
        "plumb check --order tour:xx a.c",
    ];
    for line in lines {
        assert!(args(line).is_err(), "{line}");
    }
}
