/* SPDX-License-Identifier: BSD-3-Clause */
/* Output of `argand bench field`. */
#include "field/field.h"

#include <stdio.h>

static const char *const model_names[MODELS] = {"plain", "field", "decay", "gradients", "terms"};

/* Returns the rate as a multiple of the plain kernel's, or on a processor of a plain loop's on one core; 0
 * without either. */
static double times_plain(const field_case *c, const field_session *x, bool adjoint, const field_figures *f)
{
    if (x->on_cpu) {
        argand_field_info info;
        argand_field_describe(c->plan, &info);
        return f->seconds_per_pair * (double)info.pairs * (double)c->coils / f->seconds;
    }
    return x->plain.seconds[adjoint] * (double)c->coils / f->seconds;
}

static void print_json(field_session *x, const field_case *c, bool adjoint, const field_figures *f,
                       double rate)
{
    const char *limit = "";
    double ceiling = 0;
    const bool known = field_ceiling(c, &ceiling, &limit);
    argand_field_info info;
    argand_field_describe(c->plan, &info);
    report_result(&x->out,
                  "\"model\":\"%s\",\"precision\":\"%s\",\"direction\":\"%s\",\"size\":[%lld,%lld,%lld],"
                  "\"samples\":%lld,"
                  "\"coils\":%lld,\"engine\":\"%s\",\"time\":%.6g,\"alone\":%.6g,\"pairs_per_second\":%.5g,"
                  "\"coil_pairs_per_"
                  "second\":%.5g,"
                  "\"threads\":%d,\"ceiling\":%.5g,\"limit\":\"%s\",\"error\":%.3g,\"adjointness\":%.3g,"
                  "\"same_bits\":%s,"
                  "\"plain_time\":%.6g,\"plain_error\":%.3g,\"times_plain\":%.4g",
                  model_names[c->model], c->type == ARGAND_C64 ? "double" : "single",
                  adjoint ? "adjoint" : "forward", (long long)c->n[0], (long long)c->n[1], (long long)c->n[2],
                  (long long)c->samples, (long long)c->coils, info.engine, f->seconds, f->alone, rate,
                  rate * (double)c->coils, argand_device_threads(c->device), known ? ceiling : 0, limit,
                  f->error, adjoint ? f->apart : 0, f->same ? "true" : "false",
                  x->on_cpu ? 0 : x->plain.seconds[adjoint], x->on_cpu ? 0 : x->plain.error[adjoint],
                  times_plain(c, x, adjoint, f));
}

void field_print_line(field_session *x, const field_case *c, bool adjoint, const field_figures *f)
{
    argand_field_info info;
    argand_field_describe(c->plan, &info);
    const double rate = (double)info.pairs / f->seconds, ratio = times_plain(c, x, adjoint, f);
    const char *limit;
    double ceiling;
    print_json(x, c, adjoint, f, rate);
    if (x->s->common.json) return;
    if (x->s->growth) printf("%7lld x %-7lld  ", (long long)c->pixels, (long long)c->samples);
    printf("%-9s  %-6s  %-7s  %5lld  %11.4f  %9.4f  %9.2f  %10.2f", model_names[c->model],
           c->type == ARGAND_C64 ? "double" : "single", adjoint ? "adjoint" : "forward", (long long)c->coils,
           1e3 * f->seconds, 1e3 * f->alone, 1e-9 * rate, 1e-9 * rate * (double)c->coils);
    printf("  %7.1e  ", f->error);
    if (adjoint)
        printf("%7.1e", f->apart);
    else
        printf("%7s", "");
    printf("  %-4s", f->same ? "yes" : "NO");
    if (ratio > 0) printf("  %7.1f", ratio);
    if (field_ceiling(c, &ceiling, &limit))
        printf("  %3.0f %% of %s", 100 * rate * (double)c->coils / ceiling, limit);
    printf("\n");
    fflush(stdout);
}

void field_print_head(const field_settings *s)
{
    if (s->common.json) return;
    if (s->growth) printf("%7s x %-7s  ", "pixels", "samples");
    printf("model      precision direction coils    time, ms      alone      pairs  coil-pairs    error  "
           "adjoint  same  x "
           "plain\n");
}
