//! What is generated, compiled by gcc along with the kernel model: names, tables and headers fit together.

mod support;

use plumb_osek::{kernel, read_oil_text};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Model, Random};

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("plumb-osek-generated-{name}-{}", std::process::id()))
}

/// Compiles an application with the kernel model, as far as objects.
fn compile(description: &str, application: &str, folder: &Path) -> Result<(), String> {
    let oil = read_oil_text("a.oil", description);
    let told: Vec<_> = oil.diags.iter().map(|d| d.message.clone()).collect();
    let system = oil.system.ok_or_else(|| format!("{told:?}\n{description}"))?;
    let files = kernel::write(&system, &kernel::KernelOptions::default(), folder).map_err(|error| error.to_string())?;
    let source = folder.join("application.c");
    std::fs::write(&source, application).map_err(|error| error.to_string())?;
    let mut command = Command::new("gcc");
    command.args(["-std=c11", "-fsyntax-only", "-Wall", "-Werror", "-I"]).arg(&files.include_dir);
    command.arg(&source).args(&files.units);
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

#[test]
fn random_systems_compile_with_the_kernel_model() {
    for seed in 0..12 {
        let mut random = Random(seed * 7919);
        let model = Model::random(&mut random);
        let text = model.text(&mut random);
        let mut application = "#include \"os.h\"\n".to_string();
        for (i, task) in model.tasks.iter().enumerate() {
            let events: String = task.events.iter().map(|e| format!("SetEvent(t{i}, e{e});\n")).collect();
            application +=
                &format!("DeclareTask(t{i});\nTASK(t{i})\n{{\n{events}ActivateTask(t{i});\nTerminateTask();\n}}\n");
        }
        application += &(0..model.isrs.len()).map(|i| format!("ISR(i{i})\n{{\n}}\n")).collect::<String>();
        let folder = folder("random");
        let result = compile(&text, &application, &folder);
        let _ = std::fs::remove_dir_all(&folder);
        result.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    }
}

const RICH: &str = r#"
CPU c {
  OS os { STATUS = EXTENDED; ERRORHOOK = TRUE; STARTUPHOOK = TRUE; USEGETSERVICEID = TRUE; };
  COM com { COMSTATUS = COMEXTENDED; COMAPPMODE = "talking"; };
  APPMODE normal { };
  APPMODE diagnosis { };
  TASK control { PRIORITY = 5; SCHEDULE = FULL; ACTIVATION = 1; AUTOSTART = TRUE { APPMODE = normal; APPMODE = diagnosis; };
                 EVENT = tick; EVENT = high; RESOURCE = lock; MESSAGE = speed; };
  TASK log { PRIORITY = 1; SCHEDULE = NON; ACTIVATION = 3; AUTOSTART = FALSE; RESOURCE = RES_SCHEDULER; };
  EVENT tick { };
  EVENT high { MASK = 0x80000000; };
  RESOURCE lock { RESOURCEPROPERTY = STANDARD; };
  RESOURCE again { RESOURCEPROPERTY = LINKED { LINKEDRESOURCE = lock; }; };
  RESOURCE inner { RESOURCEPROPERTY = INTERNAL; };
  ALARM timeout { COUNTER = SystemCounter; ACTION = ALARMCALLBACK { ALARMCALLBACKNAME = "expired"; }; AUTOSTART = FALSE; };
  ALARM wake { COUNTER = SystemCounter; ACTION = SETEVENT { TASK = control; EVENT = high; };
               AUTOSTART = TRUE { ALARMTIME = 10; CYCLETIME = 5; APPMODE = diagnosis; }; };
  ISR button { CATEGORY = 2; RESOURCE = again; };
  MESSAGE speed { MESSAGEPROPERTY = SEND_STATIC_INTERNAL { CDATATYPE = "uint16"; }; };
  MESSAGE latest { MESSAGEPROPERTY = RECEIVE_UNQUEUED_INTERNAL { SENDINGMESSAGE = speed; INITIALVALUE = 7;
                   FILTER = MASKEDNEWDIFFERSX { MASK = 0xff; X = 3; }; }; NOTIFICATION = FLAG { FLAGNAME = "changed"; }; };
  MESSAGE queue { MESSAGEPROPERTY = RECEIVE_QUEUED_INTERNAL { SENDINGMESSAGE = speed; QUEUESIZE = 4; };
                  NOTIFICATION = COMCALLBACK { CALLBACKROUTINENAME = "arrived"; }; };
  MESSAGE ping { MESSAGEPROPERTY = SEND_ZERO_INTERNAL; };
  MESSAGE pong { MESSAGEPROPERTY = RECEIVE_ZERO_INTERNAL { SENDINGMESSAGE = ping; }; NOTIFICATION = ACTIVATETASK { TASK = log; }; };
};
"#;

/// Every kind of name in every kind of place, constants among them; and a local name that is an object's.
const APPLICATION: &str = r#"
#include "kernel.h"
#include "kernel_id.h"
#include "tpl_os.h"
DeclareTask(control)
DeclareTask(log);
DeclareEvent(high);
_Static_assert(control == 0 && log == 1 && lock == 0 && again == 1 && RES_SCHEDULER == 2, "identifiers");
_Static_assert(tick == 1 && high == 0x80000000u && high > 0, "masks");
_Static_assert(normal == OSDEFAULTAPPMODE && diagnosis == 1, "modes");
_Static_assert(OSMAXALLOWEDVALUE == 4294967295u && OSMINCYCLE_SystemCounter == 1, "the system counter");
static const TaskType table[] = { control, log };
TASK(control)
{
    uint16 speed_now = 3;
    { int tick = 5; (void)tick; }
    WaitEvent(tick | high);
    SetRelAlarm(timeout, 10, 0);
    GetResource(lock);
    GetResource(again);
    SendMessage(speed, &speed_now);
    if (ReadFlag_changed()) {
        ResetFlag_changed();
    }
    switch (GetActiveApplicationMode()) {
    case normal: break;
    case diagnosis: SendZeroMessage(ping); break;
    }
    ChainTask(table[1]);
}
TASK(log) { GetResource(RES_SCHEDULER); TerminateTask(); }
ISR(button) { IncrementCounter(SystemCounter); }
ALARMCALLBACK(expired) { }
COMCallback(arrived) { }
void ErrorHook(StatusType error) { (void)error; }
void StartupHook(void) { StartCOM(talking); }
"#;

#[test]
fn every_kind_of_name_is_there_for_the_application() {
    let folder = folder("rich");
    let result = compile(RICH, APPLICATION, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    result.unwrap();
}

#[test]
fn filters_of_values_that_are_no_integers_are_refused() {
    let folder = folder("filter");
    let result = compile(&RICH.replace("\"uint16\"", "\"double\""), APPLICATION, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    let error = result.unwrap_err();
    assert!(error.contains("compares integers"), "{error}");
}

const SCHEDULED: &str = r#"
CPU c {
  OS os { STATUS = EXTENDED; STARTUPHOOK = TRUE; SHUTDOWNHOOK = TRUE; };
  APPMODE normal { };
  TASK high { PRIORITY = 9; SCHEDULE = FULL; ACTIVATION = 1; AUTOSTART = TRUE { APPMODE = normal; }; EVENT = go; RESOURCE = lock; };
  TASK low { PRIORITY = 1; SCHEDULE = FULL; ACTIVATION = 1; AUTOSTART = TRUE { APPMODE = normal; }; RESOURCE = lock; };
  EVENT go { MASK = AUTO; };
  RESOURCE lock { RESOURCEPROPERTY = STANDARD; };
};
"#;

/// No interrupt occurs: the environment says so at every preemption point.
const PRINTING: &str = r#"
#include <stdio.h>
#include "os.h"
_Bool __VERIFIER_nondet_bool(void) { return 0; }
void StartupHook(void) { puts("startup"); }
void ShutdownHook(StatusType error) { printf("shutdown %d\n", error); }
TASK(high) { puts("high waits"); WaitEvent(go); puts("high goes"); TerminateTask(); }
TASK(low)
{
    GetResource(lock);
    SetEvent(high, go);
    puts("low holds the lock");
    ReleaseResource(lock);
    puts("low ends");
    ShutdownOS(E_OK);
}
"#;

#[test]
fn a_generated_system_is_scheduled_as_its_description_says() {
    let folder = folder("scheduled");
    let system = read_oil_text("a.oil", SCHEDULED).system.unwrap();
    let files = kernel::write(&system, &kernel::KernelOptions::default(), &folder).unwrap();
    let (source, program) = (folder.join("application.c"), folder.join("application"));
    std::fs::write(&source, PRINTING).unwrap();
    let stacks = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernel/native");
    let mut command = Command::new("gcc");
    command.args(["-std=gnu11", "-w", "-I"]).arg(&files.include_dir).arg("-I").arg(&stacks).arg(&source);
    let compiled = command.args(&files.units).arg(stacks.join("stack.c")).arg("-o").arg(&program).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&program).output().unwrap();
    let _ = std::fs::remove_dir_all(&folder);
    let printed = String::from_utf8_lossy(&ran.stdout);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines, ["startup", "high waits", "low holds the lock", "high goes", "low ends", "shutdown 0"]);
}
