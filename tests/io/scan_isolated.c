/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans that a process of its own reads: the same as those read here, the same message where they are
 * refused; what that process may do; and that nothing which it hands over is believed. */
#include "harness.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "fuzz/scan_bytes.h"
#include "fuzz/scan_check.h"
#include "io/isolated/jail.h"
#include "io/isolated/flat.h"

static char folder[64], path[96];

static void same_scan(const argand_scan *a, const argand_scan *b)
{
    for (int list = 0; list < SCAN_LISTS; list++) {
        int64_t count, other;
        const argand_acquisition *x = scan_list(a, list, &count), *y = scan_list(b, list, &other);
        assert_int_equal(count, other);
        for (int64_t i = 0; i < count; i++) {
            same_acquisition_bytes(&x[i], &y[i]);
            assert_memory_equal(&x[i].counters, &y[i].counters, sizeof x->counters);
            assert_true(x[i].flags == y[i].flags && x[i].encoding == y[i].encoding && x[i].row == y[i].row);
        }
    }
    assert_int_equal(a->array_count, b->array_count);
    for (int i = 0; i < a->array_count; i++) {
        const argand_scan_array *x = &a->arrays[i], *y = argand_scan_find(b, x->name);
        assert_true(y && x->type == y->type && x->rank == y->rank);
        size_t bytes = argand_type_size(x->type);
        for (int d = 0; d < x->rank; d++) {
            assert_int_equal(x->dims[d], y->dims[d]);
            bytes *= (size_t)x->dims[d];
        }
        assert_memory_equal(x->data, y->data, bytes);
    }
    assert_int_equal(a->parameter_count, b->parameter_count);
    for (int i = 0; i < a->parameter_count; i++)
        assert_string_equal(argand_scan_parameter(a, a->parameters[i].name),
                            argand_scan_parameter(b, a->parameters[i].name));
    assert_int_equal(a->echo_count, b->echo_count);
    assert_memory_equal(a->encodings, b->encodings, (size_t)a->encoding_count * sizeof *a->encodings);
    assert_string_equal(a->header, b->header);
    assert_string_equal(a->notes, b->notes);
    assert_string_equal(a->path, b->path);
    assert_string_equal(a->protocol, b->protocol);
}

static void the_same_as_here(void **state)
{
    (void)state;
    argand_scan *here, *isolated;
    bytes_prepare(path);
    bytes_file(NULL, 0, path);
    OK(argand_scan_read(&here, path, NULL));
    OK(argand_scan_read_isolated(&isolated, path, NULL, NULL));
    assert_true(here->noise_count == 1 && here->navigator_count == 1 && here->array_count == 1);
    same_scan(here, isolated);
    scan_promises(isolated, true);
    argand_scan_destroy(isolated);
    argand_scan_destroy(here);
}

static void the_same_strings(void **state)
{
    (void)state;
    argand_scan *scan;
    char message[4096];
    build b = build_small();
    ((float *)b.rows[2].data.p)[3] = NAN;
    build_write(&b, path);
    build_free(&b);
    assert_int_equal(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT);
    snprintf(message, sizeof message, "%s", argand_message());
    FAILS(argand_scan_read_isolated(&scan, path, NULL, NULL), ARGAND_FORMAT, message);
    FAILS(argand_scan_read_isolated(&scan, "/nowhere/a.h5", NULL, NULL), ARGAND_FILE, "No such file");
    FAILS(argand_scan_read_isolated(&scan, folder, NULL, NULL), ARGAND_FILE, "is a folder");
    FAILS(argand_scan_read_isolated(NULL, path, NULL, NULL), ARGAND_ARGUMENT, "NULL");
    assert_null(scan);
}

#if !defined(__SANITIZE_ADDRESS__) /* whose own memory and calls a jail does not allow */
/* What goes wrong in a process with limits, as bits. */
static int in_jail(void)
{
    int wrong = 0;
    void *volatile memory;
    const int keep = open(path, O_RDWR);
    OK(jail_enter(path, 64 << 20, 5));
    const int again = open(path, O_RDONLY);
    char byte;
    if (again < 0 || read(again, &byte, 1) != 1) wrong |= 1;
    if (open(path, O_WRONLY) >= 0 || open("/tmp/argand-jail", O_CREAT | O_WRONLY, 0600) >= 0) wrong |= 2;
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || unlink(path) == 0 || rename(path, "/tmp/x") == 0) wrong |= 4;
    if (fork() >= 0 || kill(getppid(), 0) == 0) wrong |= 8;
    if ((memory = malloc((size_t)256 << 20)) != NULL) wrong |= 16;
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 0 && errno == ENOSYS)
        return wrong; /* no Landlock in this kernel */
    if (keep < 0 || open("/etc/passwd", O_RDONLY) >= 0 || open(folder, O_RDONLY | O_DIRECTORY) >= 0)
        wrong |= 32;
    return wrong;
}

static void what_it_may_do(void **state)
{
    (void)state;
    if (!prctl(PR_SET_SECCOMP, 2, NULL) || errno != EFAULT) {
        print_message("not tested: this kernel, or an emulator, has no seccomp\n");
        skip();
    }
    bytes_prepare(path);
    bytes_file(NULL, 0, path);
    fflush(NULL);
    const pid_t child = fork();
    int result;
    if (!child) _exit(in_jail());
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    assert_int_equal(WEXITSTATUS(result), 0);
    assert_int_equal(access(path, F_OK), 0);
}
#endif

/* Blocks with numbers changed: refused, or a scan of which all can be read. */
static void nothing_is_believed(void **state)
{
    (void)state;
    enum { ROUNDS = 20000 };
    argand_scan *whole, *scan;
    random_state random = {11};
    static const uint64_t values[] = {0,        1, 64, UINT64_MAX, UINT64_MAX / 2, 1 << 20, UINT64_C(1) << 62,
                                      4096 + 64};
    int taken = 0;
    bytes_prepare(path);
    bytes_file(NULL, 0, path);
    OK(argand_scan_read(&whole, path, NULL));
    const size_t bytes = scan_flat_size(whole);
    for (int round = 0; round < ROUNDS; round++) {
        char *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(block != MAP_FAILED);
        scan_flat_write(block, whole);
        for (unsigned changes = 1 + (unsigned)random_bits(&random) % 3; changes; changes--) {
            const bool in_head = random_bits(&random) % 2;
            const size_t bytes_left = in_head ? sizeof(argand_scan) : bytes - sizeof(scan_flat_head);
            const size_t at = random_bits(&random) % (bytes_left / 4 - 1) * 4 +
                              (in_head ? offsetof(scan_flat_head, scan) : sizeof(scan_flat_head));
            const uint64_t value = random_bits(&random) % 2 ? values[random_bits(&random) % 8]
                                                            : random_bits(&random) % bytes / 64 * 64;
            memcpy(block + at, &value, random_bits(&random) % 2 ? 4 : 8);
        }
        if (scan_flat_take(&scan, block, bytes, "flat") != ARGAND_OK) {
            munmap(block, bytes);
            continue;
        }
        double sum = 0;
        for (int list = 0; list < SCAN_LISTS; list++) {
            int64_t count;
            const argand_acquisition *a = scan_list(scan, list, &count);
            for (int64_t i = 0; i < count; i++) {
                for (int64_t j = 0; j < 2 * a[i].samples * a[i].channels; j++) sum += (double)a[i].data[j];
                for (int64_t j = 0; a[i].k[0] && j < a[i].samples; j++)
                    sum += (double)(a[i].k[0][j] + a[i].t[j]);
                sum += (double)scan->encodings[a[i].encoding].matrix[0];
            }
        }
        sum += (double)(strlen(scan->notes) + strlen(scan->header) + strlen(scan->system));
        taken += sum == sum || sum != sum;
        argand_scan_destroy(scan);
    }
    argand_scan_destroy(whole);
    printf("%d of %d were taken\n", taken, ROUNDS);
    assert_true(taken > ROUNDS / 20 && taken < ROUNDS);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/argand-isolated-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/a.h5", folder);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(the_same_as_here),
    TEST(the_same_strings),
#if !defined(__SANITIZE_ADDRESS__)
    TEST(what_it_may_do),
#endif
    TEST(nothing_is_believed),
};
RUN_TESTS(tests)
