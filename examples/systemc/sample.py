#!/usr/bin/env python3
"""Runs the programs that `prepare.py` has made, as gcc compiles them, on random inputs.

    sample.py OUTPUT_DIRECTORY [RUNS]

For each program of `tasks.tsv` it prints how many runs violate the assertion. Inputs are small: the programs compare them with 0, 1 and
2 only. A program that some run violates is wrong; of one that none does no more is known than that. It exits with 1 if a program
that is expected to hold is violated, or if one that is expected to fail never is.
"""

import pathlib
import subprocess
import sys
import tempfile

HARNESS = """
#define main program_main
#include "%s"
#undef main
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static unsigned long long state;
int __VERIFIER_nondet_int(void) {
  state ^= state << 13; state ^= state >> 7; state ^= state << 17;
  return (int)(state %% 4);
}
int main(void) {
  int violated = 0, open = 0;
  for (int run = 1; run <= %d; run++) {
    pid_t child = fork();
    if (child == 0) {
      fclose(stderr);
      alarm(1);
      state = run * 0x9e3779b97f4a7c15ull;
      program_main();
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    violated += WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    open += WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  }
  printf("%%d %%d", violated, open);
  return 0;
}
"""


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    output, runs = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else 20000
    is_as_expected = True
    with tempfile.TemporaryDirectory() as directory:
        for line in (output / "tasks.tsv").read_text().splitlines():
            name, expected = line.split("\t")
            harness, binary = pathlib.Path(directory, "harness.c"), pathlib.Path(directory, "harness")
            harness.write_text(HARNESS % ((output / name).resolve(), runs))
            subprocess.run(["gcc", "-w", "-O1", "-o", binary, harness], check=True)
            told = subprocess.run([binary], check=True, capture_output=True, text=True).stdout
            violated, still_running = map(int, told.split())
            print(f"{name}\t{expected}\t{violated} of {runs} runs violate it, {still_running} did not end", flush=True)
            is_as_expected &= (violated > 0) == (expected == "false")
    sys.exit(not is_as_expected)


if __name__ == "__main__":
    main()
