// args: check --help
// expect: exit 0
// expect: stdout Checks to add to those of assertions
