/* Functions of the library that write through their arguments or end the program, and have no model: without an entry here
 * they would count as external functions, which change nothing. Reaching one proves nothing either way. */

/* <wchar.h>, <stdlib.h>: wide and multibyte text */
int wcscpy() { __plumb_unsupported("wcscpy is not modelled"); }
int wcsncpy() { __plumb_unsupported("wcsncpy is not modelled"); }
int wcscat() { __plumb_unsupported("wcscat is not modelled"); }
int wcsncat() { __plumb_unsupported("wcsncat is not modelled"); }
int wcslen() { __plumb_unsupported("wcslen is not modelled"); }
int wcscmp() { __plumb_unsupported("wcscmp is not modelled"); }
int wcsncmp() { __plumb_unsupported("wcsncmp is not modelled"); }
int wcscoll() { __plumb_unsupported("wcscoll is not modelled"); }
int wcschr() { __plumb_unsupported("wcschr is not modelled"); }
int wcsrchr() { __plumb_unsupported("wcsrchr is not modelled"); }
int wcsstr() { __plumb_unsupported("wcsstr is not modelled"); }
int wcstok() { __plumb_unsupported("wcstok is not modelled"); }
int wcstol() { __plumb_unsupported("wcstol is not modelled"); }
int wcstoul() { __plumb_unsupported("wcstoul is not modelled"); }
int wmemcpy() { __plumb_unsupported("wmemcpy is not modelled"); }
int wmemmove() { __plumb_unsupported("wmemmove is not modelled"); }
int wmemset() { __plumb_unsupported("wmemset is not modelled"); }
int wmemcmp() { __plumb_unsupported("wmemcmp is not modelled"); }
int wmemchr() { __plumb_unsupported("wmemchr is not modelled"); }
int mbstowcs() { __plumb_unsupported("mbstowcs is not modelled"); }
int wcstombs() { __plumb_unsupported("wcstombs is not modelled"); }
int mbtowc() { __plumb_unsupported("mbtowc is not modelled"); }
int wctomb() { __plumb_unsupported("wctomb is not modelled"); }
int mbrtowc() { __plumb_unsupported("mbrtowc is not modelled"); }
int wcrtomb() { __plumb_unsupported("wcrtomb is not modelled"); }
int mblen() { __plumb_unsupported("mblen is not modelled"); }
int swprintf() { __plumb_unsupported("swprintf is not modelled"); }
int wprintf() { __plumb_unsupported("wprintf is not modelled"); }
int fwprintf() { __plumb_unsupported("fwprintf is not modelled"); }

/* <stdio.h>, <string.h>, <stdlib.h>, <math.h> */
int getline() { __plumb_unsupported("getline is not modelled"); }
int getdelim() { __plumb_unsupported("getdelim is not modelled"); }
int popen() { __plumb_unsupported("popen is not modelled"); }
int pclose() { __plumb_unsupported("pclose is not modelled"); }
int fgetpos() { __plumb_unsupported("fgetpos is not modelled"); }
int fsetpos() { __plumb_unsupported("fsetpos is not modelled"); }
int freopen() { __plumb_unsupported("freopen is not modelled"); }
int open_memstream() { __plumb_unsupported("open_memstream is not modelled"); }
int strxfrm() { __plumb_unsupported("strxfrm is not modelled"); }
int strcasestr() { __plumb_unsupported("strcasestr is not modelled"); }
int strverscmp() { __plumb_unsupported("strverscmp is not modelled"); }
int qsort_r() { __plumb_unsupported("qsort_r is not modelled"); }
int at_quick_exit() { __plumb_unsupported("at_quick_exit is not modelled"); }
int remquo() { __plumb_unsupported("remquo is not modelled"); }
int remquof() { __plumb_unsupported("remquof is not modelled"); }
int remquol() { __plumb_unsupported("remquol is not modelled"); }
int mkstemp() { __plumb_unsupported("mkstemp is not modelled"); }
int tmpnam() { __plumb_unsupported("tmpnam is not modelled"); }

/* <time.h>, <locale.h> */
int strftime() { __plumb_unsupported("strftime is not modelled"); }
int strptime() { __plumb_unsupported("strptime is not modelled"); }
int ctime_r() { __plumb_unsupported("ctime_r is not modelled"); }
int asctime_r() { __plumb_unsupported("asctime_r is not modelled"); }
int times() { __plumb_unsupported("times is not modelled"); }
int setlocale() { __plumb_unsupported("setlocale is not modelled"); }
int localeconv() { __plumb_unsupported("localeconv is not modelled"); }

/* <unistd.h>, <getopt.h>, <sys/*.h> */
int stat() { __plumb_unsupported("stat is not modelled"); }
int fstat() { __plumb_unsupported("fstat is not modelled"); }
int lstat() { __plumb_unsupported("lstat is not modelled"); }
int __xstat() { __plumb_unsupported("__xstat is not modelled"); }
int __fxstat() { __plumb_unsupported("__fxstat is not modelled"); }
int __lxstat() { __plumb_unsupported("__lxstat is not modelled"); }
int access() { __plumb_unsupported("access is not modelled"); }
int lseek() { __plumb_unsupported("lseek is not modelled"); }
int pipe() { __plumb_unsupported("pipe is not modelled"); }
int getcwd() { __plumb_unsupported("getcwd is not modelled"); }
int realpath() { __plumb_unsupported("realpath is not modelled"); }
int readlink() { __plumb_unsupported("readlink is not modelled"); }
int gethostname() { __plumb_unsupported("gethostname is not modelled"); }
int getopt() { __plumb_unsupported("getopt is not modelled"); }
int getopt_long() { __plumb_unsupported("getopt_long is not modelled"); }
int select() { __plumb_unsupported("select is not modelled"); }
int poll() { __plumb_unsupported("poll is not modelled"); }
int socket() { __plumb_unsupported("socket is not modelled"); }
int accept() { __plumb_unsupported("accept is not modelled"); }
int recv() { __plumb_unsupported("recv is not modelled"); }
int recvfrom() { __plumb_unsupported("recvfrom is not modelled"); }
int send() { __plumb_unsupported("send is not modelled"); }
int mmap() { __plumb_unsupported("mmap is not modelled"); }
int munmap() { __plumb_unsupported("munmap is not modelled"); }
int uname() { __plumb_unsupported("uname is not modelled"); }
int getrusage() { __plumb_unsupported("getrusage is not modelled"); }
int getrlimit() { __plumb_unsupported("getrlimit is not modelled"); }
int wait() { __plumb_unsupported("wait is not modelled"); }
int waitpid() { __plumb_unsupported("waitpid is not modelled"); }
int execv() { __plumb_unsupported("execv is not modelled"); }
int execve() { __plumb_unsupported("execve is not modelled"); }
int execvp() { __plumb_unsupported("execvp is not modelled"); }
int opendir() { __plumb_unsupported("opendir is not modelled"); }
int readdir() { __plumb_unsupported("readdir is not modelled"); }
int closedir() { __plumb_unsupported("closedir is not modelled"); }

/* <err.h>: err does not return */
int err() { __plumb_unsupported("err is not modelled"); }
int errx() { __plumb_unsupported("errx is not modelled"); }
int verr() { __plumb_unsupported("verr is not modelled"); }
int verrx() { __plumb_unsupported("verrx is not modelled"); }
int warn() { __plumb_unsupported("warn is not modelled"); }
int warnx() { __plumb_unsupported("warnx is not modelled"); }

/* <pthread.h>: what makes other kinds of locks */
int pthread_mutexattr_init() { __plumb_unsupported("pthread_mutexattr_init is not modelled"); }
int pthread_mutexattr_settype() { __plumb_unsupported("pthread_mutexattr_settype is not modelled"); }
int pthread_attr_init() { __plumb_unsupported("pthread_attr_init is not modelled"); }
int pthread_rwlock_init() { __plumb_unsupported("pthread_rwlock_init is not modelled"); }
int pthread_rwlock_rdlock() { __plumb_unsupported("pthread_rwlock_rdlock is not modelled"); }
int pthread_rwlock_wrlock() { __plumb_unsupported("pthread_rwlock_wrlock is not modelled"); }
int pthread_rwlock_unlock() { __plumb_unsupported("pthread_rwlock_unlock is not modelled"); }
int pthread_barrier_init() { __plumb_unsupported("pthread_barrier_init is not modelled"); }
int pthread_barrier_wait() { __plumb_unsupported("pthread_barrier_wait is not modelled"); }
int pthread_cond_timedwait() { __plumb_unsupported("pthread_cond_timedwait is not modelled"); }
int pthread_mutex_timedlock() { __plumb_unsupported("pthread_mutex_timedlock is not modelled"); }
int pthread_cancel() { __plumb_unsupported("pthread_cancel is not modelled"); }
