// args: check --witness {tmp}/w.yml
// expect: exit 1
// expect: file w.yml type: "assumption"
// expect: file w.yml value: "level == 77"
// expect: file w.yml format: "c_expression"
#include <assert.h>
int main(void)
{
    int level;
    if (level == 77)
        assert(0);
    return 0;
}
