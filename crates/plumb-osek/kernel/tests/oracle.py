#!/usr/bin/env python3
"""Compares the kernel model with the simulator.

oracle.py BUILD cases FILE...        every case of the files: the simulator must make the expected record
oracle.py BUILD random SEED COUNT    random systems: runner and simulator must make the same record

BUILD is the directory in which tests/run has built the runners.
"""
import random
import subprocess
import sys
import os

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case_text import parse_cases  # noqa: E402
from simulator import Simulator, Unsupported  # noqa: E402


class Generator:
    """A random system whose runs end: the last part of a script activates and chains nothing."""

    def __init__(self, rng):
        self.rng = rng
        self.task_count = rng.randint(2, 6)
        self.tasks = ["t%d" % i for i in range(self.task_count)]
        self.extended = [t for t in self.tasks if rng.random() < 0.4]
        self.resources = ["r%d" % i for i in range(rng.randint(0, 4))]
        self.counters = ["c%d" % i for i in range(rng.randint(0, 2))]
        self.hardware = [c for c in self.counters if rng.random() < 0.5]
        self.alarms = ["x%d" % i for i in range(rng.randint(1, 4))] if self.counters else []
        self.isrs = ["i%d" % i for i in range(rng.randint(0, 3))]
        self.callbacks = []
        self.marks = 0

    def task_line(self, name):
        rng = self.rng
        priority = rng.randint(1, 4)
        line = "task %s %d" % (name, priority)
        if rng.random() < 0.25:
            line += " non"
        if rng.random() < 0.4:
            line += " auto"
        if name in self.extended:
            line += " extended"
        elif rng.random() < 0.5:
            line += " activations %d" % rng.randint(2, 3)
        if rng.random() < 0.25:
            line += " internal %d" % rng.randint(priority, 5)
        return line

    def object_lines(self):
        rng = self.rng
        for name in self.resources:
            yield "resource %s %d" % (name, rng.randint(1, 11) if rng.random() < 0.3 else rng.randint(1, 5))
        for name in self.counters:
            line = "counter %s %d mincycle %d" % (name, rng.randint(2, 6), rng.randint(1, 2))
            yield line + (" priority %d" % rng.randint(8, 10) if name in self.hardware else "")
        for name in self.alarms:
            line = "alarm %s %s " % (name, rng.choice(self.counters))
            kind = rng.random()
            if kind < 0.5:
                line += "activates " + rng.choice(self.tasks)
            elif kind < 0.85:
                line += "sets %s %d" % (rng.choice(self.extended or self.tasks), rng.randint(1, 3))
            else:
                line += "calls"
                self.callbacks.append(name)
            if rng.random() < 0.4:
                line += " auto %d %d" % (rng.randint(0, 3), rng.randint(0, 2))
            yield line
        for name in self.isrs:
            category = 1 if rng.random() < 0.2 else 2
            yield "isr %s %d %d" % (name, category, rng.randint(11, 12) if category == 1 else rng.randint(8, 10))

    def mark(self):
        self.marks += 1
        return "m%d" % self.marks

    def quiet_command(self, name):
        """One that can be repeated for ever without keeping the system busy."""
        rng = self.rng
        choices = ["GetTaskState(%s)" % rng.choice(self.tasks), "GetTaskID()", "Schedule()",
                   "ClearEvent(%d)" % rng.randint(1, 3), "GetEvent(%s)" % rng.choice(self.tasks), "point()"]
        if self.alarms:
            alarm = rng.choice(self.alarms)
            choices += ["GetAlarm(%s)" % alarm, "CancelAlarm(%s)" % alarm]
        if name in self.extended:
            choices += ["WaitEvent(%d)" % rng.randint(1, 3)] * 3
        return rng.choice(choices)

    def busy_command(self):
        rng = self.rng
        choices = ["ActivateTask(%s)" % rng.choice(self.tasks)] * 5
        choices += ["SetEvent(%s,%d)" % (rng.choice(self.extended or self.tasks), rng.randint(1, 3))] * 3
        if self.alarms:
            alarm = rng.choice(self.alarms)
            choices += ["SetRelAlarm(%s,%d,%d)" % (alarm, rng.randint(0, 4), rng.randint(0, 3))] * 2
            choices += ["SetAbsAlarm(%s,%d,%d)" % (alarm, rng.randint(0, 4), rng.randint(0, 3))] * 2
        choices += ["IncrementCounter(%s)" % c for c in self.counters] * 2
        choices += ["raise(%s)" % s for s in self.isrs + self.hardware]
        if rng.random() < 0.05:
            choices = ["ActivateTask(9)", "GetResource(7)", "SetEvent(8,1)", "ChainTask(9)"]
        return rng.choice(choices)

    def mask_pair(self):
        return self.rng.choice([("SuspendAllInterrupts()", "ResumeAllInterrupts()"),
                                ("SuspendOSInterrupts()", "ResumeOSInterrupts()"),
                                ("DisableAllInterrupts()", "EnableAllInterrupts()")])

    def commands(self, name, length, busy, depth=0):
        rng = self.rng
        words = []
        for _ in range(length):
            kind = rng.random()
            if kind < 0.2 and self.resources and depth < 2:
                resource = rng.choice(self.resources)
                words.append("GetResource(%s)" % resource)
                words += self.commands(name, rng.randint(0, 3), busy, depth + 1)
                if rng.random() < 0.95:
                    words.append("ReleaseResource(%s)" % resource)
            elif kind < 0.25 and self.isrs:
                first, last = self.mask_pair()
                words += [first, "raise(%s)" % rng.choice(self.isrs) if busy else "point()", self.mark(), last]
            elif kind < 0.7 and busy:
                words.append(self.busy_command())
            else:
                words.append(self.quiet_command(name))
            words.append(self.mark())
        return words

    def task_script(self, name):
        rng = self.rng
        parts = []
        for _ in range(rng.randint(0, 3)):
            words = self.commands(name, rng.randint(1, 6), True)
            words.append("ChainTask(%s)" % rng.choice(self.tasks) if rng.random() < 0.25 else "TerminateTask()")
            if rng.random() < 0.95:
                words.append("TerminateTask()")
            parts.append(" ".join(words))
        parts.append(" ".join(self.commands(name, rng.randint(0, 3), False) + ["TerminateTask()"]))
        return "%s: %s" % (name, " | ".join(parts))

    def handler_script(self, name):
        rng = self.rng
        parts = [" ".join(self.commands(name, rng.randint(0, 4), True)) for _ in range(rng.randint(1, 3))]
        parts.append(" ".join(self.commands(name, rng.randint(0, 2), False)))
        return "%s: %s" % (name, " | ".join(parts))

    def lines(self, name):
        rng = self.rng
        yield "case " + name
        for task in self.tasks:
            yield self.task_line(task)
        yield from self.object_lines()
        sources = self.isrs + self.hardware + ["none"]
        if len(sources) > 1:
            yield "inputs " + " ".join(rng.choice(sources) for _ in range(rng.randint(0, 30)))
        for task in self.tasks:
            yield self.task_script(task)
        for isr in self.isrs:
            yield self.handler_script(isr)
        for callback in self.callbacks:
            yield "%s: %s" % (callback, self.mark())
        if rng.random() < 0.8:
            yield "PreTaskHook: pre GetTaskID()"
            yield "PostTaskHook: post GetTaskID()"
        if rng.random() < 0.6:
            yield "ErrorHook: ErrorParameters() GetTaskID()"


def runner(build, extended):
    return os.path.join(build, "runner-extended" if extended else "runner-standard")


def compare_random(build, seed, count):
    compared = skipped = steps = 0
    for batch in range(0, count, 100):
        numbers = range(seed + batch, seed + min(batch + 100, count))
        texts = ["\n".join(Generator(random.Random(n)).lines("s%d" % n)) + "\nstatus both\n" for n in numbers]
        systems = parse_cases("".join(texts))
        for extended in (True, False):
            result = subprocess.run([runner(build, extended), "--record", "-"], input="".join(texts), text=True,
                                    stdout=subprocess.PIPE, check=True)
            records = result.stdout.splitlines()
            assert len(records) == len(systems), "the runner did not run every system"
            for system, text, got in zip(systems, texts, records):
                simulator = Simulator(system, extended)
                try:
                    want = simulator.run()
                except Unsupported as reason:
                    if str(reason) != "endless":
                        raise
                    skipped += 1
                    continue
                steps += simulator.steps
                compared += 1
                if got != want:
                    show_difference(system.name, text, got, want, extended)
                    return 1
    print("%d systems agree in %d steps, %d skipped" % (compared, steps, skipped))
    return 0 if compared > 0 else 1


def show_difference(name, text, got, want, extended):
    print(text)
    got, want = got.split(), want.split()
    same = 0
    while same < min(len(got), len(want)) and got[same] == want[same]:
        same += 1
    print("system %s, %s status, differs after %d words" % (name, "extended" if extended else "standard", same))
    print("  both:      ..." + " ".join(want[max(0, same - 20):same]))
    print("  kernel:    " + " ".join(got[same:same + 12]))
    print("  simulator: " + " ".join(want[same:same + 12]))


def compare_cases(paths):
    failures = compared = skipped = 0
    for path in paths:
        with open(path) as file:
            systems = parse_cases(file.read())
        for system in systems:
            for extended in (True, False):
                if system.status not in ("both", "extended" if extended else "standard"):
                    continue
                try:
                    got = Simulator(system, extended).run()
                except Unsupported:
                    skipped += 1
                    continue
                compared += 1
                if got != system.expected:
                    failures += 1
                    print("%s/%s\n  expected:  %s\n  simulator: %s" % (os.path.basename(path), system.name,
                                                                     system.expected, got))
    print("%d cases agree, %d differ, %d not known to the simulator" % (compared - failures, failures, skipped))
    return 1 if failures or compared == 0 else 0


def main():
    build, mode = sys.argv[1], sys.argv[2]
    if mode == "cases":
        return compare_cases(sys.argv[3:])
    return compare_random(build, int(sys.argv[3]), int(sys.argv[4]))


if __name__ == "__main__":
    sys.exit(main())
