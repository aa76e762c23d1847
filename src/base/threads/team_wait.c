/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets threads wait for each other: some microseconds awake, then asleep in the kernel (futex(2)). */
#include "base/threads/team_wait.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "base/threads/team.h"

/* Two regions of one call are microseconds apart, while waking a thread takes 5 to 50 microseconds. */
enum { MOST_PATIENCE = 40000, LEAST_PATIENCE = 2000, SPINS = 32 };

void word_wait(team_word *word, uint32_t value)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(team_word *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

void word_wake(team_word *word)
{
    wake(word, 1 << 30);
}

bool may_spin(void)
{
    static atomic_int known; /* 0: not yet */
    if (!known) {
        const char *policy = getenv("OMP_WAIT_POLICY");
        known = policy && !strcasecmp(policy, "passive") ? 1 : 2;
    }
    return known == 2;
}

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory"); /* waits longer than yield, which most processors skip */
#endif
}

static int64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Spins until the variable has the value, or without `same` another value; returns false when the time is
 * over. */
static bool spin(team_word *word, uint32_t value, bool same, int patience)
{
    const int64_t end = nanoseconds() + patience;
    do {
        for (int i = 0; i < SPINS; i++) {
            if ((atomic_load_explicit(word, memory_order_acquire) == value) == same) return true;
            relax();
        }
    } while (nanoseconds() < end);
    return false;
}

/* ---- gates ---- */

enum { SHUT, ASLEEP, OPEN };

void gate_open(team_gate *g)
{
    if (atomic_exchange(&g->state, OPEN) == ASLEEP) wake(&g->state, 1);
}

void gate_pass(team_gate *g, bool patient)
{
    if (!g->patience) g->patience = MOST_PATIENCE;
    if (patient && spin(&g->state, OPEN, true, g->patience)) {
        g->patience = MOST_PATIENCE;
    } else {
        uint32_t shut = SHUT;
        g->patience = g->patience / 2 > LEAST_PATIENCE ? g->patience / 2 : LEAST_PATIENCE;
        atomic_compare_exchange_strong(&g->state, &shut, ASLEEP);
        while (atomic_load(&g->state) == ASLEEP) word_wait(&g->state, ASLEEP);
    }
    atomic_store(&g->state, SHUT);
}

/* ---- meetings ---- */

void meeting_wait(team_meeting *m, uint32_t size, bool patient)
{
    const uint32_t round = atomic_load(&m->round);
    if (atomic_fetch_add(&m->here, 1) + 1 == size) {
        atomic_store(&m->here, 0);
        atomic_fetch_add(&m->round, 1);
        if (atomic_load(&m->asleep)) word_wake(&m->round);
        return;
    }
    if (patient && spin(&m->round, round, false, MOST_PATIENCE)) return;
    atomic_fetch_add(&m->asleep, 1);
    while (atomic_load(&m->round) == round) word_wait(&m->round, round);
    atomic_fetch_sub(&m->asleep, 1);
}

/* ---- one at a time ---- */

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

void team_lock(void)
{
    pthread_mutex_lock(&one_at_a_time);
}

void team_unlock(void)
{
    pthread_mutex_unlock(&one_at_a_time);
}

void team_lock_forget(void)
{
    pthread_mutex_init(&one_at_a_time, NULL);
}
