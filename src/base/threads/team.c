/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs parallel regions on threads that are kept for later regions, in place of libgomp. */
#include "base/threads/team.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/cpu.h"
#include "base/threads/team_wait.h"

enum { SHARES = 4, MOST_SIZE = 1024 };

/* A loop that the threads of a team share. At most SHARES loops without a barrier between them are in
 * progress. */
typedef struct share {
    uint64_t loop; /* number of the loop in the team, from 1 */
    _Atomic long next;
    long end, step;
    team_word inside; /* threads that are still inside */
} share;

struct worker;

typedef struct team {
    void (*work)(void *);
    void *data;
    int size;
    bool patient;      /* each thread has a processor, so that waiting may spin */
    team_gate ended;   /* opens when all workers have finished */
    team_word running; /* workers that have not finished */
    team_meeting barrier;
    pthread_mutex_t lock; /* protects the rounds of the shares */
    share shares[SHARES];
    struct worker **members; /* size - 1 workers; worker i starts workers 2 i + 1 and 2 i + 2 */
} team;

typedef struct worker {
    pthread_t thread;
    struct worker *next; /* next idle worker */
    team_gate go;
    team *of; /* NULL: the thread ends */
    int number;
} worker;

/* State of a thread. */
typedef struct context {
    team *of; /* NULL: no team, or a team of this thread alone */
    int number, depth;
    uint64_t loop;
    long next, end; /* loop of a team of one thread */
} context;

static _Thread_local context self;

/* ---- threads ---- */

static struct {
    pthread_mutex_t lock;
    worker *idle;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void start_member(team *t, int index)
{
    if (index < t->size - 1) gate_open(&t->members[index]->go);
}

static void run_member(worker *w)
{
    team *t = w->of;
    const int index = w->number - 1;
    start_member(t, 2 * index + 1);
    start_member(t, 2 * index + 2);
    self = (context){.of = t, .number = w->number, .depth = 1};
    t->work(t->data);
    self = (context){0};
    if (atomic_fetch_sub(&t->running, 1) == 1) gate_open(&t->ended);
}

static void *live(void *argument)
{
    worker *w = argument;
    bool patient = may_spin();
    for (;;) {
        gate_pass(&w->go, patient);
        if (!w->of) return NULL;
        patient = w->of->patient;
        run_member(w);
    }
}

static worker *create_worker(void)
{
    sigset_t all, before;
    worker *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are left to the program's own threads */
    const int failed = pthread_create(&w->thread, NULL, live, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed) return w;
    free(w);
    return NULL;
}

/* Forgets all workers in a forked child, which has no other threads. Their memory is lost. */
static void forget_workers(void)
{
    pool.idle = NULL;
    pthread_mutex_init(&pool.lock, NULL);
    team_lock_forget();
}

static void lock_pool(void)
{
    pthread_mutex_lock(&pool.lock);
}

static void unlock_pool(void)
{
    pthread_mutex_unlock(&pool.lock);
}

static void watch_forks(void)
{
    pthread_atfork(lock_pool, unlock_pool, forget_workers);
}

/* Takes up to `wanted` idle workers, and creates new ones as long as the system allows. */
static int hire(worker **members, int wanted)
{
    int count = 0;
    lock_pool();
    while (count < wanted && pool.idle) {
        members[count++] = pool.idle;
        pool.idle = pool.idle->next;
    }
    unlock_pool();
    while (count < wanted && (members[count] = create_worker())) count++;
    return count;
}

/* Returns the workers to the pool in order, so that the next call gives each worker the same share and
 * finds its data still in its cache. */
static void dismiss(worker **members, int count)
{
    if (!count) return;
    for (int i = 0; i + 1 < count; i++) members[i]->next = members[i + 1];
    lock_pool();
    members[count - 1]->next = pool.idle;
    pool.idle = members[0];
    unlock_pool();
}

__attribute__((destructor)) static void end_workers(void)
{
    lock_pool();
    worker *w = pool.idle;
    pool.idle = NULL;
    unlock_pool();
    while (w) {
        worker *next = w->next;
        w->of = NULL;
        gate_open(&w->go);
        pthread_join(w->thread, NULL);
        free(w);
        w = next;
    }
}

/* ---- teams ---- */

/* Queries the calling program's OpenMP: inside its parallel region, there are enough threads already. */
static int (*program_in_parallel)(void);

static void begin_once(void)
{
    watch_forks();
    *(void **)&program_in_parallel = dlsym(RTLD_DEFAULT, "omp_in_parallel");
}

/* Runs the work in this thread alone. Nested regions inside a team stay alone; regions outside may have
 * teams. */
static void run_alone(void (*work)(void *), void *data)
{
    const context before = self;
    self = (context){.depth = before.depth};
    work(data);
    self = before;
}

static void run_together(team *t)
{
    const context before = self;
    atomic_store(&t->running, (uint32_t)(t->size - 1));
    for (int i = 0; i < t->size - 1; i++) {
        t->members[i]->of = t;
        t->members[i]->number = i + 1;
    }
    start_member(t, 0);
    self = (context){.of = t, .depth = 1};
    t->work(t->data);
    gate_pass(&t->ended, t->patient);
    self = before;
}

void team_run(void (*work)(void *), void *data, unsigned size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (size == 0) size = (unsigned)cpu_threads(0);
    if (size > 1 && !self.depth) pthread_once(&once, begin_once);
    if (size <= 1 || self.depth || (program_in_parallel && program_in_parallel())) {
        run_alone(work, data);
        return;
    }
    worker *members[MOST_SIZE];
    const int wanted = size > MOST_SIZE ? MOST_SIZE : (int)size, hired = hire(members, wanted - 1);
    team t = {.work = work, .data = data, .size = hired + 1, .members = members};
    t.patient = may_spin() && t.size <= cpu_allowed();
    t.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (hired)
        run_together(&t);
    else
        run_alone(work, data);
    dismiss(members, hired);
}

int team_number(void)
{
    return self.number;
}

int team_size(void)
{
    return self.of ? self.of->size : 1;
}

bool team_within(void)
{
    return self.depth > 0 || (program_in_parallel && program_in_parallel());
}

void team_barrier(void)
{
    if (self.of) meeting_wait(&self.of->barrier, (uint32_t)self.of->size, self.of->patient);
}

/* ---- loops ---- */

/* Opens a shared loop: the first thread to arrive does so, after all threads have left the loop SHARES
 * rounds before. */
static void open_share(team *t, share *s, long start, long end, long step)
{
    for (;;) {
        pthread_mutex_lock(&t->lock);
        const uint32_t inside = atomic_load(&s->inside);
        const bool is_open = s->loop == self.loop;
        if (!is_open && !inside) {
            s->loop = self.loop;
            s->end = end;
            s->step = step;
            atomic_store(&s->next, start);
            atomic_store(&s->inside, (uint32_t)t->size);
        }
        pthread_mutex_unlock(&t->lock);
        if (is_open || !inside) return;
        word_wait(&s->inside, inside);
    }
}

void team_loop_begin(long start, long end, long step)
{
    self.loop++;
    self.next = start;
    self.end = end;
    if (self.of) open_share(self.of, &self.of->shares[self.loop % SHARES], start, end, step);
}

bool team_loop_next(long *from, long *to)
{
    if (!self.of) {
        *from = self.next;
        *to = self.end;
        self.next = self.end;
        return *from < *to;
    }
    share *s = &self.of->shares[self.loop % SHARES];
    *from = atomic_fetch_add(&s->next, s->step);
    if (*from >= s->end) return false;
    *to = s->end - *from > s->step ? *from + s->step : s->end;
    return true;
}

void team_loop_leave(void)
{
    if (!self.of) return;
    share *s = &self.of->shares[self.loop % SHARES];
    if (atomic_fetch_sub(&s->inside, 1) == 1) word_wake(&s->inside);
}
