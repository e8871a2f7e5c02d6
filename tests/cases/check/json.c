// args: check --json
// expect: exit 1
// expect: stdout "verdict":"FALSE"
// expect: stdout "property":"unreach-call"
// expect: stdout "reason":"violated: assertion: the assertion `x != 5` does not hold at json.c:20:
// expect: stdout "check":{"kind":"assertion","message":"the assertion `x != 5` does not hold"
// expect: stdout "file":"json.c","line":20}
// expect: stdout "inputs":[{"origin":"sensor"
// expect: stdout "value":"5"}]
// expect: stdout "counterexample":{
// expect: stdout "assumptions":[{"kind":"external-effects","name":"sensor"
// expect: stdout "seconds":{"evidence":
// expect: stdout "files":[]
// expect: no-stdout FALSE(
#include <assert.h>
extern unsigned char sensor(void);
int main(void)
{
    unsigned char x = sensor();
    assert(x != 5);
    return 0;
}
