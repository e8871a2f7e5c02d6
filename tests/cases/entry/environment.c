// A main that reads its environment is not modelled, which is no proof.
// args: check --property reach.prp --engine bmc
// expect: exit 2
// expect: stdout that Plumb does not model: main reads its environment
extern void reach_error(void);
int main(int count, char **arguments, char **environment)
{
    if (environment[0])
        reach_error();
    return 0;
}
