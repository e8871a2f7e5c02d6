// Only a function that nobody calls has the error.
// args: check --property unreach.prp
// expect: last TRUE
// expect: stdout no reachable function contains an error location
extern void reach_error(void);
void unused(int x)
{
    if (x)
        reach_error();
}
int main(void) { return 0; }
