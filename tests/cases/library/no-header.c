// gcc: yes
int printf(const char *, ...);
int main(void) { char b[8]; __builtin_memset(b, 'a', 7); b[7] = 0; printf("%s %d %d\n", b, (int)__builtin_strlen(b), abs(-4)); return 0; }
