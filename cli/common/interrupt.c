/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles Ctrl-C. The first signal asks the command, and through its observer the library, to stop and
 * clean up. If they do not return within a second, or at a second signal, the process exits at once. This
 * is safe: files take their final names only when all are complete (argand_files_begin), so only
 * unfinished files must be removed. Signals that follow within half a second count as the same one:
 * timeout(1) and batch systems signal the process and then its whole group. */
#include "common/command.h"
#include "common/print.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const double same_wish = 0.5;         /* seconds */
enum { PATIENCE = 800000, HOLDING = 20000 }; /* microseconds */

static volatile sig_atomic_t seen, holding;
static struct timespec
    first; /* used by the handler only, which the signal mask keeps from interrupting itself */
static char command_name[40], reason[2048], message[2400], event[6 * sizeof reason + 100];
static bool with_event, is_silent;

/* Writes the texts that the handler prints; it sees the old or the new ones. */
static void compose(void)
{
    char visible[sizeof reason], quoted[6 * sizeof reason];
    const bool held = holding;
    holding = 1;
    message[0] = 0;
    if (!is_silent)
        snprintf(message, sizeof message, "argand %s: %s\n", command_name,
                 visible_text(visible, sizeof visible, reason));
    event[0] = 0;
    if (with_event)
        snprintf(event, sizeof event, "{\"event\":\"error\",\"status\":\"%s\",\"message\":%s}\n",
                 argand_status_name(ARGAND_STOPPED), json_string(quoted, sizeof quoted, reason));
    holding = held;
}

void interrupt_message(const char *name, bool json)
{
    snprintf(command_name, sizeof command_name, "%.32s", name);
    with_event = json;
    interrupt_left("nothing was written");
}

void interrupt_left(const char *text)
{
    snprintf(reason, sizeof reason, "stopped by Ctrl-C; %s", text);
    compose();
}

void interrupt_silent(void)
{
    is_silent = true;
    with_event = false;
    compose();
}

const char *interrupt_reason(void)
{
    return reason;
}

static void look_again(int microseconds)
{
    const struct itimerval timer = {.it_value.tv_usec = microseconds};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void give_up(int number)
{
    (void)number;
    if (holding) {
        look_again(HOLDING);
        return;
    }
    argand_files_remove_unfinished();
    (void)!write(STDOUT_FILENO, event, strlen(event));
    (void)!write(STDERR_FILENO, message, strlen(message));
    _exit(130);
}

static void note(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!seen) {
        first = now;
        seen = 1;
        look_again(PATIENCE);
    } else if ((double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec) >
               same_wish) {
        give_up(number);
    }
}

void interrupt_catch(void)
{
    static const int wishes[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before, action = {.sa_handler = note}, end = {.sa_handler = give_up};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) sigaddset(&action.sa_mask, wishes[i]);
    sigaddset(&action.sa_mask, SIGALRM);
    end.sa_mask = action.sa_mask;
    sigaction(SIGALRM, &end, NULL);
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++)
        if (wishes[i] != SIGHUP ||
            (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN)) /* nohup(1) */
            sigaction(wishes[i], &action, NULL);
}

bool interrupted(void)
{
    return seen != 0;
}

void interrupt_forget(void)
{
    look_again(0);
    seen = 0;
}

void interrupt_hold(bool held)
{
    holding = held;
}
