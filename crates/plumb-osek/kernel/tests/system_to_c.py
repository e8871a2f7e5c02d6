#!/usr/bin/env python3
"""Writes a system in the text of the cases as an application in C, to run it with the kernel under any tool.

system_to_c.py FILE CASE DIRECTORY            a case of a file, with its expected record
system_to_c.py --random SEED DIRECTORY        a random system, with the record that the simulator makes

The directory gets osek_ids.h, osek_tables.c and app.c. The application compares every word that it records with the
expected one and calls reach_error() at the first difference, also if the record ends too early. It takes the place
of environment.c. Messages are not supported.
"""
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case_text import parse_cases  # noqa: E402
from oracle import Generator  # noqa: E402
from simulator import Simulator  # noqa: E402

STATES = ["SUSPENDED", "READY", "RUNNING", "WAITING"]
CODES = ["E_OK", "E_OS_ACCESS", "E_OS_CALLEVEL", "E_OS_ID", "E_OS_LIMIT", "E_OS_NOFUNC", "E_OS_RESOURCE", "E_OS_STATE",
         "E_OS_VALUE", "E_OS_DISABLEDINT"]
HOOKS = ["ErrorHook", "PreTaskHook", "PostTaskHook", "StartupHook", "ShutdownHook"]
PARAMETERS = {"ActivateTask": ["TaskID"], "ChainTask": ["TaskID"], "GetTaskState": ["TaskID"], "GetResource": ["ResID"],
              "ReleaseResource": ["ResID"], "SetEvent": ["TaskID", "Mask"], "ClearEvent": ["Mask"],
              "GetEvent": ["TaskID"], "WaitEvent": ["Mask"], "GetAlarmBase": ["AlarmID"], "GetAlarm": ["AlarmID"],
              "SetRelAlarm": ["AlarmID", "increment", "cycle"], "SetAbsAlarm": ["AlarmID", "start", "cycle"],
              "CancelAlarm": ["AlarmID"], "IncrementCounter": ["CounterID"], "TerminateTask": [], "Schedule": [],
              "GetTaskID": [], "GetActiveApplicationMode": [], "StartOS": [], "ShutdownOS": [],
              "EnableAllInterrupts": [], "DisableAllInterrupts": [], "ResumeAllInterrupts": [],
              "SuspendAllInterrupts": [], "ResumeOSInterrupts": [], "SuspendOSInterrupts": []}
VOID = ["DisableAllInterrupts", "EnableAllInterrupts", "SuspendAllInterrupts", "ResumeAllInterrupts",
        "SuspendOSInterrupts", "ResumeOSInterrupts", "ShutdownOS", "StartOS"]


class Writer:
    def __init__(self, system, expected, extended):
        self.sys, self.expected, self.extended = system, expected.split(), extended
        self.tokens = {}
        # One more handler of the highest priority, as in the runner: an input is asked for wherever interrupts are
        # not all masked, and the idle loop never finds that nothing can occur.
        system.isrs["last"] = (1, 254)
        self.sources = list(system.isrs) + list(system.counters)

    def token(self, word):
        return self.tokens.setdefault(word, len(self.tokens))

    # ---- osek_ids.h, osek_tables.c ----

    def ids(self):
        system = self.sys
        counts = {"TASK": len(system.tasks), "RESOURCE": len(system.resources), "COUNTER": len(system.counters),
                  "ALARM": len(system.alarms), "ISR": len(system.isrs), "MESSAGE": 0, "MODE": 3}
        for kind, count in counts.items():
            yield "#define OSEK_%s_COUNT %d" % (kind, count)
        yield "#define OSEK_ACTIVATION_TOTAL %d" % sum(task.limit for task in system.tasks)
        yield "#define OSEK_EXTENDED_STATUS %d" % self.extended
        for hook in HOOKS:
            yield "#define OSEK_%s_HOOK %d" % (hook[:-4].upper(), hook in system.scripts)
        yield "#define OSEK_COM_EXTENDED_STATUS 0"
        yield "#define OSEK_COM_ERROR_HOOK 0"
        names = [task.name for task in system.tasks]
        for group in (names, list(system.resources), list(system.counters), list(system.alarms)):
            if group:
                yield "enum { %s };" % ", ".join("id_%s = %d" % (name, i) for i, name in enumerate(group))
        yield "enum { OSDEFAULTAPPMODE = 0 };"

    def action(self, alarm):
        kind, *rest = alarm["action"]
        if kind == "activates":
            return "{OSEK_ACTION_TASK, id_%s, 0, 0}" % rest[0]
        if kind == "sets":
            return "{OSEK_ACTION_EVENT, id_%s, %d, 0}" % (rest[0], rest[1])
        return None

    def table(self, kind, rows):
        return "const osek_%s osek_%ss[%d] = {%s};" % (kind, kind, max(len(rows), 1), ", ".join(rows) or "{0}")

    def tables(self):
        system = self.sys
        yield '#include "config.h"'
        for name in [task.name for task in system.tasks] + list(system.isrs) + list(system.alarms):
            yield "void run_%s(void);" % name
        yield self.table("task", ["{run_%s, %d, %d, %d, %d, %d, %d}" % (
            t.name, t.priority, t.internal, t.preemptable, t.limit, t.extended, t.modes) for t in system.tasks])
        yield self.table("resource", ["{%d}" % ceiling for ceiling in system.resources.values()])
        yield self.table("counter", ["{%d, %d, %d, %d}" % (c["max"], c["base"], c["mincycle"], c["priority"])
                                     for c in system.counters.values()])
        yield self.table("alarm", ["{id_%s, %s, %d, %d, %d}" % (
            a["counter"], self.action(a) or "{OSEK_ACTION_CALLBACK, 0, 0, run_%s}" % name, a["modes"], a["time"],
            a["cycle"]) for name, a in system.alarms.items()])
        yield self.table("isr", ["{run_%s, %d, %d}" % (name, category, priority)
                                 for name, (category, priority) in system.isrs.items()])
        yield self.table("message", [])

    # ---- app.c ----

    def argument(self, word):
        return word if word[0].isdigit() else "id_" + word

    def command(self, name, arguments):
        if arguments is None:
            return "record(%d);" % self.token(name)
        if name == "raise":
            return "osek_interrupt(%d);" % self.sources.index(arguments[0])
        if name == "point":
            return "osek_preemption_point();"
        if name == "ErrorParameters":
            return "record_error();"
        if name == "GetActiveApplicationMode":
            return "record_number(GetActiveApplicationMode());"
        text = ", ".join(self.argument(word) for word in arguments)
        if name in VOID:
            return "%s(%s);" % (name, text)
        results = {"GetTaskID": "task", "GetTaskState": "state", "GetEvent": "events", "GetAlarm": "ticks",
                   "GetAlarmBase": "base"}
        if name in results:
            return "record_%s(%s);" % (results[name], text)
        return "record_code(%s(%s));" % (name, text)

    def body(self, name):
        parts = self.sys.scripts.get(name, [[]])
        yield "{"
        if len(parts) > 1:
            yield "    static unsigned char run;"
            yield "    unsigned char part = run;"
            yield "    if (run < %d) run++;" % (len(parts) - 1)
        for number, part in enumerate(parts):
            if len(parts) > 1:
                yield "    if (part == %d) {" % number
            for name, arguments in part:
                yield "    " + self.command(name, arguments)
            if len(parts) > 1:
                yield "    }"
        yield "}"

    def switch(self, function, parameter, pairs):
        yield "static int %s(%s value)" % (function, parameter)
        yield "{"
        yield "    switch (value) {"
        for value, word in pairs:
            if word in self.tokens:
                yield "    case %s: return %d;" % (value, self.tokens[word])
        yield "    default: return -1;"
        yield "    }"
        yield "}"

    def recorders(self):
        numbers = [word for word in self.tokens if word.isdigit()]
        yield from self.switch("code_token", "StatusType", [(code, code) for code in CODES])
        yield from self.switch("state_token", "TaskStateType", [(state, state) for state in STATES])
        yield from self.switch("number_token", "uint32_t", [(word, word) for word in numbers])
        yield from self.switch("task_token", "TaskType", [("id_" + t.name, t.name) for t in self.sys.tasks]
                               + [("255", "INVALID_TASK")])
        yield from self.switch("service_token", "OSServiceIdType", [("OSServiceId_" + s, s) for s in PARAMETERS])
        yield from self.switch("undefined_token", "OSServiceIdType",
                               [("OSServiceId_" + s, "undefined:" + s) for s in PARAMETERS])
        yield RECORDERS
        yield "static void record_error(void)"
        yield "{"
        yield "    record(service_token(OSErrorGetServiceId()));"
        yield "    switch (OSErrorGetServiceId()) {"
        for service, parameters in PARAMETERS.items():
            if parameters:
                yield "    case OSServiceId_%s:" % service
                for parameter in parameters:
                    yield "        record_number((uint32_t)OSError_%s_%s());" % (service, parameter)
                yield "        break;"
        yield "    default: break;"
        yield "    }"
        yield "}"

    def application(self):
        for word in self.expected:
            self.token(word)
        system = self.sys
        inputs = [str(self.sources.index(word)) if word != "none" else "255" for word in system.inputs]
        bodies = []
        for name in [task.name for task in system.tasks] + list(system.isrs) + list(system.alarms):
            bodies += ["", "void run_%s(void)" % name] + list(self.body(name))
        for hook in HOOKS:
            if hook in system.scripts:
                with_code = hook in ("ErrorHook", "ShutdownHook")
                bodies += ["", "void %s(%s)" % (hook, "StatusType Error" if with_code else "void")]
                body = list(self.body(hook))
                if with_code:
                    declarations = 2 if len(system.scripts[hook]) > 1 else 0
                    body.insert(1 + declarations, "    record(code_token(Error));")
                bodies += body
        yield '#include "state.h"'
        yield "extern void exit(int);"
        yield "void reach_error(void);"
        yield ""
        yield "static const short expected[] = {%s};" % ", ".join(
            [str(self.tokens[word]) for word in self.expected] + ["-2"])
        yield "static unsigned short position;"
        yield "static const unsigned char inputs[] = {%s};" % ", ".join(inputs + ["255"])
        yield "static unsigned char next_input;"
        yield ""
        yield from self.recorders()
        yield from bodies
        yield MAIN % {"inputs": len(inputs), "length": len(self.expected), "mode": system.mode,
                      "returned": self.token("StartOS-returned")}


RECORDERS = """
static void record(int token)
{
    if (expected[position] != token) {
        reach_error();
        exit(1);
    }
    position++;
}

static void record_code(StatusType code)
{
    if (code != E_OK) record(code_token(code));
}

static void record_number(uint32_t number)
{
    record(number_token(number));
}

static void record_task(void)
{
    TaskType task = 0;
    StatusType code = GetTaskID(&task);
    record_code(code);
    if (code == E_OK) record(task_token(task));
}

static void record_state(TaskType task)
{
    TaskStateType state = 0;
    StatusType code = GetTaskState(task, &state);
    record_code(code);
    if (code == E_OK) record(state_token(state));
}

static void record_events(TaskType task)
{
    EventMaskType events = 0;
    StatusType code = GetEvent(task, &events);
    record_code(code);
    if (code == E_OK) record_number(events);
}

static void record_ticks(AlarmType alarm)
{
    TickType ticks = 0;
    StatusType code = GetAlarm(alarm, &ticks);
    record_code(code);
    if (code == E_OK) record_number(ticks);
}

static void record_base(AlarmType alarm)
{
    AlarmBaseType base;
    StatusType code = GetAlarmBase(alarm, &base);
    record_code(code);
    if (code == E_OK) {
        record_number(base.maxallowedvalue);
        record_number(base.ticksperbase);
        record_number(base.mincycle);
    }
}
"""

MAIN = """
static void finish(void)
{
    if (position != %(length)d) reach_error();
    exit(0);
}

/* The interrupts that occur; after the last one the run ends when the system idles. */
unsigned osek_chosen_interrupt(void)
{
    if (next_input < %(inputs)d) return inputs[next_input++];
    if (osek_current.level == OSEK_IDLE) finish();
    return 255;
}

void osek_undefined(OSServiceIdType service, StatusType code)
{
    record(undefined_token(service));
    record(code_token(code));
}

void osek_halt(void)
{
    finish();
}

int main(void)
{
    StartOS(%(mode)d);
    record(%(returned)d);
    finish();
    return 0;
}
"""



def write_system(system, expected, extended, directory):
    os.makedirs(directory, exist_ok=True)
    writer = Writer(system, expected, extended)
    files = {"osek_ids.h": writer.ids(), "osek_tables.c": writer.tables(), "app.c": writer.application()}
    for name, lines in files.items():
        with open(os.path.join(directory, name), "w") as file:
            file.write("\n".join(lines) + "\n")


def main():
    if sys.argv[1] == "--random":
        text = "\n".join(Generator(random.Random(int(sys.argv[2]))).lines("random"))
        system = parse_cases(text)[0]
        write_system(system, Simulator(system, True).run(), True, sys.argv[3])
        return
    with open(sys.argv[1]) as file:
        systems = [system for system in parse_cases(file.read()) if system.name == sys.argv[2]]
    if len(systems) != 1:
        sys.exit("no such case: " + sys.argv[2])
    write_system(systems[0], systems[0].expected, systems[0].status != "standard", sys.argv[3])


if __name__ == "__main__":
    main()
