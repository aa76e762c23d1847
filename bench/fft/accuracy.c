/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench fft --accuracy: benchFFT's six error metrics (reference/error_metrics.h) for each length of
 * a list, against a reference in long double. */
#include "fft/fft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "reference/error_metrics.h"

typedef struct sweep {
    const fft_settings *s;
    argand_device *device;
    report *r;
    uint64_t state;
    int lengths, beyond; /* lengths measured; lengths beyond the bound */
    double worst;
    int64_t worst_n;
} sweep;

static double uniform(sweep *w)
{
    w->state = w->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(w->state >> 11) * 0x1p-53 - 0.5;
}

/* ---- one length ---- */

typedef struct lines {
    int64_t n, count; /* length; count of random lines and a last one with an impulse */
    double *in, *out; /* as stored in the arrays */
    void *raw;        /* buffer for the arrays' own type */
    argand_array *x, *y;
    argand_fft *plan;
    reference_fft *t;
} lines;

static void free_lines(lines *l)
{
    argand_array_destroy(l->x);
    argand_array_destroy(l->y);
    argand_fft_destroy(l->plan);
    reference_fft_destroy(l->t);
    free(l->in);
    free(l->out);
    free(l->raw);
}

static argand_status make_lines(lines *l, sweep *w, int64_t n)
{
    const bool is_double = w->s->precision;
    const argand_type type = is_double ? ARGAND_C64 : ARGAND_C32;
    *l = (lines){.n = n, .count = w->s->rounds + 1};
    const size_t numbers = (size_t)(2 * n * l->count);
    l->in = calloc(numbers, sizeof *l->in);
    l->out = calloc(numbers, sizeof *l->out);
    l->raw = calloc(numbers, sizeof(double));
    l->t = reference_fft_create(n);
    if (!l->in || !l->out || !l->raw || !l->t)
        return report_error(ARGAND_MEMORY, "no memory for length %lld", (long long)n);
    for (int64_t i = 0; i < 2 * n * (l->count - 1); i++) {
        const double value = uniform(w);
        l->in[i] = is_double ? value : (double)(float)value;
    }
    double *impulse = l->in + 2 * n * (l->count - 1) + 2 * (int64_t)((uniform(w) + 0.5) * (double)n);
    impulse[0] = impulse[1] = 1;
    TRY(argand_array_create(&l->x, w->device, type, 2, (int64_t[]){n, l->count}));
    TRY(argand_array_create(&l->y, w->device, type, 2, (int64_t[]){n, l->count}));
    return argand_fft_create(&l->plan, w->device,
                             &(argand_fft_options){.type = type,
                                                   .rank = 1,
                                                   .n = {n},
                                                   .batch = l->count,
                                                   .effort = w->s->measure ? ARGAND_MEASURE : ARGAND_ESTIMATE,
                                                   .wait_for_kernels = true});
}

static argand_status upload(lines *l, bool is_double)
{
    if (is_double) return argand_array_upload(l->x, l->in);
    for (int64_t i = 0; i < 2 * l->n * l->count; i++) ((float *)l->raw)[i] = (float)l->in[i];
    return argand_array_upload(l->x, l->raw);
}

static argand_status download(lines *l, bool is_double)
{
    TRY(argand_array_download(l->y, l->raw));
    for (int64_t i = 0; i < 2 * l->n * l->count; i++)
        l->out[i] = is_double ? ((const double *)l->raw)[i] : (double)((const float *)l->raw)[i];
    return ARGAND_OK;
}

static void print_six(sweep *w, const lines *l, int sign, const fft_error_metrics *six, double impulse)
{
    const double u = fft_error_metrics_unit(w->s->precision), bound = fft_error_metrics_bound(l->n) * u,
                 worst = fmax(six->forward[1], six->backward[1]);
    const double over = worst / bound;
    char engine[200], quoted[512];
    argand_fft_print(l->plan, engine, sizeof engine);
    w->lengths++;
    w->beyond += !(over <= 1);
    if (!(over <= w->worst)) {
        w->worst = over;
        w->worst_n = l->n;
    }
    report_result(
        w->r,
        "\"n\":%lld,\"sign\":%d,\"type\":\"%s\",\"forward\":[%.4g,%.4g,%.4g],\"backward\":[%.4g,%.4g,%.4g],"
        "\"impulse\":%.4g,\"bound\":%.4g,\"engine\":%s",
        (long long)l->n, sign, w->s->precision ? "double" : "single", six->forward[0], six->forward[1],
        six->forward[2], six->backward[0], six->backward[1], six->backward[2], impulse, bound,
        json_string(quoted, sizeof quoted, engine));
    if (w->s->common.json) return;
    printf(w->s->csv ? "%lld,%d,%.3e,%.3e,%.3e,%.3e,%.3e,%.3e,%.3e,%.3f\n"
                     : "%9lld %4d   %.2e %.2e %.2e   %.2e %.2e %.2e   %.2e %8.3f\n",
           (long long)l->n, sign, six->forward[0], six->forward[1], six->forward[2], six->backward[0],
           six->backward[1], six->backward[2], impulse, over);
    fflush(stdout);
}

static argand_status check_sign(sweep *w, lines *l, int sign)
{
    fft_error_metrics_sum random = {0}, impulse = {0};
    TRY(argand_fft_apply(l->plan, l->y, l->x, (argand_direction)sign));
    TRY(download(l, w->s->precision));
    for (int64_t i = 0; i < l->count; i++)
        if (!fft_error_metrics_add(i + 1 < l->count ? &random : &impulse, l->t, l->n, l->in + 2 * l->n * i,
                                   l->out + 2 * l->n * i, sign))
            return report_error(ARGAND_MEMORY, "no memory for length %lld", (long long)l->n);
    const fft_error_metrics six = fft_error_metrics_result(&random), one = fft_error_metrics_result(&impulse);
    print_six(w, l, sign, &six, fmax(one.forward[1], one.backward[1]));
    return ARGAND_OK;
}

static argand_status check_length(sweep *w, int64_t n)
{
    lines l;
    argand_status status = make_lines(&l, w, n);
    if (!status) status = upload(&l, w->s->precision);
    for (int sign = -1; sign <= 1 && !status; sign += 2) status = check_sign(w, &l, sign);
    free_lines(&l);
    return status;
}

/* ---- the list ---- */

/* Measures random lengths from 4097 to 2^22, uniform in the logarithm. Every third has only small factors. */
static argand_status random_lengths(sweep *w, long count)
{
    for (long i = 0; i < count && !interrupted(); i++) {
        int64_t n = 1 + (int64_t)exp2(12 + 10 * (uniform(w) + 0.5));
        if (i % 3 == 0) n = argand_fft_next_size(n);
        TRY(check_length(w, n));
    }
    return ARGAND_OK;
}

/* Measures the lengths of an entry: "64", "2..4096" or "random:2000". */
static argand_status check_word(sweep *w, const char *word)
{
    char *end;
    if (!strncmp(word, "random:", 7)) {
        const long count = strtol(word + 7, &end, 10);
        if (end != word + 7 && count > 0 && (!*end || *end == ',')) return random_lengths(w, count);
    }
    const long long first = strtoll(word, &end, 10);
    long long last = first;
    const bool range = end != word && !strncmp(end, "..", 2);
    if (range) last = strtoll(word = end + 2, &end, 10);
    if (end == word || (*end && *end != ',') || first < 2 || last < first || last > 1 << 26)
        return report_error(ARGAND_ARGUMENT,
                            "--accuracy: \"%s\"; give lengths from 2 to 67108864 like 64, 2..4096 or "
                            "random:2000, separated by commas",
                            word);
    for (int64_t n = first; n <= last && !interrupted(); n++) TRY(check_length(w, n));
    return ARGAND_OK;
}

static void print_head(const sweep *w)
{
    if (w->s->common.json) return;
    if (w->s->csv)
        printf("n,sign,forward_l1,forward_l2,forward_linf,backward_l1,backward_l2,backward_linf,impulse_l2,"
               "of_bound\n");
    else
        printf("%9s %4s   %-26s   %-26s   %-8s %8s\n", "n", "sign", "forward L1, L2, Linf",
               "backward L1, L2, Linf", "impulse", "of bound");
}

argand_status fft_accuracy(const fft_settings *s, argand_device *device, report *r)
{
    sweep w = {.s = s, .device = device, .r = r, .state = 1};
    print_head(&w);
    for (const char *word = s->accuracy; *word && !interrupted(); word += *word == ',') {
        TRY(check_word(&w, word));
        word += strcspn(word, ",");
    }
    report_result(
        r, "\"summary\":\"accuracy\",\"lines\":%d,\"beyond_the_bound\":%d,\"worst\":%.4g,\"worst_n\":%lld",
        w.lengths, w.beyond, w.worst, (long long)w.worst_n);
    if (!s->common.json)
        printf("%s%d lines, %d beyond the bound; L2 at most %.3f of it (n %lld)\n", s->csv ? "# " : "",
               w.lengths, w.beyond, w.worst, (long long)w.worst_n);
    return interrupted() ? ARGAND_STOPPED : ARGAND_OK;
}
