// Types of vectors are known, as headers declare them; objects of such a type are refused.
// args: check
// expect: exit 3
// expect: stderr Plumb does not support complex numbers, vectors
typedef int four __attribute__((vector_size(16)));
int main(void)
{
    four all = {1, 2, 3, 4};
    return all[1];
}
