/* SPDX-License-Identifier: BSD-3-Clause */
/* A fuzzer's main without libFuzzer, for any compiler:
 *   FUZZER CORPUS [COUNT [FIRST [SECONDS]]]
 *                 each file of the folder, then COUNT changed ones from number FIRST on, each always the
 *                 same for its number; stops after SECONDS, if given
 *   FUZZER FILE   one input again
 * The first tier takes a quarter of COUNT, another one in every run. An input that ends the process is kept
 * as fuzz-FUZZER-N in the present folder. More than 20 s of processor time for an input count as a hang. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "fuzz/mutate.h"
#include "sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

enum { MOST_SEEDS = 256, LARGEST = 1 << 20, ROOM = 1 << 21, MOST_SECONDS = 20 };

static struct {
    const char *name;
    fuzz_bytes seeds[MOST_SEEDS];
    int seed_count;
    fuzz_bytes now;
    unsigned long long number;
} fuzz;

#if defined(__SANITIZE_ADDRESS__)
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "abort_on_error=1:allocator_may_return_null=1:max_allocation_size_mb=1000:detect_leaks=0";
}
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "print_stacktrace=1:abort_on_error=1";
}
#endif

static void keep(int number)
{
    char path[256];
    static const char hang[] = "more than 20 s of processor time for one input\n";
    snprintf(path, sizeof path, "fuzz-%s-%llu", fuzz.name, fuzz.number);
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(fuzz.now.bytes, 1, fuzz.now.count, file);
        fclose(file);
    }
    if (number == SIGPROF && write(STDERR_FILENO, hang, sizeof hang - 1) < 0) _exit(2);
    fprintf(stderr, "the input is kept as %s\n", path);
    signal(number, SIG_DFL);
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void run_one(void)
{
    const struct itimerval limit = {.it_value = {.tv_sec = MOST_SECONDS}}, none = {0};
    setitimer(ITIMER_PROF, &limit, NULL);
    LLVMFuzzerTestOneInput(fuzz.now.bytes, fuzz.now.count);
    setitimer(ITIMER_PROF, &none, NULL);
}

static bool read_seed(const char *path)
{
    struct stat found;
    fuzz_bytes *seed = &fuzz.seeds[fuzz.seed_count];
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &found) || !S_ISREG(found.st_mode) || found.st_size > LARGEST) {
        if (file) fclose(file);
        return false;
    }
    seed->bytes = malloc((size_t)found.st_size + 1);
    seed->count = fread(seed->bytes, 1, (size_t)found.st_size, file);
    fclose(file);
    return ++fuzz.seed_count <= MOST_SEEDS;
}

static void take_seed(int number)
{
    fuzz.now.count = fuzz.seeds[number].count;
    memcpy(fuzz.now.bytes, fuzz.seeds[number].bytes, fuzz.now.count);
}

static void read_corpus(const char *folder)
{
    struct dirent **names;
    char path[4096];
    const int count = scandir(folder, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        if (fuzz.seed_count < MOST_SEEDS) read_seed(path);
        free(names[i]);
    }
    if (count >= 0) free(names);
}

static void change(unsigned long long number)
{
    random_state random = {number * 7919};
    take_seed((int)mutate_choose(&random, (uint64_t)fuzz.seed_count));
    fuzz.number = number;
    mutate(&fuzz.now, &random);
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    unsigned long long count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000,
                       first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    const time_t end = argc > 4 ? time(NULL) + strtol(argv[4], NULL, 10) : 0;
    unsigned long long done = 0;
    if (is_first_tier()) {
        count /= 4;
        first += count * (seed_of_run() % 4);
    }
    fuzz.name = slash ? slash + 1 : argv[0];
    fuzz.now = (fuzz_bytes){malloc(ROOM), 0, ROOM};
    signal(SIGABRT, keep);
    signal(SIGPROF, keep);
    if (argc > 1 && !read_seed(argv[1])) read_corpus(argv[1]);
    if (!fuzz.seed_count) {
        fprintf(stderr, "usage: %s CORPUS [COUNT [FIRST [SECONDS]]]\n", fuzz.name);
        return 1;
    }
    for (int i = 0; i < fuzz.seed_count; i++) {
        take_seed(i);
        run_one();
    }
    const bool again = fuzz.seed_count == 1 && argc == 2;
    for (; !again && done < count && (!end || time(NULL) < end); done++) {
        change(first + done);
        run_one();
    }
    printf("%s: %d seeds and %llu changed inputs without a finding\n", fuzz.name, fuzz.seed_count, done);
    return 0;
}
