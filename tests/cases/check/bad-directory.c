// args: check --witness no/such/directory/witness.yml
// expect: exit 3
// expect: stderr cannot write `no/such/directory/witness.yml`: there is no directory `no/such/directory`
int main(void) { return 0; }
