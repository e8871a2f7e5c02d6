// args: check --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: then confirmed: the run of
// Functions without a body return what their waypoints say, at the place of the call.
extern unsigned char sensor(int channel);
extern int door_is_open(void);
extern void reach_error(void);

static int heat;

static void control(void)
{
    unsigned char t = sensor(2);
    if (t < 20)
        heat = 1;
    else if (t == 200)
        heat += 2;
}

int main(void)
{
    for (int turn = 0; turn < 2; turn++) {
        control();
        if (door_is_open() != 0)
            return 0;
    }
    if (heat == 4)
        reach_error();
    return 0;
}
