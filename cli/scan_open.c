/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a scan. The reader checks what it can before HDF5 follows it, but HDF5 1.10 itself divides by zero
 * or runs off memory on some damaged files. While a scan is read nothing has been written yet, so the tool
 * may end at once: with words and an exit code instead of a core dump. (Not under sanitizers, which report
 * better.) */
#include "command.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
enum { WATCHING = 0 };
#else
enum { WATCHING = 1 };
#endif

static const char *reading_path;

static void say(const char *words)
{
    const ssize_t written = write(STDERR_FILENO, words, strlen(words));
    (void)written;
}

/* Only what is allowed in a signal handler. */
static void on_crash(int number)
{
    (void)number;
    say("argand: ");
    say(reading_path);
    say(": is damaged: the HDF5 library failed on what it holds. Copy the file again from the scanner, or "
        "see whether "
        "h5dump reads it\n");
    _exit(ARGAND_FORMAT);
}

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { CRASHES = sizeof crashes / sizeof *crashes };

static void watch(const char *path, struct sigaction *before)
{
    struct sigaction action = {.sa_handler = on_crash};
    sigemptyset(&action.sa_mask);
    reading_path = path;
    for (int i = 0; i < CRASHES; i++) sigaction(crashes[i], &action, &before[i]);
}

static void unwatch(const struct sigaction *before)
{
    for (int i = 0; i < CRASHES; i++) sigaction(crashes[i], &before[i], NULL);
}

argand_status scan_open(argand_scan **scan, const char *path, const scan_reading *reading)
{
    const argand_scan_options options = {.group = reading->group,
                                         .k_unit = (argand_k_unit)reading->k_unit,
                                         .y_fastest = reading->y_fastest,
                                         .time_from_echo = reading->time_from_echo,
                                         .no_images = reading->no_images,
                                         .bands = reading->bands};
    struct sigaction before[CRASHES];
    if (WATCHING) watch(path, before);
    const argand_status status = argand_scan_read(scan, path, &options);
    if (WATCHING) unwatch(before);
    return status;
}
