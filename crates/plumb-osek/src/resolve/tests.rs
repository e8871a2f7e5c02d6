//! Resolution, one table of what is right and one of what is wrong. The cases are parts of a CPU section that is complete
//! without them.

use crate::config::{Action, Level, MessageKind, ResourceKind, System};
use crate::read_oil_text;
use plumb_c::diag::Severity;

const BASE: &str = "OS os { STATUS = EXTENDED; };\nAPPMODE normal { };\n";

fn task(name: &str, priority: u32, more: &str) -> String {
    format!("TASK {name} {{ PRIORITY = {priority}; SCHEDULE = FULL; ACTIVATION = 1; AUTOSTART = FALSE; {more} }};\n")
}

fn messages(text: &str, severity: Severity) -> Vec<String> {
    let oil = read_oil_text("a.oil", text);
    let list = oil.diags.iter().filter(|d| d.severity == severity);
    list.map(|d| format!("{}: {}", oil.sources.place(d.span).map_or(0, |p| p.line), d.message)).collect()
}

fn system(body: &str) -> System {
    let text = format!("CPU c {{\n{BASE}{body}}};");
    let oil = read_oil_text("a.oil", &text);
    let messages: Vec<_> = oil.diags.iter().map(|d| d.message.clone()).collect();
    oil.system.unwrap_or_else(|| panic!("{messages:?}"))
}

/// The errors of a description with these objects from line 4 on.
fn errors(body: &str) -> Vec<String> {
    let text = format!("CPU c {{\n{BASE}{body}}};");
    assert!(read_oil_text("a.oil", &text).system.is_none(), "{body}");
    messages(&text, Severity::Error)
}

#[test]
fn priorities_become_levels_without_gaps() {
    let isr = |name: &str, category: u32, priority: u32| {
        format!("ISR {name} {{ CATEGORY = {category}; PRIORITY = {priority}; }};\n")
    };
    let counter = "COUNTER ticks { MAXALLOWEDVALUE = 9; TICKSPERBASE = 1; MINCYCLE = 1; };\n\
                   COUNTER soft { MAXALLOWEDVALUE = 9; TICKSPERBASE = 1; MINCYCLE = 1; TYPE = SOFTWARE; };\n";
    let body = [
        task("low", 0, ""),
        task("same", 7, ""),
        task("high", 100, ""),
        task("other", 7, ""),
        isr("slow", 2, 3),
        isr("fast", 2, 8),
        isr("first", 1, 9),
        counter.to_string(),
    ];
    let system = system(&body.concat());
    let levels: Vec<u8> = system.tasks.iter().map(|task| task.level.0).collect();
    assert_eq!(levels, [1, 2, 3, 2]);
    let levels: Vec<u8> = system.isrs.iter().map(|isr| isr.level.0).collect();
    assert_eq!(levels, [4, 5, 7]);
    assert_eq!(system.counters[0].level, Some(Level(6)));
    assert_eq!(system.counters[1].level, None);
}

#[test]
fn ceilings_are_those_of_all_users_of_linked_resources() {
    let body = [
        "RESOURCE a { RESOURCEPROPERTY = LINKED { LINKEDRESOURCE = b; }; };\n",
        "RESOURCE b { RESOURCEPROPERTY = LINKED { LINKEDRESOURCE = c; }; };\n",
        "RESOURCE c { RESOURCEPROPERTY = STANDARD; };\n",
        "RESOURCE unused { RESOURCEPROPERTY = STANDARD; };\n",
        "RESOURCE inner { RESOURCEPROPERTY = INTERNAL; };\n",
        "ISR handler { CATEGORY = 2; RESOURCE = b; };\n",
    ];
    let tasks = [
        task("t1", 1, "RESOURCE = c; RESOURCE = inner;"),
        task("t2", 2, "RESOURCE = a; RESOURCE = RES_SCHEDULER;"),
        task("t3", 3, "RESOURCE = inner;"),
        task("t4", 4, ""),
    ];
    let system = system(&(body.concat() + &tasks.concat()));
    let ceilings: Vec<(&str, u8)> = system.resources.iter().map(|r| (r.name.as_str(), r.ceiling.0)).collect();
    assert_eq!(ceilings, [("a", 5), ("b", 5), ("c", 5), ("unused", 0), ("RES_SCHEDULER", 4)]);
    assert_eq!(system.resources[4].kind, ResourceKind::Scheduler);
    let running: Vec<u8> = system.tasks.iter().map(|task| task.running_level.0).collect();
    assert_eq!(running, [3, 2, 3, 4]);
}

#[test]
fn open_masks_get_bits_that_no_event_of_the_same_task_has() {
    let body = [
        task("t1", 1, "EVENT = a; EVENT = b; EVENT = shared;"),
        task("t2", 2, "EVENT = shared; EVENT = c;"),
        "EVENT a { MASK = AUTO; };\nEVENT b { MASK = 0x1; };\nEVENT shared { };\nEVENT c { };\nEVENT lone { };\n"
            .to_string(),
    ];
    let system = system(&body.concat());
    let masks: Vec<(&str, u32, bool)> = system.events.iter().map(|e| (e.name.as_str(), e.mask, e.auto)).collect();
    let expected = [("a", 2, true), ("b", 1, false), ("shared", 4, true), ("c", 1, true), ("lone", 1, true)];
    assert_eq!(masks, expected);
    assert!(system.tasks.iter().all(|task| task.is_extended()));
}

#[test]
fn handlers_of_category_1_are_above_all_others() {
    let body = task("t", 1, "") + "ISR i { CATEGORY = 1; PRIORITY = 1; };\nISR j { CATEGORY = 2; PRIORITY = 2; };\n";
    let found = messages(&format!("CPU c {{\n{BASE}{body}}};"), Severity::Warning);
    assert_eq!(found, ["5: ISR `i` of category 1 has a lower priority than `j` of category 2"]);
    let system = system(&body);
    assert!(system.isrs[0].level > system.isrs[1].level);
}

#[test]
fn the_default_mode_is_the_first() {
    let body = task("t", 1, "")
        + "APPMODE second { DEFAULT = TRUE; };\nAPPMODE third { };\n\
        COUNTER c1 { MAXALLOWEDVALUE = 9; TICKSPERBASE = 1; MINCYCLE = 1; };\n\
        ALARM a { COUNTER = c1; ACTION = ACTIVATETASK { TASK = t; };\n\
                  AUTOSTART = TRUE { ALARMTIME = 3; CYCLETIME = 0; APPMODE = normal; APPMODE = second; }; };\n";
    let system = system(&body);
    let modes: Vec<&str> = system.modes.iter().map(|mode| mode.name.as_str()).collect();
    assert_eq!(modes, ["second", "normal", "third"]);
    let modes: Vec<usize> = system.alarms[0].autostart.as_ref().unwrap().modes.iter().map(|mode| mode.0).collect();
    assert_eq!(modes, [1, 0]);
}

#[test]
fn the_system_counter_is_there_if_an_alarm_names_it() {
    let alarm = "ALARM a { COUNTER = SystemCounter; ACTION = ALARMCALLBACK { ALARMCALLBACKNAME = \"cb\"; }; AUTOSTART = FALSE; };\n";
    let body = task("t", 1, "") + alarm;
    let made = system(&body);
    assert_eq!(made.counters[0].name, "SystemCounter");
    assert_eq!(made.alarms[0].action, Action::Callback("cb".to_string()));
    let found = messages(&format!("CPU c {{\n{BASE}{body}}};"), Severity::Warning);
    assert!(found.iter().any(|w| w.starts_with("5: SystemCounter is not described")), "{found:?}");
    let described = "COUNTER SystemCounter { MAXALLOWEDVALUE = 50; TICKSPERBASE = 1; MINCYCLE = 1; };\n";
    assert_eq!(system(&(body + described)).counters[0].max_allowed_value, 50);
}

#[test]
fn messages_find_their_senders() {
    let body = task("t", 1, "MESSAGE = s; EVENT = e;")
        + "EVENT e { };\n\
        MESSAGE r { MESSAGEPROPERTY = RECEIVE_QUEUED_INTERNAL { SENDINGMESSAGE = s; QUEUESIZE = 3; FILTER = NEWISWITHIN { MIN = 1; MAX = 5; }; };\n\
                    NOTIFICATION = SETEVENT { TASK = t; EVENT = e; }; };\n\
        MESSAGE s { MESSAGEPROPERTY = SEND_STATIC_INTERNAL { CDATATYPE = \"unsigned int\"; }; };\n\
        MESSAGE z { MESSAGEPROPERTY = SEND_ZERO_INTERNAL; };\n\
        MESSAGE f { MESSAGEPROPERTY = RECEIVE_ZERO_INTERNAL { SENDINGMESSAGE = z; }; NOTIFICATION = FLAG { FLAGNAME = \"raised\"; }; };\n";
    let system = system(&body);
    let MessageKind::ReceiveQueued { sender, filter, queue_size } = &system.messages[0].kind else { panic!() };
    assert_eq!(
        (sender.0, filter.algorithm.name, &filter.parameters[..], *queue_size),
        (1, "NEWISWITHIN", &[1, 5][..], 3)
    );
    assert_eq!(system.messages[3].notification, Action::Flag("raised".to_string()));
}

#[test]
fn parts_of_an_object_are_joined_over_sections() {
    let text = format!(
        "IMPLEMENTATION i {{ TASK {{ UINT32 [1..10] PRIORITY = 2; UINT32 STACKSIZE = 512; BOOLEAN AUTOSTART = FALSE; }};\n\
           ISR {{ UINT32 [1, 2] CATEGORY = 1; UINT32 PRIORITY = 1; }}; }};\n\
         CPU board {{ OS defaults {{ BUILD = TRUE {{ COMPILER = \"cc\"; }}; }}; ISR irq {{ SOURCE = LINE3; }}; LIBRARY l {{ PATH = \"x\"; }}; }};\n\
         CPU c {{\n{BASE}TASK t {{ SCHEDULE = FULL; SCHEDULE = FULL; ACTIVATION = 1; }};\nISR irq {{ CATEGORY = 2; }};\n}};"
    );
    let oil = read_oil_text("a.oil", &text);
    let messages: Vec<_> = oil.diags.iter().map(|d| d.message.clone()).collect();
    let system = oil.system.unwrap_or_else(|| panic!("{messages:?}"));
    assert_eq!(messages, ["TASK `t` gives `SCHEDULE` twice"]);
    assert_eq!(system.tasks[0].priority, 2);
    assert_eq!((system.isrs[0].category, system.isrs[0].priority), (2, Some(1)));
    let passed: Vec<(&str, usize)> = system.passed_over.iter().map(|p| (p.what.as_str(), p.count)).collect();
    assert_eq!(passed, [("OS.BUILD", 1), ("ISR.SOURCE", 1), ("TASK.STACKSIZE", 1), ("LIBRARY", 1)]);
}

#[test]
fn what_could_change_the_schedule_and_is_not_understood_is_refused_unless_ignored() {
    let table = [
        (
            "",
            "DEADLINE = 5;",
            "4: TASK `t`: the attribute `DEADLINE` is not understood, and could change the schedule",
            "TASK.DEADLINE",
        ),
        (
            "",
            "TIMING_PROTECTION = TRUE { EXECUTIONBUDGET = 3; };",
            "4: TASK `t`: `TIMING_PROTECTION = TRUE` is not supported: the kernel model has no timing or memory protection",
            "TASK.*",
        ),
        (
            "SCHEDULETABLE s { LENGTH = 3; };\n",
            "",
            "4: SCHEDULETABLE `s` is not supported: the kernel model has no schedule tables",
            "SCHEDULETABLE",
        ),
        (
            "SERVER s { PERIOD = 3; RUNS x { TASK = t; }; };\n",
            "",
            "4: SERVER `s` is not understood, and could change the schedule: it refers to `t`",
            "SERVER",
        ),
    ];
    for (object, attribute, expected, ignore) in table {
        let body = format!("{object}{}", task("t", 1, attribute));
        assert_eq!(errors(&body), [expected]);
        let mut reader = crate::read::Reader::new(&[]);
        reader.text("a.oil", &format!("CPU c {{\n{BASE}{body}}};"));
        let oil = crate::finish(reader, &[ignore.to_string()]);
        let system = oil.system.unwrap_or_else(|| panic!("{body}"));
        assert_eq!(system.passed_over.len(), 1, "{body}");
    }
}

#[test]
fn every_error_has_its_place() {
    let t = |more: &str| task("t", 1, more);
    let counter = "COUNTER k { MAXALLOWEDVALUE = 10; TICKSPERBASE = 1; MINCYCLE = 2; };\n";
    let alarm = |action: &str, start: &str| {
        format!(
            "{}{}{counter}ALARM a {{ COUNTER = k; ACTION = {action}; AUTOSTART = {start}; }};\n",
            t("EVENT = e;"),
            "EVENT e { };\n"
        )
    };
    let start = |values: &str| alarm("ACTIVATETASK { TASK = t; }", &format!("TRUE {{ {values} APPMODE = normal; }}"));
    let message = |property: &str| format!("{}MESSAGE m {{ MESSAGEPROPERTY = {property}; }};\n", t(""));
    let table: Vec<(String, &str)> = vec![
        (t("RESOURCE = r;"), "4: TASK `t` refers to the RESOURCE `r`, which is not described"),
        (t("EVENT = normal;"), "4: TASK `t` refers to `normal`, which is of kind APPMODE, not EVENT"),
        (t("") + "EVENT t { };\n", "5: EVENT `t` has the name of another object, of kind TASK"),
        (t("") + "EVENT while { };\n", "5: `while` cannot name an object: it is a word of C"),
        (t("PRIORITY = 2;"), "4: TASK `t` has `PRIORITY = 1` and `PRIORITY = 2`"),
        (t("") + "TASK t { PRIORITY = 2; };\n", "5: TASK `t` has `PRIORITY = 1` and `PRIORITY = 2`"),
        (t("") + "TASK u { };\n", "5: TASK `u` has no `PRIORITY`"),
        (t("").replace("PRIORITY = 1", "PRIORITY = -1"), "4: TASK `t`: `PRIORITY` cannot be `-1`"),
        (t("").replace("PRIORITY = 1", "PRIORITY = 4294967296"), "4: TASK `t`: `PRIORITY` cannot be `4294967296`"),
        (t("").replace("PRIORITY = 1", "PRIORITY = AUTO"), "4: TASK `t`: `PRIORITY` cannot be `AUTO`"),
        (t("EVENT = e { X = 1; };") + "EVENT e { };\n", "4: TASK `t`: `EVENT` cannot be `e`"),
        (t("").replace("FULL", "MIXED"), "4: TASK `t`: `SCHEDULE` cannot be `MIXED`"),
        (t("").replace("ACTIVATION = 1", "ACTIVATION = 0"), "4: TASK `t` can never be activated: `ACTIVATION = 0`"),
        (
            t("").replace("ACTIVATION = 1", "ACTIVATION = 256"),
            "4: TASK `t`: the kernel model has room for 255 activations",
        ),
        (
            t("EVENT = e;").replace("ACTIVATION = 1", "ACTIVATION = 2") + "EVENT e { };\n",
            "4: TASK `t` has events and `ACTIVATION = 2`",
        ),
        (
            t("").replace("AUTOSTART = FALSE", "AUTOSTART = TRUE"),
            "4: TASK `t` starts by itself, but in no application mode",
        ),
        (t("").replace("AUTOSTART = FALSE", "AUTOSTART = 1"), "4: TASK `t`: `AUTOSTART` cannot be `1`"),
        (
            t("RESOURCE = i; RESOURCE = j;")
                + "RESOURCE i { RESOURCEPROPERTY = INTERNAL; };\nRESOURCE j { RESOURCEPROPERTY = INTERNAL; };\n",
            "4: TASK `t` has a second internal resource, `j`",
        ),
        (t("") + "EVENT e { MASK = 3; };\n", "5: EVENT `e` has the mask 0x3, which is not one bit of 32"),
        (t("") + "EVENT e { MASK = 0; };\n", "5: EVENT `e` has the mask 0x0, which is not one bit of 32"),
        (
            t("") + "EVENT e { MASK = 0x100000000; };\n",
            "5: EVENT `e` has the mask 0x100000000, which is not one bit of 32",
        ),
        (
            t("EVENT = e; EVENT = f;") + "EVENT e { MASK = 4; };\nEVENT f { MASK = 4; };\n",
            "6: the events `e` and `f` of TASK `t` have the same mask 0x4",
        ),
        (t("") + "RESOURCE r { };\n", "5: RESOURCE `r` has no `RESOURCEPROPERTY`"),
        (
            t("") + "RESOURCE r { RESOURCEPROPERTY = LINKED { LINKEDRESOURCE = r; }; };\n",
            "5: RESOURCE `r` is linked in a circle",
        ),
        (
            t("")
                + "RESOURCE r { RESOURCEPROPERTY = LINKED { LINKEDRESOURCE = i; }; };\nRESOURCE i { RESOURCEPROPERTY = INTERNAL; };\n",
            "5: RESOURCE `r` is linked with an internal resource, `i`",
        ),
        (t("") + "RESOURCE r { RESOURCEPROPERTY = LINKED; };\n", "5: RESOURCE `r` has no `LINKEDRESOURCE`"),
        (
            t("") + "RESOURCE RES_SCHEDULER { RESOURCEPROPERTY = INTERNAL; };\n",
            "5: RES_SCHEDULER is the operating system's: it cannot be described otherwise",
        ),
        (t("") + &counter.replace("= 10", "= 0"), "5: COUNTER `k` has `MAXALLOWEDVALUE = 0`"),
        (t("") + &counter.replace("= 10", "= 1"), "5: COUNTER `k`: `MINCYCLE = 2` is more than `MAXALLOWEDVALUE = 1`"),
        (t("") + &counter.replace("MINCYCLE = 2;", ""), "5: COUNTER `k` has no `MINCYCLE`"),
        (alarm("ACTIVATETASK", "FALSE"), "7: ALARM `a` has no `TASK`"),
        (
            alarm("SETEVENT { TASK = t; EVENT = x; }", "FALSE"),
            "7: ALARM `a` refers to the EVENT `x`, which is not described",
        ),
        (
            task("u", 2, "") + &alarm("SETEVENT { TASK = u; EVENT = e; }", "FALSE"),
            "8: ALARM `a` sets the event `e`, which TASK `u` does not have",
        ),
        (
            alarm("ALARMCALLBACK { ALARMCALLBACKNAME = \"a b\"; }", "FALSE"),
            "7: the callback routine `a b` is no identifier of C",
        ),
        (alarm("INCREMENTCOUNTER { COUNTER = k; }", "FALSE"), "7: ALARM `a`: `ACTION` cannot be `INCREMENTCOUNTER`"),
        (
            start("ALARMTIME = 11; CYCLETIME = 0;"),
            "7: ALARM `a`: `ALARMTIME = 11` is more than the counter `k` counts to, 10",
        ),
        (
            start("ALARMTIME = 1; CYCLETIME = 1;"),
            "7: ALARM `a`: `CYCLETIME = 1` is not from 2 to 10, as the counter `k` demands",
        ),
        (start("ALARMTIME = 0; CYCLETIME = 0;"), "7: ALARM `a`: `ALARMTIME = 0` is left to the implementation"),
        (start("CYCLETIME = 0;"), "7: ALARM `a` has no `ALARMTIME`"),
        (t("") + "ISR i { };\n", "5: ISR `i` has no `CATEGORY`"),
        (t("") + "ISR i { CATEGORY = 3; };\n", "5: ISR `i`: `CATEGORY` cannot be `3`"),
        (
            t("") + "ISR i { CATEGORY = 1; RESOURCE = r; };\nRESOURCE r { RESOURCEPROPERTY = STANDARD; };\n",
            "5: ISR `i` is of category 1 and cannot use `r`",
        ),
        (
            t("") + "ISR i { CATEGORY = 2; RESOURCE = r; };\nRESOURCE r { RESOURCEPROPERTY = INTERNAL; };\n",
            "5: ISR `i` cannot use the internal resource `r`",
        ),
        (t("") + "ISR i { CATEGORY = 2; RESOURCE = RES_SCHEDULER; };\n", "5: ISR `i` cannot use RES_SCHEDULER"),
        (
            t("") + "ISR i { CATEGORY = 2; };\nISR j { CATEGORY = 2; PRIORITY = 2; };\n",
            "5: ISR `i` has no `PRIORITY`, but other handlers have",
        ),
        (message("SEND_STATIC_EXTERNAL"), "5: MESSAGE `m`: `MESSAGEPROPERTY` cannot be `SEND_STATIC_EXTERNAL`"),
        (message("SEND_STATIC_INTERNAL"), "5: MESSAGE `m` has no `CDATATYPE`"),
        (
            message("SEND_STATIC_INTERNAL { CDATATYPE = \"int; x\"; }"),
            "5: MESSAGE `m`: the data type `int; x` is no type of C that can be named",
        ),
        (
            message("RECEIVE_ZERO_INTERNAL { SENDINGMESSAGE = m; }"),
            "5: MESSAGE `m` receives from `m`, which is no sending message",
        ),
        (
            message("SEND_ZERO_INTERNAL; NOTIFICATION = ACTIVATETASK { TASK = t; }"),
            "5: MESSAGE `m` is sent, and has a notification",
        ),
        (
            message("SEND_ZERO_INTERNAL")
                + "MESSAGE r { MESSAGEPROPERTY = RECEIVE_QUEUED_INTERNAL { SENDINGMESSAGE = m; QUEUESIZE = 0; }; };\n",
            "6: MESSAGE `r`: `QUEUESIZE = 0` is not from 1 to 255",
        ),
        (
            message("SEND_ZERO_INTERNAL")
                + "MESSAGE r { MESSAGEPROPERTY = RECEIVE_UNQUEUED_INTERNAL { SENDINGMESSAGE = m; }; };\n",
            "6: MESSAGE `r` receives from `m`, which has no data",
        ),
        (String::new(), "0: the description has no TASK object"),
        (
            t("") + "APPMODE a { DEFAULT = TRUE; };\nAPPMODE b { DEFAULT = TRUE; };\n",
            "6: APPMODE `b` is a second default mode",
        ),
        (
            t("") + "COM com { COMSTARTCOMEXTENSION = TRUE; };\n",
            "5: `COMSTARTCOMEXTENSION = TRUE` is not supported: the kernel model does not call StartCOMExtension",
        ),
    ];
    for (body, expected) in table {
        let messages = errors(&body);
        assert_eq!(messages.first().map(String::as_str), Some(expected), "{body}\n{messages:?}");
    }
}

#[test]
fn a_vendor_can_restrict_ranges_and_not_widen_them() {
    let with = |definition: &str, priority: &str| {
        let task = task("t", 1, "").replace("PRIORITY = 1", &format!("PRIORITY = {priority}"));
        let text = format!(
            "IMPLEMENTATION i {{ TASK {{ {definition} }}; }};\nCPU c {{ OS os {{ STATUS = STANDARD; }}; {task} }};"
        );
        messages(&text, Severity::Error)
    };
    assert!(with("UINT64 PRIORITY;", "4294967295").is_empty());
    assert_eq!(with("UINT64 PRIORITY;", "4294967297"), ["2: TASK `t`: `PRIORITY` cannot be `4294967297`"]);
    assert_eq!(with("UINT32 [1..10] PRIORITY;", "11"), ["2: TASK `t`: `PRIORITY` cannot be `11`"]);
    assert_eq!(with("UINT32 [2, 4] PRIORITY;", "3"), ["2: TASK `t`: `PRIORITY` cannot be `3`"]);
    assert_eq!(with("UINT32 WITH_AUTO PRIORITY;", "AUTO"), ["2: TASK `t`: `PRIORITY` cannot be `AUTO`"]);
    let open = task("t", 1, "").replace("SCHEDULE = FULL", "SCHEDULE = AUTO");
    let definition = "IMPLEMENTATION i { TASK { ENUM WITH_AUTO [NON, FULL] SCHEDULE; }; };\n";
    let text = format!("{definition}CPU c {{ OS os {{ STATUS = STANDARD; }}; {open} }};");
    assert_eq!(messages(&text, Severity::Error), ["2: TASK `t`: `SCHEDULE` cannot be `AUTO`"]);
}

#[test]
fn a_description_without_an_os_is_refused() {
    let text = format!("CPU c {{ APPMODE m; {} }};", task("t", 1, ""));
    assert_eq!(messages(&text, Severity::Error), ["0: the description has no OS object"]);
    let text = text.replace("APPMODE m;", "OS os { };");
    assert_eq!(messages(&text, Severity::Error), ["1: OS `os` has no `STATUS`"]);
}

#[test]
fn more_objects_than_the_tables_number_are_refused() {
    let tasks: String = (0..255).map(|i| task(&format!("t{i}"), 1, "")).collect();
    assert_eq!(errors(&tasks), ["258: there are more than 254 objects of kind TASK"]);
    let tasks: String = (0..254).map(|i| task(&format!("t{i}"), i, "")).collect();
    assert_eq!(errors(&tasks), ["4: the system has more than 254 priorities"]);
    let events: String = (0..33).map(|i| format!("EVENT e{i} {{ }};\n")).collect();
    let used: String = (0..33).map(|i| format!("EVENT = e{i}; ")).collect();
    assert_eq!(errors(&(task("t", 1, &used) + &events)), ["37: there is no bit left for EVENT `e32`"]);
}
