"""The text of cases (README.md) as objects."""


class Task:
    def __init__(self, name, priority):
        self.name, self.priority, self.internal = name, priority, priority
        self.preemptable, self.limit, self.extended, self.modes = True, 1, False, 0


class System:
    def __init__(self):
        self.tasks, self.resources, self.counters, self.alarms, self.isrs = [], {}, {}, {}, {}
        self.scripts, self.inputs, self.mode = {}, [], 0
        self.status, self.name, self.expected = "extended", "", ""


def parse_commands(text):
    parts = [[]]
    for word in text.split():
        if word == "|":
            parts.append([])
        elif "(" in word:
            name, rest = word.split("(", 1)
            arguments = rest.rstrip(")")
            parts[-1].append((name, arguments.split(",") if arguments else []))
        else:
            parts[-1].append((word, None))
    return parts


def parse_task(words):
    task = Task(words[0], int(words[1]))
    rest = iter(words[2:])
    for word in rest:
        if word == "non":
            task.preemptable = False
        elif word == "auto":
            task.modes = 1
        elif word == "modes":
            task.modes = int(next(rest))
        elif word == "extended":
            task.extended = True
        elif word == "activations":
            task.limit = int(next(rest))
        elif word == "internal":
            task.internal = int(next(rest))
    return task


def parse_alarm(words):
    alarm = {"counter": words[1], "modes": 0, "time": 0, "cycle": 0, "action": None}
    rest = iter(words[2:])
    for word in rest:
        if word == "auto":
            alarm.update(modes=1, time=int(next(rest)), cycle=int(next(rest)))
        elif word == "modes":
            alarm["modes"] = int(next(rest))
        elif word == "activates":
            alarm["action"] = (word, next(rest))
        elif word == "sets":
            alarm["action"] = (word, next(rest), int(next(rest), 0))
        elif word == "calls":
            alarm["action"] = (word,)
    return alarm


def parse_line(system, line):
    if ":" in line and not line.startswith("expect"):
        name, text = line.split(":", 1)
        system.scripts[name.strip()] = parse_commands(text)
        return
    words = line.split()
    kind, words = words[0], words[1:]
    if kind == "task":
        system.tasks.append(parse_task(words))
    elif kind == "resource":
        system.resources[words[0]] = int(words[1])
    elif kind == "counter":
        counter = {"max": int(words[1]), "base": 1, "mincycle": 1, "priority": 0}
        for key, value in zip(words[2::2], words[3::2]):
            counter[key] = int(value)
        system.counters[words[0]] = counter
    elif kind == "alarm":
        system.alarms[words[0]] = parse_alarm(words)
    elif kind == "isr":
        system.isrs[words[0]] = (int(words[1]), int(words[2]))
    elif kind == "inputs":
        system.inputs += words
    elif kind == "mode":
        system.mode = int(words[0])
    elif kind == "status":
        system.status = words[0]
    elif kind == "expect":
        system.expected = (system.expected + " " + " ".join(words)).strip()
    elif kind == "message":
        system.scripts["message"] = None
    else:
        raise ValueError(line)


def parse_cases(text):
    systems = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("case "):
            systems.append(System())
            systems[-1].name = line.split()[1]
        else:
            parse_line(systems[-1], line)
    return systems
