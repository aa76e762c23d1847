/* SPDX-License-Identifier: BSD-3-Clause */
/* Restricts a process by Linux's resource limits, Landlock and seccomp, through system calls:
 * https://docs.kernel.org/userspace-api/landlock.html and seccomp_filter.html. */
#include "io/isolated/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "io/scans/scans.h"

/* ---- memory and time ---- */

static void limit(int what, uint64_t most)
{
    struct rlimit r;
    if (getrlimit(what, &r)) return;
    if (r.rlim_cur == RLIM_INFINITY || r.rlim_cur > most) r.rlim_cur = most;
    setrlimit(what, &r);
}

/* Returns the bytes of address space in use, including reservations of GPU drivers. */
static uint64_t addresses(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%llu", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* ---- files ---- */

#if defined(__linux__) && __has_include(<linux/landlock.h>)
#include <linux/landlock.h>

static void permit(int rules, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = access,
                                              .parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0) return;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

/* Returns true for a folder: a wrong file name, whose files stay unreadable. */
static bool is_folder(const char *path)
{
    struct stat found;
    return !stat(path, &found) && S_ISDIR(found.st_mode);
}

/* Allows reading of this file (of a folder of ParaVision: its files) and of libraries only: text converters
 * and HDF5's filters are libraries. */
static void close_files(const char *path)
{
    const uint64_t read_file = LANDLOCK_ACCESS_FS_READ_FILE, read = read_file | LANDLOCK_ACCESS_FS_READ_DIR,
                   all = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
    const struct landlock_ruleset_attr attributes = {.handled_access_fs = all};
    static const char *const programs[] = {"/usr", "/lib", "/lib64", "/opt"};
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (rules < 0) return;
    char sibling[SCAN_BRUKER_PATH];
    permit(rules, path, is_folder(path) ? LANDLOCK_ACCESS_FS_READ_DIR : read_file);
    for (int i = 0; scan_bruker_file(sibling, i, path); i++) permit(rules, sibling, read_file);
    permit(rules, "/etc/ld.so.cache", read_file);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        permit(rules, programs[i], read | LANDLOCK_ACCESS_FS_EXECUTE);
    syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
}
#else
static void close_files(const char *path)
{
    (void)path;
}
#endif

/* ---- system calls ---- */

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && __has_include(<linux/seccomp.h>)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#ifdef __x86_64__
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

static const int allowed[] = {
    SYS_read,
    SYS_pread64,
    SYS_readv,
    SYS_preadv,
    SYS_lseek,
    SYS_write,
    SYS_pwrite64,
    SYS_writev,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_fstatfs,
    SYS_statfs,
    SYS_faccessat,
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
    SYS_readlinkat,
    SYS_getcwd,
    SYS_mmap,
    SYS_mprotect,
    SYS_munmap,
    SYS_mremap,
    SYS_brk,
    SYS_madvise,
    SYS_futex,
    SYS_sched_yield,
    SYS_rt_sigaction,
    SYS_rt_sigreturn,
    SYS_rt_sigprocmask,
    SYS_sigaltstack,
    SYS_clock_gettime,
    SYS_gettimeofday,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_restart_syscall,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getrandom,
    SYS_flock,
    SYS_fcntl,
    SYS_dup,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_prlimit64,
    SYS_getrlimit,
    SYS_getrusage,
    SYS_uname,
    SYS_sysinfo,
    SYS_getdents64,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_exit,
    SYS_exit_group,
    SYS_sched_getaffinity,
#ifdef __x86_64__
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_time,
    SYS_arch_prctl,
#endif
};
enum { ALLOWED = sizeof allowed / sizeof *allowed, WRITING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC };

#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define ALLOW RETURN(SECCOMP_RET_ALLOW)
#define DENY RETURN(SECCOMP_RET_ERRNO | EPERM)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* Loads the low half of an argument (on little-endian machines). */
#define LOAD_ARGUMENT(n) LOAD(args[n])
/* Skips the following `count` steps unless the loaded number is this one. */
#define UNLESS(number, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(number), 0, count)
#define OPENING(number, flags) \
    UNLESS(number, 4), LOAD_ARGUMENT(flags), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, WRITING, 0, 1), DENY, ALLOW

/* Allows the listed system calls, opening for reading, and signals to the process itself: abort() ends the
 * process by a signal. */
static void close_calls(void)
{
    struct sock_filter steps[2 * ALLOWED + 24] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL),
        LOAD(nr),
    };
    const struct sock_filter special[] = {
        OPENING(SYS_openat, 2),
#ifdef __x86_64__
        OPENING(SYS_open, 1),
#endif
        UNLESS(SYS_tgkill, 3),  LOAD_ARGUMENT(0), UNLESS(getpid(), 1), ALLOW, DENY,
    };
    unsigned short count = 4;
    for (int i = 0; i < ALLOWED; i++) {
        steps[count++] = (struct sock_filter)UNLESS(allowed[i], 1);
        steps[count++] = (struct sock_filter)ALLOW;
    }
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) steps[count++] = special[i];
    const struct sock_fprog program = {.len = count, .filter = steps};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void close_calls(void) {}
#endif

argand_status jail_enter(const char *path, uint64_t more_memory, uint64_t seconds)
{
    const uint64_t used = addresses();
    limit(RLIMIT_CORE, 0); /* a core file would hold the patient's data */
    limit(RLIMIT_CPU, seconds);
    if (used && used < UINT64_MAX - more_memory) limit(RLIMIT_AS, used + more_memory);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return ARGAND_OK;
    close_files(path);
    close_calls();
    return ARGAND_OK;
}
