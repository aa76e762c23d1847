/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry points of libgomp that GCC calls for the pragmas in this library, implemented by team.h. They
 * are hidden, so that the program's own OpenMP is not affected. The linker reports missing entry points
 * (-z defs). https://gcc.gnu.org/onlinedocs/libgomp */
#include <omp.h>
#include "base/cpu.h"
#include "base/threads/team.h"

/* Declarations as GCC has them internally. */
void GOMP_parallel(void (*work)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_parallel_loop_nonmonotonic_dynamic(void (*work)(void *), void *data, unsigned threads, long start,
                                             long end, long step, long chunk, unsigned flags);
void GOMP_barrier(void);
bool GOMP_loop_nonmonotonic_dynamic_start(long start, long end, long step, long chunk, long *from, long *to);
bool GOMP_loop_nonmonotonic_dynamic_next(long *from, long *to);
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
void GOMP_critical_name_start(void **name);
void GOMP_critical_name_end(void **name);
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

void GOMP_parallel(void (*work)(void *), void *data, unsigned threads, unsigned flags)
{
    (void)flags;
    team_run(work, data, threads);
}

typedef struct loop_work {
    void (*work)(void *);
    void *data;
    long start, end, chunk;
} loop_work;

static void run_loop(void *data)
{
    const loop_work *l = data;
    team_loop_begin(l->start, l->end, l->chunk);
    l->work(l->data);
}

void GOMP_parallel_loop_nonmonotonic_dynamic(void (*work)(void *), void *data, unsigned threads, long start,
                                             long end, long step, long chunk, unsigned flags)
{
    (void)step, (void)flags;
    loop_work l = {work, data, start, end, chunk};
    team_run(run_loop, &l, threads);
}

void GOMP_barrier(void)
{
    team_barrier();
}

/* Begins a loop; all loops of this library count upwards by one. */
bool GOMP_loop_nonmonotonic_dynamic_start(long start, long end, long step, long chunk, long *from, long *to)
{
    (void)step;
    team_loop_begin(start, end, chunk);
    return team_loop_next(from, to);
}

bool GOMP_loop_nonmonotonic_dynamic_next(long *from, long *to)
{
    return team_loop_next(from, to);
}

void GOMP_loop_end(void)
{
    team_loop_leave();
    team_barrier();
}

void GOMP_loop_end_nowait(void)
{
    team_loop_leave();
}

void GOMP_critical_name_start(void **name)
{
    (void)name;
    team_lock();
}

void GOMP_critical_name_end(void **name)
{
    (void)name;
    team_unlock();
}

void GOMP_atomic_start(void)
{
    team_lock();
}

void GOMP_atomic_end(void)
{
    team_unlock();
}

int omp_get_thread_num(void)
{
    return team_number();
}

int omp_get_num_threads(void)
{
    return team_size();
}

int omp_in_parallel(void)
{
    return team_within();
}

int omp_get_max_threads(void)
{
    return cpu_threads(0);
}
