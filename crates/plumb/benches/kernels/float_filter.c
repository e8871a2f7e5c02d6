/* Filters: a cascade of second-order sections in float, a moving average in double and a PI controller around them. */

#define SAMPLES 6000000
#define SECTIONS 4
#define WINDOW 16

int printf(const char *, ...);

struct section {
    float b0, b1, b2, a1, a2;
    float z1, z2;
};

static struct section cascade[SECTIONS] = {
    { 0.2929f, 0.5858f, 0.2929f, 0.0f, 0.1716f, 0, 0 },
    { 0.0675f, 0.1349f, 0.0675f, -1.1430f, 0.4128f, 0, 0 },
    { 0.6389f, -1.2779f, 0.6389f, -1.1430f, 0.4128f, 0, 0 },
    { 0.1311f, 0.2622f, 0.1311f, -0.7478f, 0.2722f, 0, 0 },
};

static double window[WINDOW];

static float filter(struct section *s, float in)
{
    float out = s->b0 * in + s->z1;
    s->z1 = s->b1 * in - s->a1 * out + s->z2;
    s->z2 = s->b2 * in - s->a2 * out;
    return out;
}

int main(void)
{
    unsigned noise = 1, sum = 0;
    float triangle = 0, slope = 0.01f;
    double integral = 0, plant = 0, average = 0;
    for (int n = 0; n < SAMPLES; n++) {
        noise = noise * 22695477u + 1;
        triangle += slope;
        if (triangle > 1.0f || triangle < -1.0f)
            slope = -slope;
        float value = triangle + (float)(int)(noise >> 16) / 65536.0f - 0.5f;
        for (int i = 0; i < SECTIONS; i++)
            value = filter(&cascade[i], value);
        average -= window[n % WINDOW] / WINDOW;
        window[n % WINDOW] = value;
        average += window[n % WINDOW] / WINDOW;
        double error = average - plant;
        integral += error * 0.001;
        if (integral > 10)
            integral = 10;
        else if (integral < -10)
            integral = -10;
        plant += (2.0 * error + integral) * 0.05;
        sum = sum * 31 + (unsigned)(int)(plant * 1000000.0);
    }
    printf("checksum %x\n", sum);
    return 0;
}
