/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams of threads: each number of a loop once, whoever takes it; barriers; teams within teams, of several
 * threads at once, in a process that was forked, and where the system has no more threads. */
#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/cpu.h"
#include "base/cpu_quota.h"
#include "harness.h"

enum { MOST = 1000 };

static _Atomic int threads_left = 1 << 30; /* that the system still has */

/* In place of the C library's. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (atomic_fetch_sub(&threads_left, 1) <= 0) return EAGAIN;
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, attributes, run, argument);
}

static void expect_each_once(_Atomic int *seen, int count, int times)
{
    for (int i = 0; i < count; i++) assert_int_equal(seen[i], times);
}

static void loops(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 9; threads += threads < 4 ? 1 : 5)
        for (int count = 0; count <= MOST; count = count * 3 + 1) {
            _Atomic int even[MOST] = {0}, ready[MOST] = {0}, by_three[MOST] = {0};
            int64_t sum = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sum)
            for (int i = 0; i < count; i++) {
                even[i]++;
                sum += i;
            }
#pragma omp parallel for schedule(dynamic) num_threads(threads)
            for (int i = 0; i < count; i++) ready[i]++;
#pragma omp parallel for schedule(dynamic, 3) num_threads(threads)
            for (int i = 0; i < count; i++) by_three[i]++;
            assert_int_equal(sum, (int64_t)count * (count - 1) / 2);
            expect_each_once(even, count, 1);
            expect_each_once(ready, count, 1);
            expect_each_once(by_three, count, 1);
        }
}

/* More loops without a barrier than are kept open, then one that sees all that was done before it. */
static void loops_in_a_row(void **state)
{
    (void)state;
    _Atomic int seen[MOST] = {0};
    _Atomic int early = 0;
#pragma omp parallel num_threads(4)
    {
        for (int round = 0; round < 40; round++) {
#pragma omp for schedule(dynamic, 7) nowait
            for (int i = 0; i < MOST; i++) seen[i]++;
        }
#pragma omp barrier
#pragma omp for schedule(dynamic, 16)
        for (int i = 0; i < MOST; i++) early += seen[i] != 40;
#pragma omp for schedule(static)
        for (int i = 0; i < MOST; i++) seen[i]++;
    }
    assert_int_equal(early, 0);
    expect_each_once(seen, MOST, 41);
}

static void barriers(void **state)
{
    (void)state;
    _Atomic int here = 0, early = 0;
    int team = 0;
#pragma omp parallel num_threads(7)
    {
        if (!omp_get_thread_num()) team = omp_get_num_threads();
        for (int round = 1; round <= 200; round++) {
            here++;
#pragma omp barrier
            if (here < round * omp_get_num_threads()) early++;
#pragma omp barrier
        }
    }
    assert_int_equal(team, 7);
    assert_int_equal(here, 200 * 7);
    assert_int_equal(early, 0);
}

static int one_at_a_time(void)
{
    int count = 0;
#pragma omp parallel num_threads(5)
    {
        for (int i = 0; i < 1000; i++) {
#pragma omp critical(argand_test)
            count++;
        }
    }
    return count;
}

static void criticals(void **state)
{
    (void)state;
    assert_int_equal(one_at_a_time(), 5000);
}

/* A region within a team is its thread alone; one within a region of one thread is not. */
static void regions_within_regions(void **state)
{
    (void)state;
    _Atomic int inner = 0, sizes = 0, numbers = 0;
    assert_false(omp_in_parallel());
#pragma omp parallel num_threads(3)
    {
        const int number = omp_get_thread_num();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 12; i++) {
#pragma omp parallel for schedule(dynamic) num_threads(4)
            for (int j = 0; j < 10; j++) {
                inner++;
                sizes += omp_get_num_threads() == 1 && omp_in_parallel();
            }
            numbers += omp_get_thread_num() == number;
        }
    }
    assert_int_equal(inner, 120);
    assert_int_equal(sizes, 120);
    assert_int_equal(numbers, 12);
    inner = sizes = 0;
#pragma omp parallel for schedule(dynamic, 2) num_threads(1)
    for (int i = 0; i < 6; i++) {
#pragma omp parallel num_threads(4)
        {
            inner++;
            sizes += omp_get_num_threads();
        }
    }
    assert_int_equal(inner, 24);
    assert_int_equal(sizes, 96);
}

static void *use_teams(void *argument)
{
    _Atomic int *wrong = argument;
    for (int round = 0; round < 100; round++) {
        _Atomic int seen[64] = {0};
#pragma omp parallel for schedule(dynamic) num_threads(3)
        for (int i = 0; i < 64; i++) seen[i]++;
        for (int i = 0; i < 64; i++) *wrong += seen[i] != 1;
    }
    return NULL;
}

static void several_callers(void **state)
{
    (void)state;
    pthread_t callers[6];
    _Atomic int wrong = 0;
    for (int i = 0; i < 6; i++) assert_int_equal(pthread_create(&callers[i], NULL, use_teams, &wrong), 0);
    for (int i = 0; i < 6; i++) pthread_join(callers[i], NULL);
    assert_int_equal(wrong, 0);
}

/* A forked process has one thread and makes others anew. */
static void after_a_fork(void **state)
{
    (void)state;
    _Atomic int wrong = 0;
    int how;
    use_teams(&wrong);
    const pid_t child = fork();
    if (!child) {
        alarm(600);
        use_teams(&wrong);
        _exit(wrong != 0);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    use_teams(&wrong);
    assert_int_equal(wrong, 0);
}

static int size_of_team(int wanted)
{
    int size = 0;
#pragma omp parallel num_threads(wanted)
    if (!omp_get_thread_num()) size = omp_get_num_threads();
    return size;
}

static void without_more_threads(void **state)
{
    (void)state;
    _Atomic int seen[MOST] = {0};
    threads_left = 0;
    const int kept = size_of_team(40);
    assert_true(kept >= 1 && kept < 40);
    threads_left = 2;
    assert_int_equal(size_of_team(40), kept + 2);
    threads_left = 0;
#pragma omp parallel for schedule(static) num_threads(60)
    for (int i = 0; i < MOST; i++) seen[i]++;
    expect_each_once(seen, MOST, 1);
    threads_left = 1 << 30;
    assert_int_equal(size_of_team(40), 40);
}

/* ---- how many there are by themselves ---- */

static void how_many(void **state)
{
    (void)state;
    setenv("OMP_NUM_THREADS", "3,2", 1);
    assert_int_equal(cpu_threads(0), 3);
    assert_int_equal(cpu_threads(5), 5);
    setenv("OMP_NUM_THREADS", "many", 1);
    assert_int_equal(cpu_threads(0), cpu_allowed());
    unsetenv("OMP_NUM_THREADS");
    assert_int_equal(cpu_threads(0), cpu_allowed());
    assert_true(cpu_allowed() >= 1);
}

static char root[] = "/tmp/argand-cgroup-XXXXXX";

static void put(const char *path, const char *content)
{
    char command[512], name[256];
    snprintf(name, sizeof name, "%s%s", root, path);
    snprintf(command, sizeof command, "mkdir -p $(dirname %s)", name);
    assert_int_equal(system(command), 0);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

static int quota_of(const char *groups)
{
    put("/proc/self/cgroup", groups);
    return cpu_quota(root);
}

static void quotas(void **state)
{
    (void)state;
    char command[128];
    assert_non_null(mkdtemp(root));
    assert_int_equal(cpu_quota(root), 0);
    put("/sys/fs/cgroup/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/a/cpu.max", "250000 100000\n");
    put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/a/b/c/cpu.max", "50000 100000\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/cpu/d/cpu.cfs_quota_us", "400000\n");
    put("/sys/fs/cgroup/cpu/d/cpu.cfs_period_us", "100000\n");
    assert_int_equal(quota_of("0::/\n"), 0);
    assert_int_equal(quota_of("0::/a\n"), 3);
    assert_int_equal(quota_of("0::/a/b\n"), 3); /* what stands above counts, too */
    assert_int_equal(quota_of("0::/a/b/c\n"), 1);
    assert_int_equal(quota_of("0::/out/of/sight\n"), 0);
    assert_int_equal(quota_of("3:cpuset:/d\n4:cpu,cpuacct:/d\n"), 4);
    assert_int_equal(quota_of("4:cpuacct,cpu:/d/unseen\n"), 4);
    assert_int_equal(quota_of("4:cpuacct:/d\n"), 0);
    assert_int_equal(quota_of("4:cpu:/\n0::/a\n"), 3);
    assert_int_equal(quota_of("nonsense\n"), 0);
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(loops),
                                          cmocka_unit_test(loops_in_a_row),
                                          cmocka_unit_test(barriers),
                                          cmocka_unit_test(criticals),
                                          cmocka_unit_test(regions_within_regions),
                                          cmocka_unit_test(several_callers),
                                          cmocka_unit_test(after_a_fork),
                                          cmocka_unit_test(without_more_threads),
                                          cmocka_unit_test(how_many),
                                          cmocka_unit_test(quotas)};

RUN_TESTS(tests)
