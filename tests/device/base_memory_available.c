/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory there is: of the machine, of control groups and by setrlimit the least. */
#include <sys/resource.h>
#include <unistd.h>
#include "harness.h"
#include "base/memory_available.h"

static char root[] = "/tmp/argand-memory-XXXXXX";

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

static uint64_t all_of(const char *groups)
{
    put("/proc/self/cgroup", groups);
    return memory_available(root).all;
}

static void amounts(void **state)
{
    (void)state;
    char command[128];
    assert_non_null(mkdtemp(root));
    assert_true(memory_available(root).all == UINT64_MAX && memory_available(root).left == UINT64_MAX);
    put("/proc/meminfo",
        "MemTotal:  4000 kB\nMemFree: 10 kB\nMemAvailable: 3000 kB\nSwapTotal: 96 kB\nSwapFree: 72 kB\n");
    assert_int_equal(memory_available(root).all, 4096 * 1024);
    assert_int_equal(memory_available(root).left, 3072 * 1024);
    put("/sys/fs/cgroup/memory.max", "max\n");
    put("/sys/fs/cgroup/a/memory.max", "2000000\n");
    put("/sys/fs/cgroup/a/b/memory.max", "max\n");
    put("/sys/fs/cgroup/memory/d/memory.limit_in_bytes", "1000000\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(all_of("0::/\n"), 4096 * 1024);
    assert_int_equal(all_of("0::/a/b\n"), 2000000);
    assert_int_equal(all_of("5:memory:/d\n"), 1000000);
    assert_int_equal(all_of("5:memory:/\n"), 4096 * 1024);
    put("/proc/self/statm", "500 100 50\n"); /* pages: mapped, resident */
    assert_int_equal(all_of("5:memory:/d\n"), 1000000);
    assert_int_equal(memory_available(root).left, 1000000 - 100 * sysconf(_SC_PAGESIZE));
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

/* Refused by the process's own limit, although the system would hand out as much. */
static void own_limit(void **state)
{
    (void)state;
    struct rlimit before, now;
    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
    now = before;
    now.rlim_cur = (rlim_t)3 << 30;
    assert_int_equal(setrlimit(RLIMIT_DATA, &now), 0);
    assert_true(memory_available("").all <= (uint64_t)3 << 30);
    FAILS(memory_check_all((size_t)4 << 30, "this"), ARGAND_MEMORY,
          "this: no memory for 4294.97 MB; this process may use");
    OK(memory_check_all(1 << 20, "this"));
    void *block;
    FAILS(memory_take(&block, (size_t)4 << 30), ARGAND_MEMORY,
          "no memory for 4294.97 MB; this process may use");
    assert_null(block);
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
}

/* More than any machine has, whatever its rule for handing out memory */
static void too_much(void **state)
{
    (void)state;
    void *block;
    FAILS(memory_take(&block, (size_t)1 << 46), ARGAND_MEMORY, "no memory for");
    argand_test_memory_available(100 << 20);
    FAILS(memory_check_left((size_t)101 << 20, "this"), ARGAND_MEMORY,
          "this process may still use 104.858 MB");
    OK(memory_check_left(99 << 20, "this"));
    argand_test_memory_available(0);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(amounts), cmocka_unit_test(own_limit),
                                          cmocka_unit_test(too_much)};
RUN_TESTS(tests)
