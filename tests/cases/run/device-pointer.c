// args: run --checks pointer,bounds --inputs device-pointer.txt
// expect: exit 0
// expect: last exited with status 7

/* Device registers behind pointers in variables: reads are inputs, writes go nowhere. */
struct uart {
    volatile unsigned status;
    volatile unsigned data;
    struct { volatile unsigned on : 1; volatile unsigned rate : 7; } control;
};

struct driver {
    struct uart *port;
    volatile unsigned char *table;
};

static struct driver driver = { (struct uart *)0x40020000, (volatile unsigned char *)0x50000000 };

static unsigned read(struct uart *port)
{
    while (!(port->status & 1))
        ;
    return port->data;
}

int main(void)
{
    volatile int local = 3, *p = (volatile int *)0x4000;
    struct uart *port = driver.port;
    *p = 1;
    if (*p != 5)
        return 1;
    p = &local;
    *p += 1;
    if (local != 4)
        return 2;
    driver.table[9] = 1;
    if (driver.table[9] != 77)
        return 3;
    port->control.on = 1;
    if (port->control.rate != 100)
        return 4;
    return read(port);
}
