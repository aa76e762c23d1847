/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that was forked from one whose OpenMP has run in several threads computes, in one thread, the
 * same bits, with plans of its own and of its parent's; before it hung in the first parallel region. */
#include "harness.h"

/* Threads of our own are made anew, the compiler's OpenMP has none any more. */
#ifdef ARGAND_OWN_THREADS
#define FORKED_THREADS 3
#else
#define FORKED_THREADS 1
#endif
#include <sys/wait.h>
#include <unistd.h>

enum { N = 96, POINTS = 20000, BOUND = 60 /* seconds, of what takes a tenth of one */ };

typedef struct work {
    argand_array *image, *spectrum, *samples, *k[3], *t, *noise;
    argand_fft *fft;
    argand_nufft *nufft;
} work;

static void make(work *w)
{
    OK(argand_array_create(&w->image, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    OK(argand_array_create(&w->spectrum, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    OK(argand_array_create(&w->noise, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    OK(argand_trajectory_make(
        w->k, &w->t, device, ARGAND_R32,
        &(argand_trajectory_options){
            .kind = ARGAND_RADIAL, .n = {N, N}, .shots = 100, .samples = POINTS / 100}));
    OK(argand_array_create(&w->samples, device, ARGAND_C32, 1, (int64_t[]){POINTS}));
    OK(argand_fft_create(&w->fft, device,
                         &(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {N, N}, .centred = true}));
    OK(argand_nufft_create(&w->nufft, device,
                           &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {N, N}}));
    OK(argand_nufft_set_points(w->nufft, (argand_array *const[]){w->k[0], w->k[1]}));
    randomise(w->noise, 3, 0, 0);
    OK(argand_phantom_image(w->image, ARGAND_SHEPP_LOGAN_2D));
}

static void discard(work *w)
{
    argand_nufft_destroy(w->nufft);
    argand_fft_destroy(w->fft);
    for (int i = 0; i < 3; i++) argand_array_destroy(w->k[i]);
    argand_array_destroy(w->t);
    argand_array_destroy(w->noise);
    argand_array_destroy(w->samples);
    argand_array_destroy(w->spectrum);
    argand_array_destroy(w->image);
}

/* One number that all of it goes into. */
static double result(const work *w)
{
    double a, b;
    OK(argand_fft_apply(w->fft, w->spectrum, w->image, ARGAND_FORWARD));
    OK(argand_array_axpby(w->spectrum, (argand_scalar){1, 0}, w->noise, (argand_scalar){2, 0}));
    OK(argand_nufft_apply(w->nufft, w->samples, w->spectrum));
    OK(argand_nufft_adjoint(w->nufft, w->spectrum, w->samples));
    OK(argand_array_norm(&a, w->spectrum));
    OK(argand_array_norm(&b, w->samples));
    return a + b;
}

static double fresh(void)
{
    work w = {0};
    make(&w);
    const double r = result(&w);
    discard(&w);
    return r;
}

/* What the child finds: 0 where it computes what its parent did. */
static int in_child(const work *parents, double right)
{
    (void)alarm(BOUND);
    if (argand_device_threads(device) != FORKED_THREADS) return 2;
    if (result(parents) != right) return 3;
    return fresh() == right ? 0 : 4;
}

static void child_computes(void **state)
{
    (void)state;
    work w = {0};
    int how;
    OK(argand_device_set_threads(device, 3));
    make(&w);
    const double right = result(&w);
    assert_int_equal(argand_device_threads(device), 3);
    for (int again = 0; again < 2; again++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) _exit(in_child(&w, right));
        assert_true(waitpid(child, &how, 0) == child);
        if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
            fail_msg("the child ended with %d%s", WIFEXITED(how) ? WEXITSTATUS(how) : WTERMSIG(how),
                     WIFEXITED(how) ? "" : ", by a signal: it hung");
        assert_true(result(&w) == right); /* the parent goes on as before */
    }
    assert_int_equal(argand_device_threads(device), 3);
    discard(&w);
}

/* Where nothing had begun a thread before, the child has as many as it likes. */
static void early_child(void **state)
{
    (void)state;
    int how;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)alarm(BOUND);
        if (argand_device_set_threads(device, 3)) _exit(2);
        const double right = fresh();
        _exit(argand_device_threads(device) != 3 ? 3 : right > 0 ? 0 : 4);
    }
    assert_true(waitpid(child, &how, 0) == child);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(early_child), cmocka_unit_test(child_computes)};
RUN_TESTS(tests)
