//! Attributes and objects beyond OIL 2.5: which of them can be passed over, and which would change what the scheduler does.
//!
//! A vendor's attribute is passed over, and reported, if it is known to concern how a system is built or observed, or if it
//! is a string or `FALSE`. Any other one could change the scheduling: it is an error, unless the user says that it does not
//! (`--oil-ignore`). A vendor's object is passed over unless it is known to schedule something or refers to an object that
//! is scheduled.

use crate::ast::{Attribute, Value, ValueKind};

/// What to do with an attribute or object that Plumb does not model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Treatment {
    PassOver,
    /// It changes what the system does: the reason is reported.
    Refuse(&'static str),
    /// Nobody knows.
    Unknown,
}

/// What an attribute of a vendor is about.
#[derive(Clone, Copy)]
enum Concern {
    /// How the system is built, placed in memory, traced or debugged.
    Build,
    /// It changes what the system does unless it has one of these values.
    Unless(&'static [&'static str], &'static str),
}

use Concern::{Build, Unless};

const PROTECTION: &str = "the kernel model has no timing or memory protection";
const APPLICATIONS: &str = "the kernel model has no OS-applications, which restrict who may use what";

/// By kind of object and attribute. Vendors are Trampoline, TOPPERS/OSEK (nxtOSEK), ERIKA and AUTOSAR.
const ATTRIBUTES: &[(&str, &str, Concern)] = &[
    ("OS", "APP_CPPSRC", Build),
    ("OS", "APP_NAME", Build),
    ("OS", "APP_SRC", Build),
    ("OS", "ASFLAGS", Build),
    ("OS", "ASSEMBLER", Build),
    ("OS", "BUILD", Build),
    ("OS", "CC", Unless(&["BCC1", "BCC2", "ECC1", "ECC2", "AUTO"], "OSEK has no such conformance class")),
    ("OS", "CFLAGS", Build),
    ("OS", "COMPILER", Build),
    ("OS", "CPU_DATA", Build),
    ("OS", "CPU_FREQ_MHZ", Build),
    ("OS", "DEBUG", Build),
    ("OS", "EE_OPT", Build),
    ("OS", "GDBCOMMANDS", Build),
    ("OS", "IDLE_NAME", Unless(&["idle_function"], "the kernel model has an idle loop of its own")),
    ("OS", "IDLE_POWER_MODE", Build),
    ("OS", "INITBOARD", Build),
    ("OS", "INTERRUPTTABLE", Build),
    ("OS", "ISR2_PRIORITY_MASKING", Build),
    ("OS", "KERNEL_TYPE", Unless(&["BCC1", "BCC2", "ECC1", "ECC2"], "the kernel model schedules as OSEK does")),
    ("OS", "LDFLAGS", Build),
    ("OS", "LINKER", Build),
    ("OS", "MCU_DATA", Build),
    ("OS", "MEMMAP", Build),
    ("OS", "NUMBER_OF_CORES", Unless(&["1"], "the kernel model has one core")),
    ("OS", "OPTIMIZETICKS", Build),
    ("OS", "PACKED_DATA", Build),
    ("OS", "PAINT_REGISTERS", Build),
    ("OS", "PAINT_STACK", Build),
    ("OS", "PANICHOOK", Unless(&["FALSE"], "the kernel model has no panic hook")),
    ("OS", "PROTECTIONHOOK", Unless(&["FALSE"], PROTECTION)),
    ("OS", "SCALABILITYCLASS", Unless(&["AUTO", "SC1"], PROTECTION)),
    ("OS", "SCHEDULER", Unless(&["osek"], "the kernel model schedules as OSEK does")),
    ("OS", "STACKMONITORING", Build),
    ("OS", "SYSTEM_CALL", Build),
    ("OS", "TRACE", Build),
    ("OS", "TRAMPOLINE_BASE_PATH", Build),
    ("OS", "USEVLE", Build),
    ("OS", "WITHORTI", Build),
    ("OS", "HASFLOAT", Build),
    ("TASK", "ACCESSING_APPLICATION", Unless(&[], APPLICATIONS)),
    ("TASK", "STACK", Build),
    ("TASK", "STACKSIZE", Build),
    ("TASK", "TIMING_PROTECTION", Unless(&["FALSE"], PROTECTION)),
    ("TASK", "USEFLOAT", Build),
    ("ISR", "ACCESSING_APPLICATION", Unless(&[], APPLICATIONS)),
    ("ISR", "ENTRY", Build),
    ("ISR", "EXIT_FROM_LPM", Build),
    ("ISR", "SOURCE", Build),
    ("ISR", "STACKSIZE", Build),
    ("ISR", "TIMING_PROTECTION", Unless(&["FALSE"], PROTECTION)),
    ("ISR", "USEFLOAT", Build),
    ("COUNTER", "ACCESSING_APPLICATION", Unless(&[], APPLICATIONS)),
    ("COUNTER", "CATEGORY", Build),
    ("COUNTER", "FREQUENCY", Build),
    ("COUNTER", "SOURCE", Build),
    ("ALARM", "ACCESSING_APPLICATION", Unless(&[], APPLICATIONS)),
    ("RESOURCE", "ACCESSING_APPLICATION", Unless(&[], APPLICATIONS)),
    ("MESSAGE", "NOTIFICATIONERROR", Unless(&["NONE"], "errors are notified for external messages only")),
    ("COM", "COMTIMEBASE", Build),
    ("COM", "USE", Build),
];

/// Kinds of objects that schedule something, or that say who may do what.
const REFUSED_KINDS: &[(&str, &str)] = &[
    ("SCHEDULETABLE", "the kernel model has no schedule tables"),
    ("APPLICATION", APPLICATIONS),
    ("SPINLOCK", "the kernel model has one core, and no spinlocks"),
    ("IOC", "the kernel model has no communication between OS-applications"),
];

/// What to do with an attribute that has this value, given or by default. `within` is the kind of the object, with the
/// attribute around it if the attribute belongs to a value: `TASK.AUTOSTART`.
pub fn attribute(within: &str, name: &str, value: &Value) -> Treatment {
    match ATTRIBUTES.iter().find(|(kind, attribute, _)| *kind == within && *attribute == name) {
        Some((_, _, Build)) => Treatment::PassOver,
        Some((_, _, Unless(harmless, reason))) => {
            let given = match &value.kind {
                ValueKind::Text(text) => text.clone(),
                other => other.to_string(),
            };
            if harmless.contains(&given.as_str()) { Treatment::PassOver } else { Treatment::Refuse(reason) }
        }
        None => match &value.kind {
            ValueKind::Text(_) => Treatment::PassOver,
            ValueKind::Boolean(false) if value.attributes.is_empty() => Treatment::PassOver,
            _ => Treatment::Unknown,
        },
    }
}

/// Why an object of this kind is refused, if it is known to be.
pub fn refused_kind(kind: &str) -> Option<&'static str> {
    REFUSED_KINDS.iter().find(|(refused, _)| *refused == kind).map(|(_, reason)| *reason)
}

/// The first value in these attributes that is the name of one of the objects.
pub fn first_reference<'a>(attributes: &'a [Attribute], is_scheduled: &dyn Fn(&str) -> bool) -> Option<&'a Value> {
    attributes.iter().find_map(|attribute| match &attribute.value.kind {
        ValueKind::Name(name) if is_scheduled(name) => Some(&attribute.value),
        _ => first_reference(&attribute.value.attributes, is_scheduled),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_c::source::Span;

    fn value(kind: ValueKind) -> Value {
        Value { kind, span: Span::NONE, attributes: Vec::new() }
    }

    #[test]
    fn values_decide_about_what_changes_the_schedule() {
        let cores = |n| attribute("OS", "NUMBER_OF_CORES", &value(ValueKind::Integer(n)));
        assert_eq!(cores(1), Treatment::PassOver);
        assert!(matches!(cores(2), Treatment::Refuse(_)));
        let kernel = |name: &str| attribute("OS", "KERNEL_TYPE", &value(ValueKind::Name(name.to_string())));
        assert_eq!(kernel("ECC1"), Treatment::PassOver);
        assert!(matches!(kernel("EDF"), Treatment::Refuse(_)));
    }

    #[test]
    fn what_nobody_knows_is_passed_over_only_as_text_or_false() {
        let unknown = |kind| attribute("TASK", "VENDOR", &value(kind));
        assert_eq!(unknown(ValueKind::Text("x".to_string())), Treatment::PassOver);
        assert_eq!(unknown(ValueKind::Boolean(false)), Treatment::PassOver);
        for kind in
            [ValueKind::Boolean(true), ValueKind::Integer(7), ValueKind::Name("EDF".to_string()), ValueKind::Auto]
        {
            assert_eq!(unknown(kind), Treatment::Unknown);
        }
    }
}
