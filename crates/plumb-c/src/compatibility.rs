//! `docs/compatibility.md` shows the tables of attributes, pragmas and flags as they are in the code.

use crate::code_flags::{self, MACHINE_WITHOUT_EFFECT, MEANINGFUL, WITHOUT_EFFECT};
use crate::lex::pragma;
use crate::sema::attribute_table::{self, Decision, Honoured};

/// The tables as the page shows them.
fn tables() -> String {
    let mut text = String::from("## Attributes\n\n| attributes | known to | decision |\n| --- | --- | --- |\n");
    for group in attribute_table::TABLE {
        let decision = match group.decision {
            Decision::Honoured(Honoured::Vector) => {
                "the type is known; objects and values of it are refused: vectors are not modelled".to_string()
            }
            Decision::Honoured(_) => "honoured".to_string(),
            Decision::NoEffect => "no effect on the meaning".to_string(),
            Decision::Refused(why) => format!("refused: {why}"),
        };
        let names: Vec<String> = group.names.iter().map(|name| format!("`{name}`")).collect();
        text += &format!("| {} | {} | {decision} |\n", names.join(", "), group.origin);
    }
    text += "\n## Pragmas\n\n| pragma | decision |\n| --- | --- |\n";
    for (words, decision) in pragma::TABLE {
        let decision = match decision {
            pragma::Decision::Honoured => "honoured".to_string(),
            pragma::Decision::NoEffect => "no effect on the meaning".to_string(),
            pragma::Decision::Refused(why) => format!("refused: {why}"),
        };
        text += &format!("| `{words}` | {decision} |\n");
    }
    text += "\n## Flags\n\n| flag | decision |\n| --- | --- |\n";
    for (flag, decision) in MEANINGFUL {
        let decision = match decision {
            code_flags::Decision::Honoured(_) => "honoured".to_string(),
            code_flags::Decision::NoEffect => "no effect on the meaning".to_string(),
            code_flags::Decision::Refused(why) => format!("refused: {why}"),
        };
        text += &format!("| `{flag}` | {decision} |\n");
    }
    let list = |kind: &str, names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{kind}{name}`")).collect();
        names.join(", ")
    };
    text += "\nWithout effect on the meaning, with `no-` as well, and whatever follows `=`:\n\n";
    text += &list("-f", WITHOUT_EFFECT);
    text += ".\n\n";
    text += &list("-m", MACHINE_WITHOUT_EFFECT);
    text += ".\n";
    text
}

/// The page must say what the code does. `PLUMB_WRITE_DOCS=1` writes the tables into it.
#[test]
fn the_page_shows_the_tables() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/compatibility.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (introduction, shown) = page.split_at(page.find("## Attributes").unwrap());
    let expected = tables();
    if std::env::var_os("PLUMB_WRITE_DOCS").is_some() {
        std::fs::write(path, format!("{introduction}{expected}")).unwrap();
    } else {
        assert!(shown == expected, "docs/compatibility.md is not what the tables say; see this test");
    }
}
