// gcc: yes -pthread
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t o = PTHREAD_ONCE_INIT;
static void hello(void) { puts("once"); }
int main(void)
{
    pthread_key_t k;
    sem_t s;
    int r = pthread_key_create(&k, NULL);
    printf("%d %d\n", r, pthread_getspecific(k) == NULL);
    r = pthread_setspecific(k, (void *)42);
    printf("%d %ld\n", r, (long)pthread_getspecific(k));
    pthread_mutex_lock(&m); printf("%d\n", pthread_mutex_trylock(&m) != 0); pthread_mutex_unlock(&m);
    pthread_once(&o, hello); pthread_once(&o, hello);
    sem_init(&s, 0, 1); sem_wait(&s); printf("%d\n", sem_trywait(&s)); sem_post(&s); printf("%d\n", sem_trywait(&s));
    return 0;
}
