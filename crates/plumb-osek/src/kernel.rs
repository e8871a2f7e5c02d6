//! The kernel model and its headers as files, for a preprocessor to find.
//!
//! Applications get a folder of their own with the headers that they name, so that the kernel's other headers
//! (`config.h`, `state.h`) hide none of theirs. Line directives give every file the name `<osek>/...` in messages.

use crate::config::System;
use crate::generate;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// The kernel model's translation units.
const UNITS: [(&str, &str); 12] = [
    ("alarms.c", include_str!("../kernel/alarms.c")),
    ("control.c", include_str!("../kernel/control.c")),
    ("dispatch.c", include_str!("../kernel/dispatch.c")),
    ("environment.c", include_str!("../kernel/environment.c")),
    ("errors.c", include_str!("../kernel/errors.c")),
    ("events.c", include_str!("../kernel/events.c")),
    ("interrupts.c", include_str!("../kernel/interrupts.c")),
    ("messages.c", include_str!("../kernel/messages.c")),
    ("monitors.c", include_str!("../kernel/monitors.c")),
    ("ready.c", include_str!("../kernel/ready.c")),
    ("resources.c", include_str!("../kernel/resources.c")),
    ("tasks.c", include_str!("../kernel/tasks.c")),
];

/// Headers of the kernel's own.
const INTERNAL_HEADERS: [(&str, &str); 3] = [
    ("config.h", include_str!("../kernel/config.h")),
    ("state.h", include_str!("../kernel/state.h")),
    ("plumb/stack.h", include_str!("../kernel/native/plumb/stack.h")),
];

/// Headers that applications include, by the names that OSEK and its implementations have for them.
const HEADERS: [(&str, &str); 13] = [
    ("os.h", include_str!("../kernel/os.h")),
    ("osek.h", include_str!("../kernel/headers/osek.h")),
    ("kernel.h", include_str!("../kernel/headers/kernel.h")),
    ("kernel_id.h", include_str!("../kernel/headers/kernel_id.h")),
    ("Os.h", include_str!("../kernel/headers/Os.h")),
    ("tpl_os.h", include_str!("../kernel/headers/tpl_os.h")),
    ("tpl_memmap.h", include_str!("../kernel/headers/tpl_memmap.h")),
    ("tpl_app_config.h", include_str!("../kernel/headers/tpl_app_config.h")),
    ("tpl_app_define.h", include_str!("../kernel/headers/tpl_app_define.h")),
    ("tpl_com_definitions.h", include_str!("../kernel/headers/tpl_com_definitions.h")),
    ("tpl_com_error.h", include_str!("../kernel/headers/tpl_com_error.h")),
    ("tpl_compiler.h", include_str!("../kernel/headers/tpl_compiler.h")),
    ("tpl_os_std_types.h", include_str!("../kernel/headers/tpl_os_std_types.h")),
];

const IDS: &str = "osek_ids.h";
const TABLES: &str = "osek_tables.c";

/// Where the files of a system were written.
#[derive(Debug)]
pub struct KernelFiles {
    /// For the search path of the application.
    pub include_dir: PathBuf,
    /// What is compiled along with the application.
    pub units: Vec<PathBuf>,
}

/// What the kernel model does beyond what the specification says.
#[derive(Clone, Debug, Default)]
pub struct KernelOptions {
    /// What must hold of every application.
    pub checks: BTreeSet<OsCheck>,
    /// The interrupt of a hardware counter occurs when an alarm expires.
    pub tickless: bool,
}

/// A check of `kernel/monitors.c`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OsCheck {
    Response,
    Deadlock,
    Activation,
    Resource,
    Level,
    Error,
}

impl OsCheck {
    pub const ALL: [OsCheck; 6] =
        [OsCheck::Response, OsCheck::Deadlock, OsCheck::Activation, OsCheck::Resource, OsCheck::Level, OsCheck::Error];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            OsCheck::Response => "response",
            OsCheck::Deadlock => "deadlock",
            OsCheck::Activation => "activation",
            OsCheck::Resource => "resource",
            OsCheck::Level => "level",
            OsCheck::Error => "error",
        }
    }
}

impl KernelOptions {
    /// As the macros that `kernel/config.h` describes.
    fn macros(&self) -> String {
        let checks = self.checks.iter().map(|check| format!("OSEK_CHECK_{}", check.name().to_uppercase()));
        let tickless = self.tickless.then(|| "OSEK_TICKLESS".to_string());
        let few_points = (!self.checks.contains(&OsCheck::Response)).then(|| "OSEK_FEW_POINTS".to_string());
        checks.chain(tickless).chain(few_points).map(|name| format!("#define {name} 1\n")).collect()
    }
}

/// Services after which it matters when ticks occur that expire no alarm.
pub const ALARM_SERVICES: [&str; 6] =
    ["GetAlarm", "SetRelAlarm", "SetAbsAlarm", "CancelAlarm", "IncrementCounter", "SignalCounter"];

/// Writes the kernel model for a system below a folder, which is made if need be.
pub fn write(system: &System, options: &KernelOptions, folder: &Path) -> io::Result<KernelFiles> {
    let (include, kernel) = (folder.join("include"), folder.join("kernel"));
    std::fs::create_dir_all(&include)?;
    std::fs::create_dir_all(kernel.join("plumb"))?;
    let ids = format!("{}{}", generate::ids(system), options.macros());
    for (name, text) in HEADERS.into_iter().chain([(IDS, ids.as_str())]) {
        std::fs::write(include.join(name), named(name, text))?;
    }
    // The kernel sees its own copy beside it, whatever the application's search path holds.
    for (name, text) in INTERNAL_HEADERS.into_iter().chain([HEADERS[0], (IDS, ids.as_str())]) {
        std::fs::write(kernel.join(name), named(name, text))?;
    }
    let tables = generate::tables(system);
    let mut units = Vec::new();
    for (name, text) in UNITS.into_iter().chain([(TABLES, tables.as_str())]) {
        let path = kernel.join(name);
        std::fs::write(&path, named(name, text))?;
        units.push(path);
    }
    Ok(KernelFiles { include_dir: include, units })
}

/// A text with the name that places in it have. The directive is not the first line: that would be preprocessed text.
fn named(name: &str, text: &str) -> String {
    format!("/* {name} */\n#line 1 \"<osek>/{name}\"\n{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the files of a folder that end like this.
    fn files(folder: &str, ending: &str) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(ending)).collect();
        names.sort();
        names
    }

    #[test]
    fn every_file_of_the_kernel_model_is_there() {
        let sorted = |list: Vec<&str>| {
            let mut list: Vec<String> = list.into_iter().map(str::to_string).collect();
            list.sort();
            list
        };
        assert_eq!(files("kernel", ".c"), sorted(UNITS.iter().map(|(name, _)| *name).collect()));
        let headers =
            [files("kernel", ".h"), files("kernel/headers", ".h"), vec!["plumb/stack.h".to_string()]].concat();
        let headers = sorted(headers.iter().map(String::as_str).collect());
        assert_eq!(headers, sorted(HEADERS.iter().chain(&INTERNAL_HEADERS).map(|(name, _)| *name).collect()));
    }
}
