/* SPDX-License-Identifier: BSD-3-Clause */
/* argand calibrate compress. */
#include "calibrate/calibrate.h"
#include "common/path.h"

#include <stdio.h>

typedef struct compress_settings {
    common_options common;
    calibrate_choice choice;
    const char *input, *output, *data, *whitener;
    int kind, coils;
    double energy;
} compress_settings;

static const char description[] =
    "Computes the matrix that compresses the channels to fewer virtual coils; the time of a reconstruction "
    "is proportional to\n"
    "the number of coils. IN is a scan, or a file of samples {samples..., coils}.\n"
    "  svd   one matrix for all samples of any trajectory\n"
    "  gcc   one matrix for each position along the readout: fewer virtual coils for the same energy. For "
    "Cartesian k-space\n"
    "        {nx, ..., coils} whose readout, the first dimension, is fully sampled\n"
    "If there is a noise scan, whiten first (--whitener): a noisy coil would otherwise get too much weight.\n"
    "The output is complex {virtual coils, coils[, nx]} with orthonormal rows. argand sense --compress reads "
    "that of svd.";

static const char examples[] =
    "  argand calibrate compress scan.h5 matrix.npy --energy 0.95\n"
    "  argand calibrate compress scan.h5 matrix.npy --whitener whiten.npy && argand sense scan.h5 "
    "image.nii.gz \\\n"
    "      --whitener whiten.npy --compress matrix.npy\n"
    "  argand calibrate compress kspace.cfl matrix.npy --kind gcc --coils 6 --data fewer.cfl\n";

static bool parse(compress_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        choice_option("kind", 0, &s->kind, "NAME", "svd|gcc", "method"),
        int_option("coils", 'n', &s->coils, "N", 0, 65536,
                   "number of virtual coils; 0 takes as many as --energy needs"),
        double_option("energy", 0, &s->energy, "E", 0.01, 1, "fraction of the energy to keep"),
        text_option("data", 0, &s->data, "FILE",
                    "also write the compressed data (if IN is a file of samples)"),
        text_option("whitener", 0, &s->whitener, "FILE",
                    "first whiten the channels by the matrix of FILE, as argand calibrate noise writes it. "
                    "Give the same --whitener to argand sense"),
        CHOICE_OPTIONS(s->choice),
        SCAN_OPTIONS(s->choice.reading),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand calibrate compress IN OUT [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->input, &s->output},
                         .positional_least = 2};
    return command_parse(&line, argc, argv, exit_code);
}

/* Transforms k-space to the image along the readout for geometric compression; otherwise returns the data
 * unchanged. */
static argand_status to_hybrid(argand_array **hybrid, const compress_settings *s, const argand_array *data)
{
    const int rank = argand_array_rank(data);
    int64_t dims[ARGAND_MAX_RANK];
    argand_fft *plan;
    *hybrid = NULL;
    if (!s->kind) return ARGAND_OK;
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(data, axis);
    const argand_fft_options o = {.type = argand_array_type(data),
                                  .rank = 1,
                                  .n = {dims[0]},
                                  .batch = argand_array_count(data) / dims[0],
                                  .centred = true,
                                  .scale = ARGAND_SCALE_INVERSE,
                                  .wait_for_kernels = true};
    TRY(argand_fft_create(&plan, argand_array_device(data), &o));
    argand_status status = argand_array_create(hybrid, argand_array_device(data), o.type, rank, dims);
    if (!status) status = argand_fft_apply(plan, *hybrid, (argand_array *)data, ARGAND_INVERSE);
    argand_fft_destroy(plan);
    return status;
}

static argand_status write_data(const compress_settings *s, const argand_array *matrix,
                                const argand_array *data, report *out)
{
    const int rank = argand_array_rank(data);
    int64_t dims[ARGAND_MAX_RANK];
    argand_array *fewer;
    for (int axis = 0; axis < rank - 1; axis++) dims[axis] = argand_array_dim(data, axis);
    dims[rank - 1] = argand_array_dim(matrix, 0);
    TRY(argand_array_create(&fewer, argand_array_device(data), argand_array_type(data), rank, dims));
    argand_status status = argand_coils_mix_kspace(fewer, matrix, data);
    const sidecar what = calibrate_facts(KIND_KSPACE, "arbitrary", "k-space, virtual coil", s->input);
    if (!status) status = calibrate_write(s->data, fewer, NULL, &what, out);
    argand_array_destroy(fewer);
    return status;
}

static argand_status load(argand_array **data, const compress_settings *s, argand_device *device, report *out)
{
    argand_scan *scan;
    calibrate_samples x;
    if (!path_is_scan(s->input)) return calibrate_read(data, s->input, KIND_KSPACE, device);
    if (s->kind)
        return report_error(ARGAND_ARGUMENT,
                            "gcc needs Cartesian k-space {nx, ..., coils} as an array; take svd");
    if (s->data)
        return report_error(ARGAND_ARGUMENT,
                            "--data writes arrays; a scan is compressed while it is reconstructed");
    TRY(calibrate_open(&scan, s->input, &s->choice.reading, out));
    argand_status status =
        calibrate_take(&x, scan, &s->choice, s->choice.slice < 0 ? 0 : s->choice.slice, 0, false, device);
    if (!status) {
        *data = x.y;
        x.y = NULL;
    }
    calibrate_samples_free(&x);
    argand_scan_destroy(scan);
    return status;
}

/* Replaces the data by whitened data. */
static argand_status whiten(argand_array **data, const compress_settings *s)
{
    argand_array *matrix = NULL, *mixed = NULL;
    argand_device *device = argand_array_device(*data);
    const int rank = argand_array_rank(*data);
    int64_t dims[ARGAND_MAX_RANK];
    sidecar meta;
    if (!s->whitener) return ARGAND_OK;
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(*data, axis);
    argand_status status = argand_array_read(&matrix, s->whitener, device);
    if (!status) status = sidecar_read(&meta, s->whitener);
    if (!status)
        status = sidecar_check(&meta, "--whitener", s->whitener, matrix, KIND_WHITENER, KIND_UNKNOWN);
    if (!status && argand_array_dim(matrix, 0) != argand_array_dim(matrix, 1))
        status = report_error(ARGAND_ARGUMENT, "--whitener %s: %lld x %lld; a whitening matrix is square",
                              s->whitener, (long long)argand_array_dim(matrix, 0),
                              (long long)argand_array_dim(matrix, 1));
    if (!status) status = argand_array_create(&mixed, device, argand_array_type(*data), rank, dims);
    if (!status) status = argand_coils_mix(mixed, matrix, *data);
    argand_array_destroy(matrix);
    if (status) {
        argand_array_destroy(mixed);
        return status;
    }
    argand_array_destroy(*data);
    *data = mixed;
    return ARGAND_OK;
}

static argand_status work(void *settings, argand_device *device, report *out)
{
    const compress_settings *s = settings;
    argand_array *data = NULL, *hybrid = NULL, *matrix = NULL;
    argand_compress_report r;
    const argand_compress_options o = {
        .kind = (argand_compression)s->kind, .coils = s->coils, .energy = s->energy};
    argand_status status = load(&data, s, device, out);
    if (!status) status = whiten(&data, s);
    if (!status) status = to_hybrid(&hybrid, s, data);
    if (!status) status = argand_coils_compress(&matrix, hybrid ? hybrid : data, &o, &r);
    if (!status)
        report_note(out, "%d virtual coil%s of %lld keep%s %.2f %% of the energy.", r.coils,
                    plural_s(r.coils), (long long)argand_array_dim(matrix, 1), r.coils == 1 ? "s" : "",
                    100 * r.energy);
    sidecar what = calibrate_facts(KIND_COMPRESSION, "", "virtual coil, channel", s->input);
    snprintf(what.method, sizeof what.method, "%s", s->kind ? "gcc" : "svd");
    snprintf(what.whitened, sizeof what.whitened, "%s", s->whitener ? "yes" : "no");
    if (!status) status = calibrate_write(s->output, matrix, NULL, &what, out);
    if (!status && s->data) status = write_data(s, matrix, data, out);
    if (!status) report_result(out, "\"coils\":%d,\"energy\":%.9g", r.coils, r.energy);
    argand_array_destroy(matrix);
    argand_array_destroy(hybrid);
    argand_array_destroy(data);
    return status;
}

int calibrate_compress(int argc, char **argv)
{
    int exit_code;
    compress_settings s = {.choice.slice = -1, .energy = 0.99};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    return calibrate_run(&(calibrate_job){
        .name = "calibrate compress", .common = &s.common, .input = s.input, .settings = &s, .work = work});
}
