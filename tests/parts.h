/* SPDX-License-Identifier: BSD-3-Clause */
/* A test program as several processes at a time, each with a part of its problems (in_part), where kernels
 * take long to compile: RUN_TESTS_IN_PARTS(tests, most) instead of RUN_TESTS(tests). What they print comes
 * one after the other. */
#ifndef TESTS_PARTS_H
#define TESTS_PARTS_H

#include <sys/wait.h>
#include <unistd.h>
#include "harness.h"

enum { PARTS_AT_MOST = 16 };
typedef struct test_part {
    pid_t process;
    FILE *message;
} test_part;

/* This program once more, for part k; it opens the device itself, as devices do not live through a fork. */
static inline void part_begin(test_part *part, char **argv, int k, int parts)
{
    char name[32];
    part->message = tmpfile();
    part->process = part->message ? fork() : -1;
    if (part->process) return;
    snprintf(name, sizeof name, "%d/%d", k, parts);
    setenv("ARGAND_TEST_PART", name, 1);
    setenv("OMP_NUM_THREADS", "2", 0);
    if (dup2(fileno(part->message), STDOUT_FILENO) >= 0 && dup2(fileno(part->message), STDERR_FILENO) >= 0)
        execv("/proc/self/exe", argv);
    _exit(1);
}

/* Its exit status; 1 where it has none. */
static inline int part_end(test_part *part)
{
    char line[4096];
    int status = 0;
    if (part->process < 0) return printf("a part of the test could not be started\n"), 1;
    const int result =
        waitpid(part->process, &status, 0) == part->process && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    rewind(part->message);
    while (fgets(line, sizeof line, part->message)) fputs(line, stdout);
    fclose(part->message);
    return result;
}

/* Half of the machine's processors have one each; none on the host itself, which compiles nothing, nor where
 * somebody else has divided the problems. */
static inline int part_count(int argc, char **argv, int most)
{
    const long half = sysconf(_SC_NPROCESSORS_ONLN) / 2;
    if (argc < 2 || !strcmp(argv[1], "cpu") || getenv("ARGAND_TEST_PART")) return 1;
    if (most > PARTS_AT_MOST) most = PARTS_AT_MOST;
    return half < most ? (int)half : most;
}

/* The worst of all parts. */
static inline int parts_run(char **argv, int parts)
{
    test_part part[PARTS_AT_MOST];
    int worst = 0;
    fflush(stdout);
    for (int k = 0; k < parts; k++) part_begin(&part[k], argv, k, parts);
    for (int k = 0; k < parts; k++) {
        const int result = part_end(&part[k]);
        if (result && (!worst || worst == 77)) worst = result;
    }
    return worst;
}

#define RUN_TESTS_IN_PARTS(tests, most)                                   \
    static int run_part(int argc, char **argv);                           \
    RUN_TESTS_AS(run_part, tests)                                         \
    int main(int argc, char **argv)                                       \
    {                                                                     \
        const int parts = part_count(argc, argv, most);                   \
        return parts > 1 ? parts_run(argv, parts) : run_part(argc, argv); \
    }

#endif
