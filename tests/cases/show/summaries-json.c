// args: show summaries --json -F gauge
// expect: stdout "function":"gauge"
// expect: stdout "kind":"auxiliary"
// expect: stdout "name":"level"
// expect: stdout "name":"read_adc()"
// expect: stdout "role":"independent"
// expect: no-stdout "function":"main"
extern int read_adc(void);
unsigned char level;
static int gauge(int offset) { return read_adc() + level + offset; }
int main(void)
{
    level = 3;
    return gauge(1);
}
