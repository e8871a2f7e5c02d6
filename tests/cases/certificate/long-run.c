// args: check --engine simulate --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "method": "unwinding"
// The only run goes round a loop too often for terms, and not for the machine.
extern void reach_error(void);

int main(void)
{
    unsigned x = 0;
    while (x < 300000000) {
        if (x < 100000000)
            x++;
        else
            x += 2;
    }
    if (x != 300000000)
        reach_error();
    return 0;
}
