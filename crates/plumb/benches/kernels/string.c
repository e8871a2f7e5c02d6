/* Strings: a text is built, split into words that are counted in a hash table, searched and rewritten byte by byte. */

#define TEXT 200000
#define SLOTS 4096
#define ROUNDS 36

int printf(const char *, ...);

static char text[TEXT + 1], copy[2 * TEXT + 1];
static struct slot {
    char word[16];
    unsigned count;
} table[SLOTS];

static unsigned length(const char *s)
{
    const char *p = s;
    while (*p)
        p++;
    return (unsigned)(p - s);
}

static int compare(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

static void build(unsigned seed)
{
    for (int i = 0; i < TEXT; i++) {
        seed = seed * 69069u + 1;
        unsigned r = seed >> 20;
        text[i] = r % 6 == 0 ? ' ' : (char)('a' + r % 11);
    }
    text[TEXT] = 0;
}

static void count_words(void)
{
    char word[16];
    int n = 0;
    for (const char *p = text;; p++) {
        if (*p >= 'a' && *p <= 'z' && n < 15) {
            word[n++] = *p;
            continue;
        }
        word[n] = 0;
        if (n > 0) {
            unsigned hash = 5381;
            for (char *w = word; *w; w++)
                hash = hash * 33 ^ (unsigned char)*w;
            unsigned at = hash % SLOTS;
            unsigned tries = 0;
            while (table[at].count && compare(table[at].word, word) != 0 && tries < 8) {
                at = (at + 1) % SLOTS;
                tries++;
            }
            if (!table[at].count)
                for (int i = 0; i <= n; i++)
                    table[at].word[i] = word[i];
            table[at].count++;
        }
        n = 0;
        if (!*p)
            return;
    }
}

static unsigned find_all(const char *pattern)
{
    unsigned found = 0, m = length(pattern);
    for (const char *p = text; *p; p++) {
        unsigned i = 0;
        while (i < m && p[i] == pattern[i])
            i++;
        if (i == m)
            found++;
    }
    return found;
}

static unsigned rewrite(void)
{
    char *out = copy;
    for (const char *p = text; *p; p++) {
        if (*p == 'e') {
            *out++ = '\\';
            *out++ = 'e';
        } else if (*p != ' ' || (out > copy && out[-1] != ' ')) {
            *out++ = *p >= 'a' ? (char)(*p - 32) : *p;
        }
    }
    *out = 0;
    return length(copy);
}

int main(void)
{
    unsigned sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        build(17u + round);
        count_words();
        sum = sum * 31 + find_all("ab") + find_all("cad ") * 7 + find_all(" e ");
        sum = sum * 31 + rewrite();
        for (char *p = copy; *p; p++)
            sum = (sum << 5 | sum >> 27) ^ (unsigned char)*p;
    }
    for (int i = 0; i < SLOTS; i++)
        sum += table[i].count * (unsigned)i;
    printf("checksum %x\n", sum);
    return 0;
}
