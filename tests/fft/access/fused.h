/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests of accessors in the passes of our kernels. */
#ifndef TESTS_FFT_FUSED_H
#define TESTS_FFT_FUSED_H

#include "access_reference.h"

static inline int use_ours(void **state)
{
    (void)state;
    setenv("ARGAND_FFT_ENGINE", "native", 1); /* processors, too, are to be given kernels for GPUs */
    return 0;
}

static inline bool is_host(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.host_addressable;
}

static inline double tolerance(argand_type type, double points)
{
    return 4 * fft_tolerance(type, points);
}

/* The plan's engine; `reason`: what is said of the fused way. */
static inline void check_engine(const argand_fft *plan, const char *engine, const char *reason)
{
    argand_fft_candidate c;
    bool found = false;
    for (int i = 0; i < argand_fft_candidate_count(plan); i++) {
        OK(argand_fft_candidate_describe(plan, i, &c));
        if (c.taken) assert_string_equal(c.engine, engine);
        found |= strstr(c.reason, reason) != NULL;
    }
    if (!found) fail_msg("nobody says \"%s\"", reason);
}

static inline argand_array *random_array(argand_type type, int rank, const int64_t *dims, uint64_t seed)
{
    argand_array *a = new_array(type, rank, dims);
    randomise(a, seed, 0, 0);
    return a;
}

/* Dimensions of a side: spans, then the batch. */
static inline void layout_dims(int64_t *dims, const argand_fft_options *o, const argand_fft_layout *layout)
{
    for (int d = 0; d < o->rank; d++) dims[d] = layout->window[d].count ? layout->window[d].count : o->n[d];
    dims[o->rank] = o->batch ? o->batch : 1;
}

/* Dimensions of one side of a real plan without a spectrum: reals, or half a spectrum. */
static inline void real_dims(int64_t *dims, const argand_fft_options *o, bool half)
{
    layout_dims(dims, o, half ? &o->output : &o->input);
    if (half && !o->output.window[0].count) dims[0] = o->n[0] / 2 + 1;
}

static inline argand_type complex_of(argand_type type)
{
    return type == ARGAND_R64 || type == ARGAND_C64 ? ARGAND_C64 : ARGAND_C32;
}

/* Tuning of the plans besides that of use_small_groups; NULL: none. */
static const char *own_parameters;

/* Groups as small as those of OpenCL, and one launch for each pass: then every device has the same passes. */
static inline void use_small_groups(bool small)
{
    char parameters[256];
    snprintf(parameters, sizeof parameters, "%s %s",
             small ? "max_points 4096 no_cluster 1 chunk_kib 0 split_second 1" : "",
             own_parameters ? own_parameters : "");
    if (small || own_parameters)
        setenv("ARGAND_FFT_TUNING", parameters, 1);
    else
        unsetenv("ARGAND_FFT_TUNING");
}

/* Also after a test that has failed half way. */
static inline int set_up(void **state)
{
    own_parameters = NULL;
    use_small_groups(false);
    return use_ours(state);
}

static inline bool is_cuda(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return !strcmp(info.backend, "cuda");
}

/* A plan that is fused, of as many passes as groups of a usual size need; large ones may need fewer. */
static inline argand_fft *fused_plan(const argand_fft_options *o, argand_direction direction, int passes,
                                     bool small)
{
    use_small_groups(small);
    argand_fft *plan = new_plan(o);
    const int count = argand_fft_pass_count(plan, direction);
    use_small_groups(false);
    check_engine(plan, "fused", "taken");
    if (small || !is_cuda())
        assert_int_equal(count, passes);
    else
        assert_in_range(count, 1, passes);
    return plan;
}

static inline void check_results(argand_fft *plan, const argand_fft_options *o, argand_direction direction,
                                 const argand_array *in, const exact *expected)
{
    int64_t dims[ARGAND_MAX_RANK];
    double points = 1;
    layout_dims(dims, o, &o->output);
    argand_array *out = new_array(o->type, o->rank + 1, dims), *again = new_array(o->type, o->rank + 1, dims);
    for (int d = 0; d < o->rank; d++) points *= (double)o->n[d];
    OK(argand_fft_apply(plan, out, in, direction));
    OK(argand_fft_apply(plan, again, in, direction));
    CHECK_BELOW(distance(out, expected, 1), tolerance(o->type, points));
    double *first = as_doubles(out), *second = as_doubles(again);
    assert_memory_equal(first, second, 2 * sizeof *first * (size_t)argand_array_count(out));
    free(first);
    free(second);
    argand_array_destroy(out);
    argand_array_destroy(again);
}

/* Fused, against the reference, in so many passes; CUDA's large groups and clusters do with no more. */
static inline void check_fused(const argand_fft_options *o, argand_direction direction, int passes)
{
    int64_t in_dims[ARGAND_MAX_RANK], out_dims[ARGAND_MAX_RANK];
    layout_dims(in_dims, o, &o->input);
    layout_dims(out_dims, o, &o->output);
    argand_array *in = random_array(o->type, o->rank + 1, in_dims, 3),
                 *like = new_array(o->type, o->rank + 1, out_dims);
    exact *expected = access_reference(o, like, in, direction);
    for (int small = is_cuda(); small >= 0; small--) {
        argand_fft *plan = fused_plan(o, direction, passes, small);
        check_results(plan, o, direction, in, expected);
        argand_fft_destroy(plan);
    }
    argand_array_destroy(in);
    argand_array_destroy(like);
    free(expected);
}

static inline int types(void)
{
    argand_array *x;
    const bool has_double = argand_array_create(&x, device, ARGAND_C64, 1, (int64_t[]){1}) == ARGAND_OK;
    if (has_double) argand_array_destroy(x);
    return has_double ? 2 : 1;
}

/* v e^(i p0) (1 + p1 x) + p2 (y + 3 loop) */
static inline exact own(exact v, exact mirror, const int64_t *at, const double *p)
{
    (void)mirror;
    return v * (cosl((long double)p[0]) + I * sinl((long double)p[0])) * (1 + (long double)p[1] * at[0]) +
           (long double)p[2] * (at[1] + 3 * at[2]);
}

static const char own_text[] =
    "DEVICE struct pair own(struct pair v, struct pair mirror, struct access_point at)\n"
    "{\n"
    "    const REAL c = COS(at.p[0]), s = SIN(at.p[0]), f = 1 + at.p[1] * (REAL)at.i[0];\n"
    "    const REAL g = at.p[2] * (REAL)(at.i[1] + 3 * at.i[2]);\n"
    "    return make_pair((v.re * c - v.im * s) * f + g, (v.re * s + v.im * c) * f);\n"
    "}\n";

#endif
