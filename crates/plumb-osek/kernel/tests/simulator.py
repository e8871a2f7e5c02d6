"""A second reading of the scheduling rules of OSEK/VDX OS 2.2.3, to compare the kernel model with.

It shares nothing with the kernel: there are no queues, no saved priorities and no stacks. At every step it computes
from scratch which interrupt may occur and which job (activation of a task) is to run. A job has a birth number that
decides among equals: every new or woken job gets the next number, and a preempted job a number below all others.
The priority of a job is the maximum over its task's priority and the ceilings of what it holds.
"""

IN_TASK, IN_ISR1, IN_ISR2, IN_CALLBACK, IN_HOOK, IN_START, IN_STOP = "task isr1 isr2 callback hook start stop".split()
SCHEDULED = {IN_TASK, IN_ISR2}
OBSERVING = {IN_TASK, IN_ISR2, IN_HOOK}
# The runner has room for so many objects; larger identifiers are invalid.
TASK_ROOM, RESOURCE_ROOM, ALARM_ROOM, COUNTER_ROOM, MODE_ROOM = 8, 6, 6, 3, 3


class Unsupported(Exception):
    """The case uses something that the simulator does not know."""


class Finished(Exception):
    """The run is over."""


class Job:
    def __init__(self, task, birth):
        self.task, self.birth = task, birth
        self.state = "READY"
        self.held = []              # resources, in the order of taking
        self.internal = False       # it holds the internal resource of its task
        self.code = None            # the commands that are left, once it has begun
        self.events = self.awaited = 0


class Handler:
    def __init__(self, source, level, priority, code):
        self.source, self.level, self.priority, self.code = source, level, priority, code
        self.held = []


class Simulator:
    def __init__(self, system, extended):
        self.sys, self.extended = system, extended
        self.out, self.jobs, self.handlers, self.pending = [], [], [], []
        self.running = None
        self.changing = False       # a task has left the processor, and another will get it
        self.born = 0
        self.oldest = 0
        self.runs, self.level = {}, None
        self.disabled, self.suspended_all, self.suspended_os = False, 0, 0
        self.values = {c: 0 for c in system.counters}
        self.armed = {}
        self.inputs = list(system.inputs)
        self.steps = 0

    # ---- what there is ----

    def job_priority(self, job):
        levels = [job.task.priority] + [self.sys.resources[r] for r in job.held]
        if job.internal:
            levels.append(job.task.internal)
        return max(levels)

    def handler_priority(self, handler):
        return max([handler.priority] + [self.sys.resources[r] for r in handler.held])

    def context(self):
        return self.handlers[-1] if self.handlers else self.running

    def current_level(self):
        if self.level:
            return self.level
        return self.handlers[-1].level if self.handlers else IN_TASK

    def current_priority(self):
        if self.handlers:
            return self.handler_priority(self.handlers[-1])
        return self.job_priority(self.running) if self.running else 0

    def task_named(self, word):
        for task in self.sys.tasks:
            if task.name == word:
                return task
        number = int(word, 0)
        return self.sys.tasks[number] if number < len(self.sys.tasks) else None

    def task_number(self, word):
        task = self.task_named(word) if not word.isdigit() else None
        return self.sys.tasks.index(task) if task else int(word, 0)

    def state_of(self, task):
        states = [job.state for job in self.jobs if job.task is task]
        for state in ("RUNNING", "WAITING", "READY"):
            if state in states:
                return state
        return "SUSPENDED"

    def source(self, word):
        if word in self.sys.isrs:
            return self.sys.isrs[word]
        return (2, self.sys.counters[word]["priority"])

    def enabled(self, word):
        category, priority = self.source(word)
        if self.disabled or self.suspended_all:
            return False
        if category == 2 and (self.suspended_os or self.level):
            return False
        return priority > self.current_priority()

    def source_order(self, word):
        names = list(self.sys.isrs) + list(self.sys.counters)
        return names.index(word)

    # ---- scripts ----

    def next_script(self, name):
        parts = self.sys.scripts.get(name, [[]])
        run = self.runs.get(name, 0)
        self.runs[name] = run + 1
        return list(parts[min(run, len(parts) - 1)])

    def record(self, *words):
        self.out.extend(str(w) for w in words)

    def run_inside(self, level, name):
        """A hook or a callback: it runs to its end where it is called."""
        before, self.level = self.level, level
        for command in self.next_script(name):
            self.execute(command)
        self.level = before

    # ---- errors ----

    def undefined(self, service, code):
        self.record("undefined:" + service, code)

    def refuse(self, service, code):
        """A check of the extended status."""
        if not self.extended:
            self.undefined(service, code)
        return code

    def error_hook(self, code, service, values):
        if self.level == IN_HOOK and self.in_error_hook:
            return
        if "ErrorHook" not in self.sys.scripts:
            return
        before = self.in_error_hook
        self.in_error_hook = (service, values)
        self.record(code)
        self.run_inside(IN_HOOK, "ErrorHook")
        self.in_error_hook = before

    in_error_hook = None

    def fail(self, service, code, *values):
        """The caller records the code when the service has returned, which is after interrupts have occurred."""
        self.error_hook(code, service, values)
        if self.level:
            self.record(code)
        else:
            self.context().code.insert(0, (code, None))

    def at_level(self, service, allowed):
        level = self.current_level()
        if level not in allowed:
            return self.refuse(service, "E_OS_CALLEVEL")
        if self.disabled or self.suspended_all or self.suspended_os:
            self.undefined(service, "E_OS_DISABLEDINT")
            return "E_OS_DISABLEDINT" if self.extended else None
        return None

    # ---- jobs ----

    def activate(self, task):
        if sum(1 for job in self.jobs if job.task is task) >= task.limit:
            return "E_OS_LIMIT"
        self.born += 1
        self.jobs.append(Job(task, self.born))
        return None

    def set_event(self, task, mask):
        for job in self.jobs:
            if job.task is task:
                job.events |= mask
                if job.state == "WAITING" and job.events & job.awaited:
                    self.born += 1
                    job.state, job.birth, job.awaited = "READY", self.born, 0

    def best(self):
        ready = [job for job in self.jobs if job.state == "READY"]
        return min(ready, key=lambda job: (-self.job_priority(job), job.birth)) if ready else None

    def leave(self, state):
        self.run_inside(IN_HOOK, "PostTaskHook")
        self.running.state = state
        self.running = None
        self.changing = True

    def make_oldest(self, job):
        self.oldest -= 1
        job.birth = self.oldest

    def perform(self, alarm):
        kind, *rest = self.sys.alarms[alarm]["action"]
        if kind == "activates":
            task = self.task_named(rest[0])
            code = self.activate(task)
            if code:
                self.error_hook(code, "ActivateTask", [self.sys.tasks.index(task)])
        elif kind == "sets":
            task = self.task_named(rest[0])
            code = self.event_task("SetEvent", task)
            if code:
                self.error_hook(code, "SetEvent", [self.sys.tasks.index(task), rest[1]])
            else:
                self.set_event(task, rest[1])
        else:
            self.run_inside(IN_CALLBACK, alarm)

    def tick(self, counter):
        top = self.sys.counters[counter]["max"]
        self.values[counter] = (self.values[counter] + 1) % (top + 1)
        due = []
        for alarm in self.sys.alarms:
            if self.sys.alarms[alarm]["counter"] == counter and alarm in self.armed:
                left, cycle = self.armed[alarm]
                self.armed[alarm] = (left - 1, cycle)
                if left == 1:
                    due.append(alarm)
        for alarm in due:
            cycle = self.armed[alarm][1]
            if cycle:
                self.armed[alarm] = (cycle, cycle)
            else:
                del self.armed[alarm]
            self.perform(alarm)

    # ---- services ----

    def event_task(self, service, task):
        if task is None:
            return self.refuse(service, "E_OS_ID")
        if not task.extended:
            return self.refuse(service, "E_OS_ACCESS")
        if self.state_of(task) == "SUSPENDED":
            return self.refuse(service, "E_OS_STATE") if self.extended else self.undefined(service, "E_OS_STATE")
        return None

    def free_task(self, service):
        code = self.at_level(service, {IN_TASK})
        if not code and self.running.held:
            code = self.refuse(service, "E_OS_RESOURCE")
        return code

    def known_task(self, service, word):
        number = self.task_number(word)
        return None if number < TASK_ROOM else self.refuse(service, "E_OS_ID")

    def ActivateTask(self, word):
        code = self.at_level("ActivateTask", SCHEDULED) or self.known_task("ActivateTask", word)
        if not code:
            code = self.activate(self.task_named(word))
        if code:
            self.fail("ActivateTask", code, self.task_number(word))

    def end(self):
        job = self.running
        self.leave("ENDED")
        self.jobs.remove(job)

    def TerminateTask(self):
        code = self.free_task("TerminateTask")
        if code:
            self.fail("TerminateTask", code)
        else:
            self.end()

    def ChainTask(self, word):
        code = self.free_task("ChainTask") or self.known_task("ChainTask", word)
        if not code:
            task = self.task_named(word)
            if task is not self.running.task and sum(1 for job in self.jobs if job.task is task) >= task.limit:
                code = "E_OS_LIMIT"
        if code:
            self.fail("ChainTask", code, self.task_number(word))
        else:
            self.end()
            self.activate(self.task_named(word))

    def Schedule(self):
        code = self.free_task("Schedule")
        if code:
            self.fail("Schedule", code)
            return
        best, job = self.best(), self.running
        if best and self.job_priority(best) > job.task.priority:
            self.leave("READY")
            job.internal = False
            self.make_oldest(job)

    def GetTaskID(self):
        code = self.at_level("GetTaskID", OBSERVING)
        if code:
            self.fail("GetTaskID", code)
        else:
            self.record(self.running.task.name if self.running else "INVALID_TASK")

    def GetTaskState(self, word):
        code = self.at_level("GetTaskState", OBSERVING) or self.known_task("GetTaskState", word)
        if code:
            self.fail("GetTaskState", code, self.task_number(word))
        else:
            self.record(self.state_of(self.task_named(word)))

    def base_priority(self):
        return self.handlers[-1].priority if self.handlers else self.running.task.priority

    def resource_name(self, word):
        if word in self.sys.resources:
            return word
        number = int(word, 0)
        return list(self.sys.resources)[number] if number < len(self.sys.resources) else None

    def resource_number(self, word):
        return list(self.sys.resources).index(word) if word in self.sys.resources else int(word, 0)

    def usable_resource(self, service, word):
        code = self.at_level(service, SCHEDULED)
        if not code and self.resource_number(word) >= RESOURCE_ROOM:
            code = self.refuse(service, "E_OS_ID")
        if not code and self.base_priority() > self.sys.resources[self.resource_name(word)]:
            code = self.refuse(service, "E_OS_ACCESS")
        return code

    def GetResource(self, word):
        code = self.usable_resource("GetResource", word)
        holders = [context.held for context in self.jobs + self.handlers]
        if not code and any(self.resource_name(word) in held for held in holders):
            code = self.refuse("GetResource", "E_OS_ACCESS")
        if code:
            self.fail("GetResource", code, self.resource_number(word))
        else:
            self.context().held.append(self.resource_name(word))

    def ReleaseResource(self, word):
        code = self.usable_resource("ReleaseResource", word)
        if not code and self.context().held[-1:] != [self.resource_name(word)]:
            code = self.refuse("ReleaseResource", "E_OS_NOFUNC")
        if code:
            self.fail("ReleaseResource", code, self.resource_number(word))
        else:
            self.context().held.pop()

    def SetEvent(self, word, mask):
        code = self.at_level("SetEvent", SCHEDULED) or self.known_task("SetEvent", word)
        code = code or self.event_task("SetEvent", self.task_named(word))
        if code:
            self.fail("SetEvent", code, self.task_number(word), int(mask, 0))
        else:
            self.set_event(self.task_named(word), int(mask, 0))

    def ClearEvent(self, mask):
        code = self.at_level("ClearEvent", {IN_TASK})
        if not code and not self.running.task.extended:
            code = self.refuse("ClearEvent", "E_OS_ACCESS")
        if code:
            self.fail("ClearEvent", code, int(mask, 0))
        else:
            self.running.events &= ~int(mask, 0)

    def GetEvent(self, word):
        code = self.at_level("GetEvent", OBSERVING) or self.known_task("GetEvent", word)
        code = code or self.event_task("GetEvent", self.task_named(word))
        if code:
            self.fail("GetEvent", code, self.task_number(word))
        else:
            self.record(sum(job.events for job in self.jobs if job.task is self.task_named(word)))

    def WaitEvent(self, mask):
        code = self.at_level("WaitEvent", {IN_TASK})
        if not code and self.running.held:
            code = self.refuse("WaitEvent", "E_OS_RESOURCE")
        if code in (None, "E_OS_RESOURCE") and not self.running.task.extended:
            code = self.refuse("WaitEvent", "E_OS_ACCESS")
        if code:
            self.fail("WaitEvent", code, int(mask, 0))
        elif not self.running.events & int(mask, 0):
            job = self.running
            job.awaited = int(mask, 0)
            self.leave("WAITING")
            job.internal = False

    def alarm_number(self, word):
        return list(self.sys.alarms).index(word) if word in self.sys.alarms else int(word, 0)

    def known_alarm(self, service, allowed, word):
        code = self.at_level(service, allowed)
        if not code and self.alarm_number(word) >= ALARM_ROOM:
            code = self.refuse(service, "E_OS_ID")
        return code

    def GetAlarmBase(self, word):
        code = self.known_alarm("GetAlarmBase", OBSERVING, word)
        if code:
            self.fail("GetAlarmBase", code, self.alarm_number(word))
        else:
            counter = self.sys.counters[self.sys.alarms[word]["counter"]]
            self.record(counter["max"], counter["base"], counter["mincycle"])

    def GetAlarm(self, word):
        code = self.known_alarm("GetAlarm", OBSERVING, word)
        if not code and word not in self.armed:
            code = "E_OS_NOFUNC"
        if code:
            self.fail("GetAlarm", code, self.alarm_number(word))
        else:
            self.record(self.armed[word][0])

    def set_alarm(self, service, word, first, cycle, ticks):
        code = self.known_alarm(service, SCHEDULED, word)
        if not code:
            counter = self.sys.counters[self.sys.alarms[word]["counter"]]
            if first > counter["max"] or (cycle and not counter["mincycle"] <= cycle <= counter["max"]):
                code = self.refuse(service, "E_OS_VALUE")
            elif word in self.armed:
                code = "E_OS_STATE"
        if code:
            self.fail(service, code, self.alarm_number(word), first, cycle)
        else:
            self.armed[word] = (ticks(counter, self.values[self.sys.alarms[word]["counter"]]), cycle)

    def SetRelAlarm(self, word, increment, cycle):
        increment, cycle = int(increment, 0), int(cycle, 0)
        self.set_alarm("SetRelAlarm", word, increment, cycle, lambda counter, now: max(increment, 1))

    def ticks_until(self, counter, now, value):
        return (value - now - 1) % (counter["max"] + 1) + 1

    def SetAbsAlarm(self, word, start, cycle):
        start, cycle = int(start, 0), int(cycle, 0)
        self.set_alarm("SetAbsAlarm", word, start, cycle, lambda counter, now: self.ticks_until(counter, now, start))

    def CancelAlarm(self, word):
        code = self.known_alarm("CancelAlarm", SCHEDULED, word)
        if not code and word not in self.armed:
            code = "E_OS_NOFUNC"
        if code:
            self.fail("CancelAlarm", code, self.alarm_number(word))
        else:
            del self.armed[word]

    def IncrementCounter(self, word):
        code = self.at_level("IncrementCounter", SCHEDULED)
        number = list(self.sys.counters).index(word) if word in self.sys.counters else int(word, 0)
        if not code and number >= COUNTER_ROOM:
            code = self.refuse("IncrementCounter", "E_OS_ID")
        if code:
            self.fail("IncrementCounter", code, number)
        else:
            self.tick(word)

    def masking(self, service, pairs, in_hooks):
        levels = {IN_TASK, IN_ISR1, IN_ISR2} | ({IN_HOOK, IN_CALLBACK} if in_hooks else set())
        if not pairs or self.current_level() not in levels:
            self.undefined(service, "E_OS_CALLEVEL")

    def DisableAllInterrupts(self):
        self.masking("DisableAllInterrupts", not self.disabled, False)
        self.disabled = True

    def EnableAllInterrupts(self):
        self.masking("EnableAllInterrupts", self.disabled, False)
        self.disabled = False

    def SuspendAllInterrupts(self):
        self.masking("SuspendAllInterrupts", True, True)
        self.suspended_all += 1

    def ResumeAllInterrupts(self):
        self.masking("ResumeAllInterrupts", self.suspended_all > 0, True)
        self.suspended_all = max(0, self.suspended_all - 1)

    def SuspendOSInterrupts(self):
        self.masking("SuspendOSInterrupts", True, False)
        self.suspended_os += 1

    def ResumeOSInterrupts(self):
        self.masking("ResumeOSInterrupts", self.suspended_os > 0, False)
        self.suspended_os = max(0, self.suspended_os - 1)

    def GetActiveApplicationMode(self):
        if self.disabled or self.suspended_all or self.suspended_os:
            self.undefined("GetActiveApplicationMode", "E_OS_DISABLEDINT")
            if self.extended:
                self.error_hook("E_OS_DISABLEDINT", "GetActiveApplicationMode", [])
        self.record(self.sys.mode)

    def ShutdownOS(self, error):
        codes = "E_OK E_OS_ACCESS E_OS_CALLEVEL E_OS_ID E_OS_LIMIT E_OS_NOFUNC E_OS_RESOURCE E_OS_STATE E_OS_VALUE"
        if "ShutdownHook" in self.sys.scripts:
            self.record(codes.split()[int(error)])
        self.run_inside(IN_STOP, "ShutdownHook")
        self.record("StartOS-returned")
        raise Finished

    def ErrorParameters(self):
        service, values = self.in_error_hook
        self.record(service, *values)

    def do_raise(self, word):
        if word not in self.pending:
            self.pending.append(word)

    # ---- execution ----

    def execute(self, command):
        name, arguments = command
        if arguments is None:
            self.record(name)
        elif name == "raise":
            if self.level and self.source(arguments[0])[0] == 1:
                raise Unsupported("category 1 inside a hook")
            self.do_raise(*arguments)
        elif hasattr(self, name) and name[0].isupper():
            getattr(self, name)(*arguments)
        else:
            raise Unsupported(name)

    def occur(self, word):
        category, priority = self.source(word)
        if word in self.sys.isrs:
            code = self.next_script(word)
        else:
            code = [("", word)]
        self.handlers.append(Handler(word, IN_ISR1 if category == 1 else IN_ISR2, priority, code))

    def deliverable(self):
        """The most urgent interrupt that has waited. The change from one task to the next is not interrupted."""
        open_sources = [word for word in self.pending if self.enabled(word)]
        if not open_sources:
            return None
        return min(open_sources, key=lambda word: (-self.source(word)[1], self.source_order(word)))

    def next_input(self):
        """The source that occurs now, or None. `ALL` interrupts masked: nothing is asked."""
        if self.disabled or self.suspended_all or not self.inputs:
            return None
        word = self.inputs.pop(0)
        return word if word != "none" and self.enabled(word) else None

    def schedule(self):
        """Who is to run: at most one change, as a task leaves or enters the running state."""
        best = self.best()
        if self.running:
            if best and self.running.task.preemptable and self.job_priority(best) > self.job_priority(self.running):
                job = self.running
                self.leave("READY")
                self.make_oldest(job)
                return True
        elif best:
            self.running = best
            self.changing = False
            best.state, best.internal = "RUNNING", True
            self.run_inside(IN_HOOK, "PreTaskHook")
            if best.code is None:
                best.code = self.next_script(best.task.name)
            return True
        return False

    def step_context(self, context):
        if not context.code:
            if isinstance(context, Handler):
                if context.held:
                    self.undefined("ReleaseResource", "E_OS_RESOURCE")
                self.handlers.pop()
            else:
                self.undefined("TerminateTask", "E_OS_STATE")
                context.held.clear()
                self.end()
            return
        name, arguments = context.code[0]
        if name == "point":
            word = self.next_input()
            if word is None:
                context.code.pop(0)
            else:
                self.occur(word)
        elif name == "":
            context.code.pop(0)
            self.tick(arguments)
        else:
            context.code.pop(0)
            self.execute((name, arguments))

    def step(self):
        self.steps += 1
        if self.steps > 20000:
            raise Unsupported("endless")
        word = self.deliverable()
        self.changing = self.changing and self.best() is not None
        if word and not self.changing:
            self.pending.remove(word)
            self.occur(word)
        elif not self.handlers and self.schedule():
            pass
        elif self.context():
            self.step_context(self.context())
        elif not self.inputs:
            raise Finished
        else:
            word = self.next_input()
            if word:
                self.occur(word)
            elif self.disabled or self.suspended_all:
                raise Finished

    def run(self):
        if "main" in self.sys.scripts:
            raise Unsupported("main")
        if self.sys.mode >= MODE_ROOM:
            self.undefined("StartOS", "E_OS_ID")
            self.record("StartOS-returned")
            return " ".join(self.out)
        try:
            self.run_inside(IN_START, "StartupHook")
            for task in self.sys.tasks:
                if task.modes >> self.sys.mode & 1:
                    self.activate(task)
            for name, alarm in self.sys.alarms.items():
                if alarm["modes"] >> self.sys.mode & 1:
                    counter = self.sys.counters[alarm["counter"]]
                    self.armed[name] = (self.ticks_until(counter, 0, alarm["time"]), alarm["cycle"])
            while True:
                self.step()
        except Finished:
            return " ".join(self.out)
