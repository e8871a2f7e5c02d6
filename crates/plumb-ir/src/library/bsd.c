/* What a failed assert calls with the libraries of the BSDs. */

void __assert(const char *text, const char *file, int line) { __plumb_abort(); }
