/* SPDX-License-Identifier: BSD-3-Clause */
/* argand basis: the dictionary of a signal model, and its temporal basis for argand sense --subspace. */
#include "basis/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/path.h"

static const char description[] =
    "Computes the signals of tissue at the times of a sequence, for many values of T2 or T1, and the few "
    "orthonormal columns\n"
    "that span them best. OUT.npy is this temporal basis {times, columns}, for argand sense --subspace; "
    "OUT_dictionary.npy\n"
    "holds the signals {times, atoms} and OUT_parameters.npy their values in s, for argand map match.\n"
    "  t2          echoes of a train of spin echoes, with imperfect refocusing by extended phase graphs "
    "(--angle, --t1)\n"
    "  t1          recovery after inversion; with --angle and --repetition read by a train of pulses "
    "(Look-Locker)\n"
    "  dictionary  the signals of a file {times, atoms}, with a file of parameters {parameters, atoms} and "
    "--names\n"
    "In .npy the order of the axes is the reverse. The times are all echoes or readouts of the scan, in "
    "seconds:\n"
    "0.01:0.32:0.01 (first, last, step) or 0.01,0.02,0.04.";

static const char examples[] =
    "  argand basis t2 basis.npy --time-points 0.01:0.32:0.01 --angle 160 --t1 1\n"
    "  argand basis t1 basis.npy --time-points 0.015:3:0.015 --angle 6 --repetition 0.015\n"
    "  argand basis dictionary signals.npy parameters.npy basis.npy --names T1:s,T2:s --rank 6\n"
    "  argand sense scan.h5 coefficients.npy --subspace basis.npy --regularize llr:0.01\n"
    "  argand map match coefficients.npy basis.npy out.npy\n";

static bool parse(basis_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        text_option("time-points", 0, &s->times, "T,T...",
                    "echo times, or times after the inversion, in seconds: a list, or FIRST:LAST:STEP. t2 "
                    "and t1 need them"),
        text_option("values", 0, &s->range, "LOW:HIGH",
                    "least and largest T2 or T1 in seconds. Default: 0.01:2 for t2, 0.05:5 for t1"),
        double_option("step", 0, &s->step, "PERCENT", 0.01, 100,
                      "distance between the T2 or T1 of neighbouring atoms, in percent"),
        int_option("rank", 'k', &s->rank, "N", 1, 4096, "number of columns of the basis"),
        double_option("angle", 0, &s->model.angle, "DEG", 0, 359.9,
                      "flip angle in degrees: of the refocusing pulses (t2), or of the readout pulses (t1). "
                      "Default (0): 180 for t2, no readout pulses for t1"),
        double_option("t1", 0, &s->model.t1, "S", 0, 1000,
                      "T1 in seconds with which stimulated echoes decay (t2 with --angle). Default (0): they "
                      "do not decay"),
        double_option("repetition", 0, &s->model.repetition, "S", 0, 1000,
                      "time in seconds from readout pulse to readout pulse; t1 with --angle needs it"),
        double_option("efficiency", 0, &s->model.efficiency, "PART", 0, 1,
                      "part of the magnetisation that is inverted (t1). Default (0): 1"),
        text_option("names", 0, &s->names, "LIST",
                    "names and units of the parameters of a dictionary: T1:s,T2:s"),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand basis KIND [SIGNALS PARAMETERS] OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .positional_least = 2,
                         .positional_most = 4,
                         .positional = s->files};
    const bool good = command_parse(&line, argc, argv, exit_code);
    s->file_count = line.positional_count;
    return good;
}

static argand_status add_time(basis_settings *s, double seconds)
{
    if (s->model.time_count >= BASIS_TIMES)
        return report_error(ARGAND_ARGUMENT, "--time-points %s: more than %d times", s->times, BASIS_TIMES);
    s->seconds[s->model.time_count++] = seconds;
    return ARGAND_OK;
}

/* Reads FIRST:LAST:STEP or A,B,... in seconds. */
static argand_status read_times(basis_settings *s)
{
    double first, last, step;
    char rest;
    const char *at = s->times;
    if (!at)
        return report_error(ARGAND_ARGUMENT,
                            "give the times of the sequence: --time-points FIRST:LAST:STEP in seconds");
    s->model.times = s->seconds;
    if (sscanf(at, "%lf:%lf:%lf%c", &first, &last, &step, &rest) == 3) {
        if (!(step > 0) || !(last >= first) || !isfinite(last / step) || last / step > 1e9)
            return report_error(ARGAND_ARGUMENT,
                                "--time-points %s: give FIRST:LAST:STEP with a positive step", at);
        for (int64_t i = 0; first + (double)i * step <= last + 1e-6 * step; i++)
            TRY(add_time(s, first + (double)i * step));
        return ARGAND_OK;
    }
    for (;;) {
        char *end;
        const double seconds = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !isfinite(seconds))
            return report_error(ARGAND_ARGUMENT,
                                "--time-points %s: give FIRST:LAST:STEP or A,B,... in seconds", s->times);
        TRY(add_time(s, seconds));
        if (!*end) return ARGAND_OK;
        at = end + 1;
    }
}

/* Fills the values of T2 or T1 in s, in equal ratios. */
static argand_status make_values(const basis_settings *s, double **values, int64_t *count)
{
    double low = s->model.kind == ARGAND_SIGNAL_T2 ? 0.01 : 0.05, high = 100 * low;
    char rest;
    if (s->model.kind == ARGAND_SIGNAL_T2) high = 2;
    if (s->range && (sscanf(s->range, "%lf:%lf%c", &low, &high, &rest) != 2 || !(low > 0) || !(high >= low) ||
                     !(high < 1e6)))
        return report_error(ARGAND_ARGUMENT, "--values %s: give LOW:HIGH in seconds, more than 0", s->range);
    *count = 1 + (int64_t)ceil(log(high / low) / log1p(s->step / 100) - 1e-9);
    *values = calloc((size_t)*count, sizeof **values);
    if (!*values) return report_error(ARGAND_MEMORY, "out of memory");
    for (int64_t a = 0; a < *count; a++)
        (*values)[a] = low * pow(high / low, *count > 1 ? (double)a / (double)(*count - 1) : 0);
    return ARGAND_OK;
}

static argand_status make_dictionary(const basis_settings *s, argand_device *device, basis_files *f)
{
    double *values = NULL;
    int64_t count = 0;
    argand_status status = make_values(s, &values, &count);
    const int64_t shape[2] = {s->model.time_count, count}, one[2] = {1, count};
    if (!status) status = argand_array_create(&f->signals, device, ARGAND_R64, 2, shape);
    if (!status) status = argand_signal_make(f->signals, values, &s->model);
    if (!status) status = argand_array_create(&f->parameters, device, ARGAND_R64, 2, one);
    if (!status) status = argand_array_upload(f->parameters, values);
    free(values);
    return status;
}

static argand_status read_dictionary(const basis_settings *s, argand_device *device, basis_files *f)
{
    TRY(argand_array_read(&f->signals, s->files[1], device));
    TRY(argand_array_read(&f->parameters, s->files[2], device));
    if (argand_array_rank(f->signals) != 2 || argand_array_rank(f->parameters) != 2 ||
        argand_array_dim(f->signals, 1) != argand_array_dim(f->parameters, 1))
        return report_error(ARGAND_ARGUMENT,
                            "%s is {%lld, %lld} and %s {%lld, %lld}: give {times, atoms} and {parameters, "
                            "atoms} (in .npy [atoms, times] and [atoms, parameters])",
                            s->files[1], (long long)argand_array_dim(f->signals, 0),
                            (long long)argand_array_dim(f->signals, 1), s->files[2],
                            (long long)argand_array_dim(f->parameters, 0),
                            (long long)argand_array_dim(f->parameters, 1));
    return ARGAND_OK;
}

static argand_status make_basis(const basis_settings *s, argand_device *device, basis_files *f, report *out)
{
    const argand_type type = argand_array_type(f->signals);
    const bool is_complex = type == ARGAND_C32 || type == ARGAND_C64;
    const int64_t times = argand_array_dim(f->signals, 0), atoms = argand_array_dim(f->signals, 1),
                  least = times < atoms ? times : atoms, rank = s->rank < least ? s->rank : least;
    double left;
    if (rank < s->rank)
        report_note(out, "%lld times and %lld atoms have a basis of %lld columns at most.", (long long)times,
                    (long long)atoms, (long long)rank);
    TRY(argand_array_create(&f->basis, device, is_complex ? ARGAND_C64 : ARGAND_R64, 2,
                            (const int64_t[2]){times, rank}));
    TRY(argand_subspace_basis(f->basis, f->signals, &left));
    report_note(out, "%lld column%s for %lld signals of %lld times: at most %.2g %% of a signal is left out.",
                (long long)rank, rank == 1 ? "" : "s", (long long)atoms, (long long)times, 100 * left);
    report_result(out, "\"columns\":%lld,\"atoms\":%lld,\"times\":%lld,\"left\":%.6g", (long long)rank,
                  (long long)atoms, (long long)times, left);
    return ARGAND_OK;
}

static argand_status work(basis_settings *s, argand_device *device, report *out)
{
    basis_files f = {0};
    argand_status status = basis_check(s);
    const bool reads = s->kind == BASIS_DICTIONARY;
    if (!status && !reads) status = read_times(s);
    if (!status) status = reads ? read_dictionary(s, device, &f) : make_dictionary(s, device, &f);
    if (!status) status = make_basis(s, device, &f, out);
    if (!status) status = basis_write(s, &f);
    argand_array_destroy(f.basis);
    argand_array_destroy(f.parameters);
    argand_array_destroy(f.signals);
    return status;
}

static int run(int argc, char **argv)
{
    static basis_settings s;
    report out;
    int exit_code;
    argand_device *device = NULL;
    s = (basis_settings){.step = 1, .rank = 4};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "basis", &s.common);
    argand_status status = common_open_host(&s.common, &device);
    if (!status) status = work(&s, device, &out);
    argand_device_close(device);
    return status ? report_failure(&out, status) : 0;
}

const command command_basis = {.name = "basis",
                               .summary =
                                   "compute the temporal basis of T1 or T2 signals for subspace images",
                               .run = run};
