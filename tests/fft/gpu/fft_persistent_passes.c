/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes that share a launch (fft/persistent/passes.krn, fft/cluster/cluster.krn), and other variants,
 * against passes by themselves, with so little in a chunk that groups wait for each other all the time;
 * repeated, as a race shows itself only now and then. */
#include "../../harness.h"

typedef struct kind {
    const char *name;
    argand_fft_options options;
    bool in_place;
    const char *parameters,
        *says; /* the variant, and what its plan says of itself; NULL: persistent passes of small chunks */
} kind;

static const kind kinds[] = {
    {"planes", {.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 40}, false, NULL, NULL},
    {"planes in place", {.type = ARGAND_C32, .rank = 2, .n = {320, 200}, .batch = 24}, true, NULL, NULL},
    {"long lines", {.type = ARGAND_C32, .rank = 1, .n = {65536}, .batch = 40}, false, NULL, NULL},
    {"long lines in place", {.type = ARGAND_C32, .rank = 1, .n = {30030}, .batch = 33}, true, NULL, NULL},
    {"a prime batch", {.type = ARGAND_C32, .rank = 1, .n = {177147}, .batch = 13}, false, NULL, NULL},
    {"volumes", {.type = ARGAND_C32, .rank = 3, .n = {64, 64, 64}, .batch = 16}, true, NULL, NULL},
    {"a volume", {.type = ARGAND_C32, .rank = 3, .n = {192, 160, 100}, .batch = 1}, false, NULL, NULL},
    {"a centred volume",
     {.type = ARGAND_C32, .rank = 3, .n = {160, 160, 30}, .batch = 3, .centred = true},
     false,
     NULL,
     NULL},
    {"large primes", {.type = ARGAND_C32, .rank = 1, .n = {20011}, .batch = 50}, false, NULL, NULL},
    {"long lines, early",
     {.type = ARGAND_C32, .rank = 1, .n = {65536}, .batch = 40},
     false,
     "no_cluster 1 chunk_kib 512 prefetch_next 1",
     "persistent"},
    {"long lines in place, early",
     {.type = ARGAND_C32, .rank = 1, .n = {30030}, .batch = 33},
     true,
     "no_cluster 1 chunk_kib 512 prefetch_next 1 min_blocks 3",
     "persistent"},
    {"volumes, early",
     {.type = ARGAND_C32, .rank = 3, .n = {64, 64, 64}, .batch = 16},
     true,
     "no_cluster 1 chunk_kib 512 prefetch_next 1 chunk_lag 2",
     "persistent"},
    {"double", {.type = ARGAND_C64, .rank = 1, .n = {1 << 17}, .batch = 12}, false, NULL, NULL},
    {"the end of long lines",
     {.type = ARGAND_C32, .rank = 1, .n = {1 << 22}, .batch = 3},
     false,
     "no_cluster 1 chunk_kib 0 segment_bytes 128 tail_kib 4096 prefetch_next 1",
     "persistent"},
    {"the end of long lines in place",
     {.type = ARGAND_C32, .rank = 1, .n = {10077696}, .batch = 1},
     true,
     "no_cluster 1 chunk_kib 0 tail_kib 4096",
     "persistent"},
    {"long columns",
     {.type = ARGAND_C32, .rank = 2, .n = {64, 8192}, .batch = 3},
     false,
     "no_cluster 1 chunk_kib 0 tail_kib 1024",
     "persistent"},
    {"long columns, centred, in place",
     {.type = ARGAND_C32, .rank = 2, .n = {48, 10000}, .batch = 2, .centred = true},
     true,
     "no_cluster 1 chunk_kib 0 tail_kib 1024",
     "persistent"},
    {"centred lines in odd parts, in place",
     {.type = ARGAND_C32, .rank = 1, .n = {33075}, .batch = 33, .centred = true},
     true,
     "no_cluster 1 chunk_kib 512 prefetch_next 1",
     "persistent"},
    {"long columns, centred, in odd parts",
     {.type = ARGAND_C32, .rank = 2, .n = {45, 11025}, .batch = 2, .centred = true},
     false,
     "no_cluster 1 chunk_kib 0 tail_kib 1024",
     "persistent"},
    {"a cluster that sends late",
     {.type = ARGAND_C32, .rank = 1, .n = {65536}, .batch = 40},
     false,
     "any_cluster 1 cluster_exchange 3",
     "exchange 3"},
    {"tiles of a cluster that are not full, in place",
     {.type = ARGAND_C32, .rank = 1, .n = {28561}, .batch = 33},
     true,
     "any_cluster 1 cluster_exchange 3 send_order 3 prefetch_distance 2 prefetch_at_store 1",
     "exchange 3"},
    {"centred planes of a large cluster, in place",
     {.type = ARGAND_C32, .rank = 2, .n = {384, 320}, .batch = 7, .centred = true},
     true,
     "any_cluster 1 max_cluster 16 cluster_exchange 3",
     "cluster 16 exchange 3"},
    {"double planes of a large cluster",
     {.type = ARGAND_C64, .rank = 2, .n = {240, 256}, .batch = 7},
     false,
     "any_cluster 1 max_cluster 16 cluster_exchange 3",
     "cluster 16 exchange 3"},
    {"large radices, memory asked ahead",
     {.type = ARGAND_C32, .rank = 2, .n = {384, 320}, .batch = 30},
     false,
     "no_cluster 1 chunk_kib 512 large_radices 1 prefetch_distance 1",
     "persistent"},
    {"parts in turn, products of turns",
     {.type = ARGAND_C32, .rank = 2, .n = {2048, 2048}, .batch = 2},
     false,
     "chunk_kib 0 pair_access 0 twiddle_products 1 prefetch_distance 1",
     "native"}};
enum { KINDS = sizeof kinds / sizeof *kinds, REPEATS = 12 };

static argand_array *make_array(const kind *k)
{
    argand_array *array;
    int64_t dims[4];
    for (int d = 0; d < k->options.rank; d++) dims[d] = k->options.n[d];
    dims[k->options.rank] = k->options.batch;
    OK(argand_array_create(&array, device, k->options.type, k->options.rank + 1, dims));
    return array;
}

static void fill(argand_array *array, argand_type type, size_t count)
{
    random_state numbers = {7};
    const size_t bytes = count * (type == ARGAND_C64 ? 16 : 8);
    void *host = malloc(bytes);
    for (size_t i = 0; i < 2 * count; i++)
        if (type == ARGAND_C64)
            ((double *)host)[i] = random_uniform(&numbers) - 0.5;
        else
            ((float *)host)[i] = (float)random_uniform(&numbers) - 0.5f;
    OK(argand_array_upload(array, host));
    free(host);
}

/* The transform of the same data by a plan made with this tuning. */
static double *transform(const kind *k, const char *parameters, size_t count, char *way, size_t size)
{
    argand_fft *plan;
    argand_array *in = make_array(k), *out = k->in_place ? in : make_array(k);
    setenv("ARGAND_FFT_ENGINE", "native", 1);
    setenv("ARGAND_FFT_TUNING", parameters, 1);
    OK(argand_fft_create(&plan, device, &k->options));
    argand_fft_print(plan, way, size);
    fill(in, k->options.type, count);
    OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
    double *numbers = as_doubles(out);
    if (out != in) argand_array_destroy(out);
    argand_array_destroy(in);
    argand_fft_destroy(plan);
    return numbers;
}

static void waves_are_right(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        if (!in_part(i)) continue;
        const kind *k = &kinds[i];
        kind unitary = *k; /* one of the persistent passes multiplies, and only one */
        char alone[512], wave[512];
        size_t points = 1;
        for (int d = 0; d < k->options.rank; d++) points *= (size_t)k->options.n[d];
        const size_t count = points * (size_t)k->options.batch;
        double *expected =
            transform(k, "split_second 1 no_cluster 1 chunk_kib 0", count, alone, sizeof alone);
        for (size_t n = 0; n < 2 * count; n++) expected[n] /= sqrt((double)points);
        unitary.options.scale = ARGAND_SCALE_UNITARY;
        const char *parameters = k->parameters ? k->parameters : "split_second 1 no_cluster 1 chunk_kib 512";
        double *first = transform(&unitary, parameters, count, wave, sizeof wave);
        if (strstr(alone, "persistent passes")) fail_msg("%s: %s", k->name, alone);
        if (!strstr(wave, k->says ? k->says : "persistent passes"))
            fail_msg("%s goes no wave: %s", k->name, wave);
        /* both are within 0.8 u sqrt(log2 n) of the reference; twice that for the longest, more with
         * convolutions
         */
        CHECK_BELOW(relative_error(first, expected, 2 * count), k->options.type == ARGAND_C64 ? 1e-15 : 5e-7);
        for (int again = 0; again < (few() ? 1 : REPEATS); again++) {
            double *next = transform(&unitary, parameters, count, wave, sizeof wave);
            if (memcmp(next, first, 2 * count * sizeof *next))
                fail_msg("%s: other bits at repeat %d", k->name, again);
            free(next);
        }
        free(expected);
        free(first);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(waves_are_right)};
RUN_TESTS(tests)
