#!/usr/bin/env python3
"""Compare runs of task lists, as docs/measurements.md reports them.

    compare_runs.py regret DEFAULT.json ENGINE.json ...   what an engine alone decides soon and the default run does not
    compare_runs.py exchange WITH.json WITHOUT.json       what the exchange of facts between engines brings
    compare_runs.py lost BEFORE.json AFTER.json           answers that are gone, new, or take twice as long

A JSON file is a list with an object per task: `source`, `family`, `verdict` (expected), `got` (true, false or another word), `status`
(`correct` where both agree) and `wall` seconds. A task that a file does not have was not run, and is left out of the comparison.
"""
import argparse, json, sys


def read(path):
    return {task['source']: task for task in json.load(open(path))}


def answered(task, within=float('inf')):
    return task['status'] == 'correct' and task['wall'] <= within


def describe(task):
    return f"{task['got']} {task['wall']:.1f} s" if answered(task) else task['status']


def regret(arguments):
    """Tasks that some engine decides within --soon seconds and the default run not within --late seconds."""
    default = read(arguments.default)
    regrets = 0
    for path in arguments.engines:
        for source, alone in read(path).items():
            together = default.get(source)
            if together and answered(alone, arguments.soon) and not answered(together, arguments.late):
                regrets += 1
                print(f"{source}: {path} {describe(alone)}, default {describe(together)}")
    print(f"{regrets} regrets")
    return regrets


def exchange(arguments):
    """Tasks decided only with the exchange, or in less than half the time, and the other way round."""
    together, apart = read(arguments.together), read(arguments.apart)
    for title, one, other in (('the exchange pays', together, apart), ('the exchange costs', apart, together)):
        print(f"## {title}")
        for source in one:
            if source in other and is_better(one[source], other[source], arguments.least):
                print(f"| {source} | {describe(one[source])} | {describe(other[source])} |")


def is_better(one, other, least):
    if not answered(one):
        return False
    return not answered(other) or (other['wall'] >= least and one['wall'] * 2 < other['wall'])


def lost(arguments):
    before, after = read(arguments.before), read(arguments.after)
    gone = 0
    for source in before:
        if source not in after:
            continue
        old, new = before[source], after[source]
        if answered(old) and not answered(new):
            gone += 1
            print(f"lost   {source}: {describe(old)} -> {describe(new)}")
        elif answered(new) and not answered(old):
            print(f"new    {source}: {describe(old)} -> {describe(new)}")
        elif answered(old) and new['wall'] > max(2 * old['wall'], arguments.least):
            print(f"slower {source}: {describe(old)} -> {describe(new)}")
    print(f"{sum(map(answered, before.values()))} correct before, {sum(map(answered, after.values()))} after, {gone} lost")
    return gone


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(required=True)
    job = jobs.add_parser('regret')
    job.add_argument('default')
    job.add_argument('engines', nargs='+')
    job.add_argument('--soon', type=float, default=5)
    job.add_argument('--late', type=float, default=20)
    job.set_defaults(job=regret)
    job = jobs.add_parser('exchange')
    job.add_argument('together')
    job.add_argument('apart')
    job.add_argument('--least', type=float, default=2, help='seconds below which times are not compared')
    job.set_defaults(job=exchange)
    job = jobs.add_parser('lost')
    job.add_argument('before')
    job.add_argument('after')
    job.add_argument('--least', type=float, default=2, help='seconds below which times are not compared')
    job.set_defaults(job=lost)
    arguments = parser.parse_args()
    sys.exit(1 if arguments.job(arguments) else 0)


main()
