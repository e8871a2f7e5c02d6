//! The programs that laws are tested on.

use crate::generate;
use plumb_c::driver::{FrontOptions, load_program};
use plumb_c::target::Target;
use plumb_ir::program::Program;
use plumb_ir::property::{CheckSelection, PropertySet};
use plumb_ir::{PrepareOptions, prepare};
use std::path::{Path, PathBuf};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Runs a law on random programs and on the examples, with a seed for each.
pub fn for_each_program(name: &str, mut law: impl FnMut(&Program, u64)) {
    let folder = std::env::temp_dir().join(format!("plumb-derive-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("temporary files can be made");
    let first = number("PLUMB_DERIVE_SEED", 1);
    for seed in first..first + number("PLUMB_DERIVE_COUNT", 60) {
        let file = folder.join("program.i");
        std::fs::write(&file, generate::program(seed)).expect("temporary files can be written");
        law(&program(&[file], seed), seed);
    }
    let _ = std::fs::remove_dir_all(&folder);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (files, seed) in [
        &["charger/charger.c", "charger/bench.c"][..],
        &["cruise/cruise.c"],
        &["elevator/elevator.c"],
        &["incubator/incubator.c"],
        &["traffic/traffic.c"],
    ]
    .into_iter()
    .zip(1..)
    {
        let files: Vec<PathBuf> = files.iter().map(|file| examples.join(file)).collect();
        law(&program(&files, seed), seed);
    }
}

fn program(files: &[PathBuf], seed: u64) -> Program {
    let target = if seed % 3 == 2 { Target::ILP32 } else { Target::LP64 };
    let front =
        FrontOptions { target: Some(target), library: Some(plumb_ir::library::source), ..FrontOptions::default() };
    let mut loaded = load_program(files, &front).unwrap_or_else(|failed| panic!("{:?}", failed.diags));
    let mut properties = PropertySet::default();
    if seed.is_multiple_of(2) {
        let checks = ["all", "overflow", "bounds,pointer", "div-by-zero,shift,conversion"][seed as usize / 2 % 4];
        properties.checks.add_all(CheckSelection::parse(checks).expect("a list of checks"));
    }
    let options = PrepareOptions { promotion: seed % 5 != 4, ..PrepareOptions::default() };
    let program = prepare(&loaded.hir, &properties, &options, &mut loaded.diags);
    let program = program.unwrap_or_else(|| panic!("{:?}", loaded.diags));
    assert_eq!(plumb_ir::verify::verify(&program), Vec::<String>::new());
    program
}
