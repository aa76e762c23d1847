/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens libcufinufft.so: the file in ARGAND_CUFINUFFT, on the loader's path, or in the Python package
 * cufinufft. Declarations are written here after cufinufft.h and cufinufft_opts.h of FINUFFT. */
#include "peers/cufinufft.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options' layout in versions 2.3 to 2.5. Later fields keep their defaults. */
typedef struct options {
    double oversampling;
    int method, sort, bin[3], outer_bin[3], most_of_subproblem, polynomials, spread_only, batch, device;
    void *stream;
    char rest[256];
} options;

struct cufinufft_peer {
    void (*defaults)(options *o);
    int (*plan_single)(int type, int rank, const int64_t *n, int sign, int vectors, float tolerance,
                       void **plan, options *o);
    int (*plan_double)(int type, int rank, const int64_t *n, int sign, int vectors, double tolerance,
                       void **plan, options *o);
    int (*points_single)(void *plan, int64_t points, float *x, float *y, float *z, int targets, float *s,
                         float *t, float *u);
    int (*points_double)(void *plan, int64_t points, double *x, double *y, double *z, int targets, double *s,
                         double *t, double *u);
    int (*execute_single)(void *plan, void *samples, void *image);
    int (*execute_double)(void *plan, void *samples, void *image);
    int (*destroy_single)(void *plan);
    int (*destroy_double)(void *plan);
    const cufinufft_job *job;
    int type;
    void *plan;
};

const char *const cufinufft_method_names[CUFINUFFT_METHODS] = {
    [CUFINUFFT_GM] = "GM", [CUFINUFFT_SM] = "SM", [CUFINUFFT_OD] = "OD", [CUFINUFFT_GATHER] = "block gather"};

bool cufinufft_serves(int rank, int type, int method)
{
    return method <= CUFINUFFT_SM || (type == 1 && (method == CUFINUFFT_OD || rank == 3));
}

/* Looks up a function. POSIX's dlsym returns functions as data pointers; C allows the conversion only by
 * copying the bits. */
static bool find(void *library, const char *symbol, void *function)
{
    void *found = dlsym(library, symbol);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static bool find_all(cufinufft_peer *p, void *library)
{
    return find(library, "cufinufft_default_opts", &p->defaults) &&
           find(library, "cufinufftf_makeplan", &p->plan_single) &&
           find(library, "cufinufft_makeplan", &p->plan_double) &&
           find(library, "cufinufftf_setpts", &p->points_single) &&
           find(library, "cufinufft_setpts", &p->points_double) &&
           find(library, "cufinufftf_execute", &p->execute_single) &&
           find(library, "cufinufft_execute", &p->execute_double) &&
           find(library, "cufinufftf_destroy", &p->destroy_single) &&
           find(library, "cufinufft_destroy", &p->destroy_double);
}

/* Finds the file in the Python package; else returns an empty path. */
static void find_in_package(char *path, size_t size)
{
    static const char command[] =
        "python3 -c \"import importlib.util as u, pathlib\n"
        "home = pathlib.Path(u.find_spec('cufinufft').origin).parent\n"
        "print(*home.glob('**/libcufinufft*.so*'), *home.parent.glob('cufinufft.libs/libcufinufft*'), "
        "sep='\\n')\" 2>/dev/null";
    *path = 0;
    FILE *pipe = popen(command, "r");
    if (!pipe) return;
    if (!fgets(path, (int)size, pipe)) *path = 0;
    path[strcspn(path, "\n")] = 0;
    (void)pclose(pipe);
}

static void *open_library(char *why, size_t size)
{
    enum { FLAGS = RTLD_NOW | RTLD_LOCAL };
    char path[4096];
    const char *own = getenv("ARGAND_CUFINUFFT");
    void *library = dlopen(own ? own : "libcufinufft.so", FLAGS);
    snprintf(why, size, "cuFINUFFT was not found: set ARGAND_CUFINUFFT to its libcufinufft.so");
    if (library) return library;
    if (own) {
        snprintf(why, size, "ARGAND_CUFINUFFT: %s", dlerror());
        return NULL;
    }
    find_in_package(path, sizeof path);
    library = *path ? dlopen(path, FLAGS) : NULL;
    if (*path && !library) snprintf(why, size, "the package cufinufft cannot be used: %s", dlerror());
    return library;
}

/* Returns true if the options have the expected layout: checks their known defaults. */
static bool knows_options(const cufinufft_peer *p)
{
    options o;
    memset(&o, 0x55, sizeof o);
    p->defaults(&o);
    return o.sort == 1 && o.most_of_subproblem >= 64 && o.most_of_subproblem <= 1 << 20 &&
           o.polynomials == 1 && o.spread_only == 0 && o.device == 0 && o.stream == NULL;
}

cufinufft_peer *cufinufft_peer_open(char *why, size_t size)
{
    cufinufft_peer *p = calloc(1, sizeof *p);
    void *library = open_library(why, size);
    if (p && library && find_all(p, library) && knows_options(p)) return p;
    if (library) snprintf(why, size, "this cuFINUFFT has other functions or options than 2.3 to 2.5");
    free(p);
    return NULL;
}

static void release(cufinufft_peer *p)
{
    if (p->plan) (void)(p->job->is_double ? p->destroy_double(p->plan) : p->destroy_single(p->plan));
    p->plan = NULL;
}

void cufinufft_peer_close(cufinufft_peer *p)
{
    if (p) release(p);
    free(p);
}

/* Results above 1 are errors; 1 warns that the tolerance cannot be reached. */
bool cufinufft_peer_plan(cufinufft_peer *p, const cufinufft_job *job, int type, int method)
{
    options o = {0};
    const int sign = type == 1 ? 1 : -1;
    release(p);
    p->defaults(&o);
    o.method = method;
    o.device = job->device;
    o.stream = job->stream;
    p->job = job;
    p->type = type;
    const int failed = job->is_double ? p->plan_double(type, job->rank, job->n, sign, (int)job->vectors,
                                                       job->tolerance, &p->plan, &o)
                                      : p->plan_single(type, job->rank, job->n, sign, (int)job->vectors,
                                                       (float)job->tolerance, &p->plan, &o);
    if (failed > 1) p->plan = NULL;
    return p->plan != NULL;
}

bool cufinufft_peer_set_points(cufinufft_peer *p)
{
    void *const *k = p->job->k;
    return (p->job->is_double
                ? p->points_double(p->plan, p->job->points, k[0], k[1], k[2], 0, NULL, NULL, NULL)
                : p->points_single(p->plan, p->job->points, k[0], k[1], k[2], 0, NULL, NULL, NULL)) <= 1;
}

bool cufinufft_peer_execute(cufinufft_peer *p)
{
    void *samples = p->job->samples[p->type == 1], *image = p->job->image[p->type == 1];
    return (p->job->is_double ? p->execute_double(p->plan, samples, image)
                              : p->execute_single(p->plan, samples, image)) <= 1;
}
