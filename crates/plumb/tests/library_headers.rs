//! Goes through the functions that the host's C library declares: one that could write through an argument, or call back, has
//! a model or is named as unmodelled. Taken for a function without a body it would count as one that does less.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::Command;

/// Headers of C, POSIX and glibc. Those that the host does not have are left out.
const HEADERS: &str = "aio.h arpa/inet.h assert.h ctype.h dirent.h dlfcn.h endian.h err.h errno.h error.h fcntl.h fenv.h \
    fnmatch.h ftw.h getopt.h glob.h grp.h iconv.h ifaddrs.h inttypes.h langinfo.h libgen.h locale.h malloc.h math.h monetary.h \
    mqueue.h net/if.h netdb.h netinet/in.h netinet/tcp.h nl_types.h poll.h pthread.h pwd.h regex.h sched.h search.h semaphore.h \
    setjmp.h signal.h spawn.h stdio.h stdlib.h string.h strings.h sys/epoll.h sys/eventfd.h sys/file.h sys/inotify.h sys/ioctl.h \
    sys/ipc.h sys/mman.h sys/mount.h sys/msg.h sys/prctl.h sys/ptrace.h sys/random.h sys/resource.h sys/select.h sys/sem.h \
    sys/sendfile.h sys/shm.h sys/signalfd.h sys/socket.h sys/stat.h sys/statfs.h sys/statvfs.h sys/sysinfo.h sys/time.h \
    sys/timerfd.h sys/times.h sys/timex.h sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h sys/xattr.h syslog.h termios.h \
    threads.h time.h uchar.h ucontext.h ulimit.h unistd.h utime.h utmpx.h wchar.h wctype.h wordexp.h";

/// What lowering itself gives a meaning to.
const LOWERED: &str = "setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp thrd_create fork vfork \
    clone signal sigaction raise kill alarm setitimer bsd_signal alloca";

/// The declarations that gcc sees, as text; `None` where it cannot be asked.
fn declarations() -> Option<Vec<String>> {
    let folder = std::env::temp_dir().join(format!("plumb-headers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let (file, list) = (folder.join("all.c"), folder.join("all.txt"));
    let mut text = "#define _GNU_SOURCE\n".to_string();
    for header in HEADERS.split_whitespace() {
        text.push_str(&format!("#if __has_include(<{header}>)\n#include <{header}>\n#endif\n"));
    }
    std::fs::write(&file, text).ok()?;
    let ran = Command::new("gcc").args(["-w", "-fsyntax-only", "-aux-info"]).args([&list, &file]).output().ok()?;
    let found = std::fs::read_to_string(&list).ok().filter(|_| ran.status.success());
    let _ = std::fs::remove_dir_all(&folder);
    Some(found?.lines().map(str::to_string).collect())
}

/// The name and parameters of `/* file:line:kind */ extern int f (char *);`.
fn parts(line: &str) -> Option<(&str, &str)> {
    let (_, declaration) = line.split_once("*/ ")?;
    let (head, parameters) = declaration.split_once(" (")?;
    let name = head.rsplit([' ', '*']).next()?;
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_inline = head.split(' ').any(|word| word == "static" || word == "inline" || word == "__inline");
    (is_plain && !is_inline).then_some((name, parameters))
}

/// Whether a parameter is a pointer to what is not constant, a function, or unknown arguments.
fn may_write(parameters: &str) -> bool {
    if parameters.contains("(*") || parameters.contains("...") || parameters.contains("va_list") {
        return true;
    }
    parameters.split(',').any(|parameter| {
        let stars = parameter.matches('*').count() + parameter.matches('[').count();
        let target = parameter.split(['*', '[']).next().unwrap_or("");
        stars > 1 || (stars == 1 && !target.contains("const"))
    })
}

/// Names that the text of the models defines.
fn modelled(text: &str) -> BTreeSet<&str> {
    let starts = |line: &&str| line.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let heads = text.lines().filter(starts).filter_map(|line| line.split_once('('));
    heads.filter_map(|(head, _)| head.rsplit([' ', '*']).next()).collect()
}

#[test]
fn every_function_that_may_write_is_modelled_or_named() {
    let Some(lines) = declarations() else {
        // Past the harness, which keeps what a test that passes prints to itself.
        let _ = writeln!(std::io::stderr(), "skipped: gcc cannot list the declarations of the host's headers");
        return;
    };
    let text = plumb_ir::library::all(&plumb_c::target::Target::LP64);
    let mut known = modelled(&text);
    known.extend(LOWERED.split_whitespace());
    let declared: Vec<(&str, &str)> = lines.iter().filter_map(|line| parts(line)).collect();
    let mut unknown: Vec<&str> = declared
        .iter()
        .filter(|(name, parameters)| may_write(parameters) && !known.contains(name) && !name.starts_with("__builtin_"))
        .map(|(name, _)| *name)
        .collect();
    unknown.sort_unstable();
    unknown.dedup();
    // A list that is short was read wrongly.
    assert!(declared.len() > 500, "only {} functions found", declared.len());
    assert!(unknown.is_empty(), "neither modelled nor named in unmodelled.txt: {}", unknown.join(" "));
}

/// Functions that write through their arguments and that the host's headers need not have: C11 Annex K, C23, POSIX.1-2024,
/// glibc's with checked sizes, avr-libc and newlib.
const ELSEWHERE: &str = "asctime_s fopen_s freopen_s getenv_s gets_s gmtime_s localtime_s mbstowcs_s memcpy_s memmove_s memset_s \
    qsort_s scanf_s snprintf_s sprintf_s sscanf_s strcat_s strcpy_s strerror_s strncat_s strncpy_s strtok_s tmpnam_s vsnprintf_s \
    wcscpy_s wmemcpy_s memset_explicit free_sized free_aligned_sized strlcpy strlcat wcslcpy wcslcat posix_getdents tcgetwinsize \
    sig2str __fgets_chk __fread_chk __read_chk __recv_chk __getcwd_chk __gets_chk __memcpy_chk __strcpy_chk __sprintf_chk \
    __readlink_chk __realpath_chk itoa utoa ltoa ultoa dtostrf dtostre sprintf_P snprintf_P vsprintf_P sscanf_P strtok_rP \
    memcpy_PF strcpy_PF siprintf sniprintf siscanf _sprintf_r _read_r";

/// The same of AVR alone.
const ON_AVR: &str = "memcpy_P strcpy_P strncpy_P strcat_P strncat_P strlcpy_P strlcat_P eeprom_read_block __itoa __itoa_ncheck \
    __utoa __utoa_ncheck __ltoa __ltoa_ncheck __ultoa __ultoa_ncheck";

#[test]
fn functions_of_other_libraries_are_modelled_or_named() {
    let targets = [(plumb_c::target::Target::LP64, ""), (plumb_c::target::Target::AVR, ON_AVR)];
    for (target, more) in targets {
        let text = plumb_ir::library::all(&target);
        let known = modelled(&text);
        let mut names = ELSEWHERE.split_whitespace().chain(more.split_whitespace());
        assert_eq!(names.find(|name| !known.contains(name)), None, "{}", target.name);
    }
}
