#!/usr/bin/env python3
"""Makes bounded programs with one assertion each out of the SystemC programs of sv-benchmarks.

    prepare.py SYSTEMC_DIRECTORY OUTPUT_DIRECTORY

SYSTEMC_DIRECTORY is `c/systemc` of sv-benchmarks. What is changed follows section 4.1 of Yeolekar and Unadkat, "Assertion
Checking using Dynamic Inference": the loops of `eval` and `start_simulation` end after ten iterations; global variables with an
initial value, and those that `init_model` sets, begin with values from outside; what the scheduler chooses from outside is a
constant, so that every thread that can run does; the error of the original is none. `assertions.tsv` beside this file says
where which assertion goes. For each of its rows there is a program, named after the row, and a line of `tasks.tsv`.
"""

import csv
import pathlib
import re
import sys

ITERATIONS = 10


def functions(lines):
    """The lines of each function's definition: from its head to the brace in the first column that closes it."""
    found = {}
    head = re.compile(r"^(?:static |extern )?(?:int|void)\s+(\w+)\s*\((?:void)?\)\s*$")
    for at, line in enumerate(lines):
        match = head.match(line)
        if match:
            end = next(i for i in range(at + 1, len(lines)) if lines[i] == "}" and is_last_brace(lines, i))
            found[match.group(1)] = (at, end)
    return found


def is_last_brace(lines, at):
    """CIL closes a function by two braces in the first column."""
    return lines[at - 1] == "}"


def bound_loops(lines, first, last):
    """Loops without end get a counter, which is declared where the function begins."""
    counters = 0
    for at in range(first, last):
        if re.match(r"^\s*while \(1\) \{$", lines[at]):
            lines[at] = lines[at].replace("while (1)", f"while (iterations_{counters}++ < {ITERATIONS})")
            counters += 1
    names = ", ".join(f"iterations_{i} = 0" for i in range(counters))
    if counters:
        lines[first + 1] = lines[first + 1].replace("{", "{ int " + names + ";", 1)


def prepare(text, function, place, condition):
    lines = [line.rstrip() for line in text.split("\n")]
    inputs = []
    for at, line in enumerate(lines):
        match = re.match(r"^(?:static )?int (\w+)\s*=\s*\d+\s*;$", line)
        if match:
            inputs.append(match.group(1))
            lines[at] = re.sub(r"\s*=\s*\d+", "", line)
    where = functions(lines)
    for at in range(*where["init_model"]):
        lines[at] = re.sub(r"^(\s*\w+ = )-?\w+;$", r"\1__VERIFIER_nondet_int();", lines[at])
    for name in ("eval", "start_simulation"):
        bound_loops(lines, *where[name])
    for at in range(*where["eval"]):
        lines[at] = re.sub(r"= __VERIFIER_nondet_int\(\);", "= 1;", lines[at])
    for at in range(*where["error"]):
        lines[at] = re.sub(r"(__VERIFIER_error|reach_error)\(\);", ";", lines[at])
    asserted = f"  assert({condition});"
    first, last = where[function]
    lines.insert(position(lines, first, last, place), asserted)
    start = functions(lines)["main"][0]
    body = next(i for i in range(start + 2, len(lines)) if lines[i].strip() == "{") + 1
    lines[body:body] = [f"  {name} = __VERIFIER_nondet_int();" for name in inputs]
    return "#include <assert.h>\n" + "\n".join(lines)


def position(lines, first, last, place):
    """Where the assertion goes: where the body begins, before its last return, or before a line that has a text."""
    if place == "begin":
        return next(i for i in range(first + 2, last) if lines[i].strip() == "{") + 1
    if place == "end":
        at = max(i for i in range(first, last) if re.match(r"^\s*return\b", lines[i]))
        while re.match(r"^\s*\w+: /\* CIL Label \*/\s*$", lines[at - 1]):
            at -= 1
        return at
    text = place.removeprefix("before ")
    return next(i for i in range(first, last) if text in lines[i])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, output = map(pathlib.Path, sys.argv[1:])
    output.mkdir(parents=True, exist_ok=True)
    tasks = []
    with open(pathlib.Path(__file__).parent / "assertions.tsv", newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            text = (source / row["program"]).read_text()
            text = prepare(text, row["function"], row["place"], row["condition"])
            (output / f"{row['name']}.c").write_text(text)
            tasks.append(f"{row['name']}.c\t{row['expected']}")
    (output / "tasks.tsv").write_text("\n".join(tasks) + "\n")
    print(f"{len(tasks)} programs in {output}")


if __name__ == "__main__":
    main()
