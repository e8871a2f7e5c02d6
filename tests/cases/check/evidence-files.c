// args: check --harness {tmp}/harness.c --witness {tmp}/witness.yml --property unreach.prp
// expect: exit 1
// expect: stdout violated: error-call: reach_error is called
// expect: stdout wrote the harness to
// expect: stdout gcc
// expect: stdout wrote the witness to
// expect: last FALSE(unreach-call)
// expect: file harness.c sensor
// expect: file witness.yml violation_sequence
// expect: file witness.yml CHECK( init(main()), LTL(G ! call(reach_error())) )
// expect: file witness.yml evidence-files.c
extern unsigned char sensor(void);
extern void reach_error(void);
int main(void)
{
    if (sensor() == 7)
        reach_error();
    return 0;
}
