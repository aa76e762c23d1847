/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes rows of a file in a child process, and reads them from its pipe. */
#include "io/isolated/rows.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/observe.h"
#include "base/system/system.h"
#include "io/isolated/jail.h"
#include "io/isolated/pipe.h"

struct isolated_rows {
    isolated_work work;
    int from;
    pid_t child; /* 0: has ended */
};

/* Precedes each row in the pipe. */
typedef struct row_head {
    int32_t status;
    char message[1020];
} row_head;

bool isolated_rows_can(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#else
    return true;
#endif
}

/* ---- the child ---- */

/* Closes all files but two, so that the child cannot write to the caller's files. */
static void close_others(int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    system_close_range(3, low - 1);
    system_close_range(low + 1, high - 1);
    system_close_range(high + 1, INT_MAX);
}

/* Runs in the child, which ends when nobody reads from the pipe any more. It does not ask for a signal at
 * the parent's death: that signal follows the end of the starting thread, and another thread may use the
 * picture. */
static void be_the_child(const isolated_work *w, int to)
{
    static const int usual[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS,
                                SIGFPE, SIGABRT, SIGILL, SIGPIPE, SIGXCPU};
    sigset_t none;
    row_head head = {.status = ARGAND_OK};
    argand_observer_set(NULL, NULL); /* the parent's observer cannot work here */
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) signal(usual[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    close_others(w->descriptor, to);
    const argand_status entered = jail_enter(w->path, w->memory, w->seconds);
    while (head.status == ARGAND_OK) {
        head.status = (int32_t)(entered == ARGAND_OK ? w->next(w->user) : entered);
        snprintf(head.message, sizeof head.message, "%s", head.status == ARGAND_OK ? "" : argand_message());
        if (!scan_pipe_write(to, &head, sizeof head)) break;
        if (head.status == ARGAND_OK && !scan_pipe_write(to, w->row, w->floats * sizeof *w->row)) break;
    }
    _exit(0);
}

/* ---- this process ---- */

argand_status isolated_rows_begin(isolated_rows **rows, const isolated_work *work)
{
    int ends[2];
    TRY(NEW(*rows, 1));
    (*rows)->work = *work;
    (*rows)->from = -1;
    const bool piped = !system_pipe(ends);
    const pid_t child = piped ? fork() : -1;
    const int number = errno;
    if (child == 0) be_the_child(work, ends[1]);
    if (child > 0) {
        close(ends[1]);
        (*rows)->from = ends[0];
        (*rows)->child = child;
        return ARGAND_OK;
    }
    if (piped) close(ends[0]), close(ends[1]);
    isolated_rows_end(*rows);
    *rows = NULL;
    return status_set(ARGAND_MEMORY, "%s: no process could be started to read it: %s", work->path,
                      strerror(number));
}

/* Returns the reason why there is no further row. */
static argand_status ended(isolated_rows *rows)
{
    const char *path = rows->work.path;
    int result = 0;
    TRY(observe_again()); /* a signal may have been meant for this process */
    close(rows->from);    /* else waiting for a child that writes into a full pipe never ends */
    rows->from = -1;
    while (waitpid(rows->child, &result, 0) < 0 && errno == EINTR)
        ;
    rows->child = 0;
    const int number = WIFSIGNALED(result) ? WTERMSIG(result) : 0;
    CHECK(number, ARGAND_FORMAT, "%s: reading it ended too early. It is damaged", path);
    CHECK(number != SIGINT && number != SIGTERM && number != SIGHUP && number != SIGPIPE, ARGAND_STOPPED,
          "%s: stopped while it was read", path);
    CHECK(number != SIGXCPU, ARGAND_FORMAT,
          "%s: reading it took more than %llu s of processor time. It is damaged", path,
          (unsigned long long)rows->work.seconds);
    CHECK(number != SIGKILL, ARGAND_MEMORY, "%s: the process that read it was killed: is the memory full?",
          path);
    return status_set(
        ARGAND_FORMAT,
        "%s: the process that read it crashed (%s). The file is damaged, or made to make readers "
        "crash; if another program reads the file, report this as a bug in Argand",
        path, strsignal(number));
}

static bool is_stopped(void)
{
    return observe_again() != ARGAND_OK;
}

argand_status isolated_rows_read(isolated_rows *rows)
{
    const isolated_work *w = &rows->work;
    row_head head;
    CHECK(rows->child, ARGAND_FORMAT, "%s: no further row of it can be read", w->path);
    if (!scan_pipe_read(rows->from, &head, sizeof head, is_stopped)) return ended(rows);
    head.message[sizeof head.message - 1] = 0;
    CHECK(head.status >= ARGAND_OK && head.status <= ARGAND_INTERNAL, ARGAND_FORMAT, "%s: is damaged",
          w->path);
    if (head.status != ARGAND_OK) return status_set((argand_status)head.status, "%s", head.message);
    return scan_pipe_read(rows->from, w->row, w->floats * sizeof *w->row, is_stopped) ? ARGAND_OK
                                                                                      : ended(rows);
}

void isolated_rows_end(isolated_rows *rows)
{
    if (!rows) return;
    if (rows->from >= 0) close(rows->from);
    if (rows->child) {
        kill(rows->child, SIGKILL);
        while (waitpid(rows->child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    memory_free(rows);
}
