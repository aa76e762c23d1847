/* SPDX-License-Identifier: BSD-3-Clause */
/* Wisdom as text and in files: what is kept, what is refused, and that no file can do harm. */
#include "wisdom_folder.h"

#include "fft/planner/plan.h"
#include "fft/planner/wisdom.h"
#include "fft/plan/options.h"

#include <fcntl.h>
#include <locale.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- text ---- */

static void text_there_and_back(void **state)
{
    (void)state;
    char small[8];
    expect_known("argand wisdom 1\n");
    OK(argand_fft_wisdom_import(TEXT));
    expect_known(TEXT);
    OK(argand_fft_wisdom_export(small, sizeof small, NULL));
    assert_string_equal(small, "argand ");
    /* later lines replace earlier ones; remarks and empty lines count for nothing */
    OK(argand_fft_wisdom_import(
        "argand wisdom 1\n# a remark\n\ndevice\tA chip\nc64 8\tnative\tthreads 64 radices 8\t.5e-6\r\n"));
    char *known = exported();
    assert_non_null(strstr(known, "c64 8\tnative\tthreads 64 radices 8\t500.000e-9\n"));
    assert_null(strstr(known, "passes"));
    free(known);
    /* times beyond what is written are taken again, too */
    OK(argand_fft_wisdom_import(
        "argand wisdom 1\ndevice\tA chip\nc64 8\tnative\t\t1e-20\nc64 9\tnative\t\t1e20\n"));
    known = exported();
    assert_non_null(strstr(known, "c64 8\tnative\t\t0.001e-9\n"));
    OK(argand_fft_wisdom_import(known));
    free(known);
    argand_fft_wisdom_forget();
    expect_known("argand wisdom 1\n");
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *chars, *message;
    } cases[] = {
        {"", "empty"},
        {"argand wisdom 2\n", "begins with the line"},
        {"\n", "begins with the line"},
        {"argand wisdom 1\nc32 8\tnative\t\t1e-6\n", "line 2"}, /* no device */
        {"argand wisdom 1\ndevice\tA\nc32 8\tnative\t1e-6\n", "line 3"},
        {"argand wisdom 1\ndevice\tA\nc32 8\tnative\t\t1e-6\tmore\n", "line 3"},
        {"argand wisdom 1\ndevice\tA\nc32 8\tnative\t\t1,5e-6\n", "line 3"},
        {"argand wisdom 1\ndevice\tA\nc32 8\tnative\t\t0\n", "line 3"},
        {"argand wisdom 1\ndevice\tA\nc32 8\tnative\t\t-1\n", "line 3"},
        {"argand wisdom 1\ndevice\tA\nc32 8\tnative\t\tinf\n", "line 3"},
        {"argand wisdom 1\ndevice\tA\nc32 8\tnative\t\t1e999\n", "line 3"},
        {"argand wisdom 1\ndevice\tA\nc32 8\tnative\t\te-6\n", "line 3"},
        {"argand wisdom 1\ndevice\tA\nc32 8\t\t\t1e-6\n", "line 3"},
        {"argand wisdom 1\ndevice\t\n", "line 2"},
        {"argand wisdom 1\ndevice\tA\nc32 8\tnative\t\t1e-6", "middle of its last line"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FAILS(argand_fft_wisdom_import(cases[i].chars), ARGAND_FORMAT, cases[i].message);
        expect_known("argand wisdom 1\n");
    }
    FAILS(argand_fft_wisdom_import(NULL), ARGAND_ARGUMENT, "no text");
    FAILS(argand_fft_wisdom_read("/tmp/there/is/no.wisdom"), ARGAND_FILE, "no.wisdom");
    FAILS(argand_fft_wisdom_write("/tmp/there/is/no.wisdom"), ARGAND_FILE, "no.wisdom");
    write_file(path, "argand wisdom 1\ndevice\tA\n\0c32", 30);
    FAILS(argand_fft_wisdom_read(path), ARGAND_FORMAT, "zero byte");
}

static void files(void **state)
{
    (void)state;
    OK(argand_fft_wisdom_import(TEXT));
    OK(argand_fft_wisdom_write(path));
    assert_string_equal(read_file(path), TEXT);
    argand_fft_wisdom_forget();
    OK(argand_fft_wisdom_read(path));
    expect_known(TEXT);
}

/* Numbers are written and read with points under a locale that has commas. */
static void locale(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "de_DE"))
        printf("no German locale: points alone are tested\n");
    OK(argand_fft_wisdom_import(TEXT));
    expect_known(TEXT);
    setlocale(LC_ALL, "C");
}

/* ---- files that are found ---- */

static const argand_fft_options measured = {
    .type = ARGAND_C32, .rank = 1, .n = {48}, .effort = ARGAND_MEASURE, .measure_seconds = 0.05};

static void measured_and_found(void **state)
{
    (void)state;
    argand_fft_options estimated = measured;
    estimated.effort = ARGAND_ESTIMATE;
    assert_false(plan_by_wisdom(&estimated));
    assert_false(plan_by_wisdom(&measured));
    assert_true(plan_by_wisdom(&estimated));
    const char *chars = read_file(path);
    assert_non_null(chars);
    assert_non_null(strstr(chars, device_name()));
    assert_non_null(strstr(chars, "\nc32 48\t"));
    argand_fft_wisdom_forget();
    assert_true(plan_by_wisdom(&measured));
    setenv("ARGAND_WISDOM", "off", 1);
    argand_fft_wisdom_forget();
    assert_false(plan_by_wisdom(&measured));
    assert_false(plan_by_wisdom(&measured));
    expect_known("argand wisdom 1\n");
}

/* Centred transforms take what is known of others, unless they were measured themselves, or the others are a
 * vendor's, who has none. */
static void centred_as_others(void **state)
{
    (void)state;
    char chars[256];
    fft_problem p;
    wisdom_answer known[2];
    bool is_known;
    OK(problem_make(
        &p, &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {48}, .batch = 4, .centred = true}));
    snprintf(chars, sizeof chars, "argand wisdom 1\ndevice\t%s\nc32 48 batch 2\tnative\tthreads 64\t1e-6\n",
             device_name());
    OK(argand_fft_wisdom_import(chars));
    OK(wisdom_ask(&is_known, known, device, &p));
    assert_true(is_known && known->seconds == 0);
    assert_string_equal(known->variant, "threads 64");
    snprintf(chars, sizeof chars, "argand wisdom 1\ndevice\t%s\nc32 48 batch 2\tcufft\t\t1e-6\n",
             device_name());
    OK(argand_fft_wisdom_import(chars));
    OK(wisdom_ask(&is_known, known, device, &p));
    assert_false(is_known);
    snprintf(chars, sizeof chars,
             "argand wisdom 1\ndevice\t%s\nc32 48 batch 4 centred\tnative\tthreads 128\t1e-6\n",
             device_name());
    OK(argand_fft_wisdom_import(chars));
    OK(wisdom_ask(&is_known, known, device, &p));
    assert_true(is_known && known->seconds == 1e-6);
    assert_string_equal(known->variant, "threads 128");
}

/* Without ARGAND_WISDOM: a file for the device, below the folder of kernels; none where that is off. */
static void in_the_cache_folder(void **state)
{
    (void)state;
    const char *cache = getenv("ARGAND_CACHE");
    char kept[4096], name[4096];
    snprintf(kept, sizeof kept, "%s", cache ? cache : "");
    unsetenv("ARGAND_WISDOM");
    setenv("ARGAND_CACHE", folder, 1);
    assert_true(wisdom_path(name, sizeof name, "NVIDIA H200 (x)"));
    assert_string_equal(name + strlen(folder), "/wisdom/NVIDIA_H200__x_.wisdom");
    assert_false(plan_by_wisdom(&measured));
    assert_true(wisdom_path(name, sizeof name, device_name()));
    assert_non_null(read_file(name));
    argand_fft_wisdom_forget();
    assert_true(plan_by_wisdom(&measured));
    setenv("ARGAND_CACHE", "off", 1);
    argand_fft_wisdom_forget();
    assert_false(plan_by_wisdom(&measured));
    cache ? setenv("ARGAND_CACHE", kept, 1) : unsetenv("ARGAND_CACHE");
}

/* A real plan's two ways have an entry each; a file of a version that had one for both serves both. */
static void both_ways(void **state)
{
    (void)state;
    argand_fft_options o = measured;
    o.type = ARGAND_R32;
    o.batch = 2;
    assert_false(plan_by_wisdom(&o));
    const char *chars = read_file(path);
    assert_non_null(strstr(chars, "\nr32 48 batch 2\t"));
    const char *back = strstr(chars, "\nr32 48 batch 2 inverse\t");
    assert_non_null(back);
    assert_true(plan_by_wisdom(&o));
    char *old = strdup(chars), *line = old + (back + 1 - chars);
    memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n') + 1) + 1);
    assert_null(strstr(old, "inverse"));
    write_file(path, old, strlen(old));
    argand_fft_wisdom_forget();
    assert_true(plan_by_wisdom(&o));
    o.batch = 4; /* nearby: both entries of the one batch, and no entry of the inverse for the whole */
    o.effort = ARGAND_ESTIMATE;
    assert_true(plan_by_wisdom(&o));
    free(old);
}

/* What cannot be kept in the file that was named is not measured; estimates need no file. */
static void cannot_be_kept(const char *message)
{
    argand_fft *plan;
    argand_fft_options estimated = measured;
    estimated.effort = ARGAND_ESTIMATE;
    argand_fft_wisdom_forget();
    FAILS(argand_fft_create(&plan, device, &measured), ARGAND_FILE, message);
    assert_null(plan);
    assert_non_null(strstr(argand_message(), "ARGAND_WISDOM=off"));
    assert_non_null(strstr(argand_message(), path));
    assert_false(plan_by_wisdom(&estimated));
}

/* Whatever is in the file: plans are made, and what is whole in it serves. */
static void damaged_files(void **state)
{
    (void)state;
    assert_false(plan_by_wisdom(&measured));
    char *whole = strdup(read_file(path));
    const size_t count = strlen(whole);
    argand_fft_options estimated = measured;
    estimated.effort = ARGAND_ESTIMATE;
    for (size_t i = 0; i < count; i += i < 20 ? 1 : 7) {
        write_file(path, whole, i); /* cut off */
        argand_fft_wisdom_forget();
        plan_by_wisdom(&estimated);
        char *changed = strdup(whole);
        changed[i] ^= 0x15;
        write_file(path, changed, count);
        argand_fft_wisdom_forget();
        plan_by_wisdom(&estimated);
        free(changed);
    }
    write_file(path, whole, count - 1); /* the last line has no end: not believed */
    argand_fft_wisdom_forget();
    assert_false(plan_by_wisdom(&estimated));
    assert_false(plan_by_wisdom(&measured)); /* and measured anew */
    argand_fft_wisdom_forget();
    assert_true(plan_by_wisdom(&estimated));
    write_file(path, "argand wisdom 2\nwords of the future\n", 36); /* is not overwritten */
    cannot_be_kept("a later version's");
    assert_string_equal(read_file(path), "argand wisdom 2\nwords of the future\n");
    write_file(path, "something else", 14); /* named by mistake: neither is this */
    cannot_be_kept("it holds no wisdom");
    assert_string_equal(read_file(path), "something else");
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0); /* a folder of that name */
    cannot_be_kept("is not replaced");
    free(whole);
}

/* Processes that write at the same time lose nothing of each other's. */
static void concurrent_writers(void **state)
{
    (void)state;
    enum { PROCESSES = 4, ENTRIES = 10 };
    char problem[32], *const name = (char *)"A chip", *const engine = (char *)"native",
                             *const variant = (char *)"";
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        for (int j = 0; children[i] == 0 && j < ENTRIES; j++) {
            snprintf(problem, sizeof problem, "c32 %d", 100 * i + j + 1);
            OK(wisdom_store(&(wisdom_entry){name, problem, engine, variant, 1e-6, WISDOM_SESSION}));
        }
        if (children[i] == 0) _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        waitpid(children[i], &status, 0);
        assert_int_equal(status, 0);
    }
    wisdom all = {0};
    wisdom_load(&all, name);
    assert_int_equal(all.count, PROCESSES * ENTRIES);
    wisdom_release(&all);
}

/* 6 MB of lines that fall: where each is put in by itself, all others move for it (2 minutes of processor
 * time; half a second otherwise). */
static void falling_lines(void **state)
{
    (void)state;
    enum { LINES = 250000, LINE = 48 };
    fflush(NULL);
    const pid_t child = fork();
    if (!child) {
        char *message = malloc((size_t)LINES * LINE + 100), *at = message;
        setrlimit(RLIMIT_CPU, &(struct rlimit){20, 20});
        at += sprintf(at, "argand wisdom 1\ndevice\tA chip\n");
        for (int i = LINES; i > 0; i--) at += sprintf(at, "c32 %07d\tnative\t\t%d.000e-9\n", i, i);
        if (argand_fft_wisdom_import(message) || argand_fft_wisdom_import(message)) _exit(2);
        size_t needed;
        if (argand_fft_wisdom_export(NULL, 0, &needed) || needed != (size_t)(at - message) + 1) _exit(3);
        char *known = malloc(needed);
        if (argand_fft_wisdom_export(known, needed, NULL) || !strstr(known, "A chip\nc32 0000001\tnative"))
            _exit(4);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

/* Later lines of one problem replace earlier ones, and what is known but for a better source. */
static void doubles(void **state)
{
    (void)state;
#define SOME(order, a, b) \
    "argand wisdom 1\ndevice\tA chip\n" order "c32 8\t" a "\t\t1.000e-9\nc32 8\t" b "\t\t1.000e-9\n"
    OK(argand_fft_wisdom_import(SOME("c32 9\tpasses\t\t1.000e-9\n", "passes", "native")));
    expect_known("argand wisdom 1\ndevice\tA chip\nc32 8\tnative\t\t1.000e-9\nc32 9\tpasses\t\t1.000e-9\n");
    OK(argand_fft_wisdom_import(SOME("c32 7\tpasses\t\t1.000e-9\n", "general", "cufft")));
    expect_known("argand wisdom 1\ndevice\tA chip\nc32 7\tpasses\t\t1.000e-9\nc32 8\tcufft\t\t1.000e-9\n"
                 "c32 9\tpasses\t\t1.000e-9\n");
    wisdom w = {0};
    OK(wisdom_parse(&w, SOME("", "session", "session"), WISDOM_SESSION, WISDOM_WHOLE, NULL));
    OK(wisdom_parse(&w, SOME("", "file", "file"), WISDOM_FILE, WISDOM_WHOLE, NULL));
    assert_int_equal(w.count, 1);
    assert_string_equal(w.list[0].engine, "session");
    wisdom_release(&w);
}

/* A writer that was stopped while it holds the folder keeps nobody waiting for ever. */
static void busy_folder(void **state)
{
    (void)state;
    const int lock = open(folder, O_RDONLY | O_DIRECTORY);
    assert_true(lock >= 0 && !flock(lock, LOCK_EX));
    char *const name = (char *)"A chip", *const word = (char *)"c32 8";
    const wisdom_entry entry = {name, word, word, word, 1e-6, WISDOM_SESSION};
    alarm(60);
    FAILS(wisdom_store(&entry), ARGAND_FILE, "another process has held its folder");
    assert_int_equal(access(path, F_OK), -1);
    close(lock);
    OK(wisdom_store(&entry));
    assert_int_equal(access(path, F_OK), 0);
    alarm(0);
}

static void memory_runs_out(void **state)
{
    (void)state;
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status != ARGAND_OK; n++) {
        argand_fft_wisdom_forget();
        const long before = argand_test_live_allocations();
        argand_test_fail_allocation(n);
        status = argand_fft_wisdom_import(TEXT);
        argand_test_fail_allocation(0);
        if (status == ARGAND_OK) break;
        assert_int_equal(status, ARGAND_MEMORY);
        argand_fft_wisdom_forget();
        assert_int_equal(argand_test_live_allocations(), before);
    }
    expect_known(TEXT);
}

static const struct CMUnitTest tests[] = {
    TEST(text_there_and_back),
    TEST(refused),
    TEST(files),
    TEST(locale),
    TEST(centred_as_others),
    TEST(measured_and_found),
    TEST(in_the_cache_folder),
    TEST(both_ways),
    TEST(damaged_files),
    TEST(concurrent_writers),
    TEST(falling_lines),
    TEST(doubles),
    TEST(busy_folder),
    TEST(memory_runs_out),
};
RUN_TESTS(tests)
