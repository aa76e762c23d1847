/* SPDX-License-Identifier: BSD-3-Clause */
#include "convolve/arrays.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "common/path.h"
#include "files/shape.h"

typedef struct array_job {
    const filter_settings *s;
    argand_device *device;
    argand_array *in, *kernel, *out;
    argand_geometry geometry;
    argand_conv_options options;
    filter_engine engine;
    double memory;  /* maximum of bytes; 0: no limit */
    int64_t wide;   /* number of images whose dynamic range required another plan */
    double at_once; /* bytes for a call without tiles */
} array_job;

/* Returns the rank without trailing dimensions of 1. */
static int rank_of(const argand_array *array)
{
    int rank = argand_array_rank(array);
    while (rank > 1 && argand_array_dim(array, rank - 1) == 1) rank--;
    return rank < 1 ? 1 : rank;
}

static bool is_complex(const argand_array *array)
{
    return argand_array_type(array) == ARGAND_C32 || argand_array_type(array) == ARGAND_C64;
}

/* Reads the kernel; of a picture, the first plane of light. */
static argand_status read_kernel(array_job *job)
{
    filter_kernel k = {0};
    const char *path = job->s->kernel;
    if (!argand_picture_is_known(path)) return argand_array_read(&job->kernel, path, job->device);
    argand_status status = kernel_read(&k, path);
    if (status == ARGAND_OK && k.channels != 1)
        status = report_error(ARGAND_ARGUMENT,
                              "%s: the kernel has %d channels; an array needs a kernel of one channel", path,
                              k.channels);
    if (status == ARGAND_OK)
        status =
            argand_array_create(&job->kernel, job->device, ARGAND_R32, 2, (int64_t[]){k.width, k.height});
    if (status == ARGAND_OK) status = argand_array_upload(job->kernel, k.samples);
    kernel_free(&k);
    return status;
}

static argand_status check_finite(const argand_array *array, const char *path)
{
    bool finite;
    TRY(argand_array_is_finite(&finite, array));
    return finite ? ARGAND_OK
                  : report_error(ARGAND_NUMERIC, "%s: holds NaN or infinity; mend it first", path);
}

/* A file of zeros is a mistake, though the library takes such kernels, as SciPy does. */
static argand_status check_kernel(const argand_array *kernel, const char *path)
{
    double largest;
    TRY(check_finite(kernel, path));
    TRY(argand_array_max_abs(&largest, kernel));
    return largest > 0 ? ARGAND_OK : report_error(ARGAND_NUMERIC, "%s: the kernel is zero everywhere", path);
}

static argand_status read_all(array_job *job)
{
    const char *path = job->s->input;
    TRY(path_is_nifti(path) ? argand_nifti_read(&job->in, path, job->device, &job->geometry)
                            : argand_array_read(&job->in, path, job->device));
    TRY(read_kernel(job));
    TRY(check_finite(job->in, path));
    return check_kernel(job->kernel, job->s->kernel);
}

/* Reads --centre, "x,y,z" with a number for each axis of the kernel; further numbers must be 0. */
static argand_status find_centre(array_job *job)
{
    argand_conv_options *o = &job->options;
    long long at[ARGAND_MAX_RANK] = {0};
    int used = 0, count = 0;
    bool beyond = false;
    char shape[256];
    const char *text = job->s->centre;
    if (!text || !strcmp(text, "middle")) return ARGAND_OK;
    while (count < ARGAND_MAX_RANK && sscanf(text, "%lld%n", &at[count], &used) == 1) {
        text += used;
        beyond = beyond || (count >= o->rank && at[count] != 0);
        count++;
        if (*text != ',') break;
        text++;
    }
    if (*text || text[-1] == ',' || count < o->rank || count > argand_array_rank(job->kernel) || beyond)
        return report_error(ARGAND_ARGUMENT,
                            "--centre %s: give middle, or %d number%s with commas between them",
                            job->s->centre, o->rank, o->rank > 1 ? "s" : "");
    o->centre_given = true;
    for (int i = 0; i < o->rank; i++) {
        o->centre[i] = at[i];
        if (at[i] < 0 || at[i] >= o->kernel[i])
            return report_error(
                ARGAND_ARGUMENT,
                "--centre %s: %s has the shape %s; give x first, each from 0 to below the length",
                job->s->centre, job->s->kernel,
                shape_text(shape, sizeof shape, job->s->kernel, o->rank, o->kernel));
    }
    return ARGAND_OK;
}

static argand_status choose_options(array_job *job)
{
    argand_conv_options *o = &job->options;
    const bool wide = argand_array_type(job->in) == ARGAND_R64 || argand_array_type(job->in) == ARGAND_C64;
    const bool complex = is_complex(job->in) || is_complex(job->kernel);
    const argand_border border = (argand_border)job->s->border;
    o->rank = rank_of(job->kernel);
    if (o->rank > 3)
        return report_error(ARGAND_ARGUMENT, "%s: the kernel has %d dimensions; give a kernel of 1 to 3",
                            job->s->kernel, o->rank);
    if (o->rank > argand_array_rank(job->in))
        return report_error(ARGAND_ARGUMENT,
                            "%s: a kernel of %d dimensions, and %s has %d; an array has as many, or more",
                            job->s->kernel, o->rank, job->s->input, argand_array_rank(job->in));
    o->type = complex ? wide ? ARGAND_C64 : ARGAND_C32 : wide ? ARGAND_R64 : ARGAND_R32;
    o->batch = 1;
    for (int i = 0; i < argand_array_rank(job->in) || i < o->rank; i++) {
        if (i < o->rank)
            o->n[i] = argand_array_dim(job->in, i);
        else
            o->batch *= argand_array_dim(job->in, i);
        if (i < o->rank) o->kernel[i] = argand_array_dim(job->kernel, i);
        if (i < o->rank) o->border[i] = (argand_conv_border){border, border};
    }
    o->constant.re = job->s->constant;
    o->mode = (argand_conv_mode)job->s->mode;
    o->normalise = (argand_conv_normalise)job->s->normalise;
    o->correlate = job->s->correlate;
    o->range = job->s->deconv ? ARGAND_CONV_RANGE_NARROW : (argand_conv_range)job->s->range;
    return find_centre(job);
}

/* Returns the number of images of n + kernel - 1 elements along each axis that Richardson-Lucy keeps
 * (argand/deconv.h). */
static int images_kept(const argand_deconv_options *d)
{
    return !d || d->method != ARGAND_DECONV_RICHARDSON_LUCY ? 0 : d->total_variation > 0 ? 5 : 4;
}

/* Returns the number of padded images that a call needs in addition to its arrays. A CPU processes one
 * image at a time. */
static double images_at_once(const array_job *job)
{
    argand_device_info info;
    const double batch = (double)job->options.batch;
    const bool on_host = argand_device_describe(job->device, &info) == ARGAND_OK && info.host_addressable;
    return on_host ? 2.5 + 0.2 * batch : 2 * batch + 2;
}

static bool is_wiener(const array_job *job)
{
    return job->s->deconv && job->s->deconv->method == ARGAND_DECONV_WIENER;
}

/* Returns true if a second plan, for a high dynamic range, may be needed. */
static bool has_range(const array_job *job)
{
    return !job->s->deconv && job->options.range != ARGAND_CONV_RANGE_NARROW;
}

/* Applies --memory: the bytes that the arrays leave are for tiles, if the whole image at once needs more. */
static argand_status limit_memory(array_job *job)
{
    argand_conv_options *o = &job->options;
    const double each = o->type == ARGAND_R32 ? 4 : o->type == ARGAND_C64 ? 16 : 8;
    const bool wiener = is_wiener(job);
    double image = each, wide = each, whole = each;
    if (job->memory <= 0) return ARGAND_OK;
    for (int i = 0; i < o->rank; i++) {
        image *= (double)o->n[i];
        wide *= (double)(o->n[i] + o->kernel[i] - 1);
        whole *= 1.07 * (double)(o->n[i] + (wiener && o->kernel[i] > 1 ? o->n[i] : o->kernel[i]));
    }
    const double arrays = 2 * image * (double)o->batch + images_kept(job->s->deconv) * wide,
                 rest = job->memory - arrays;
    job->at_once = arrays + images_at_once(job) * whole;
    if (has_range(job)) job->at_once += 0.5 * images_at_once(job) * whole;
    o->range_memory =
        has_range(job) ? (size_t)fmax(job->memory - arrays - images_at_once(job) * whole, 1) : 0;
    if (job->memory >= job->at_once) return ARGAND_OK;
    if (rest <= 0)
        return report_error(ARGAND_MEMORY, "--memory: the arrays alone take %.1f MB; give more",
                            arrays / 1e6);
    o->memory = (size_t)rest;
    return ARGAND_OK;
}

/* Shapes the input as {n..., channels = 1, batch} in the plan's type. */
static argand_status shape_input(argand_array **shaped, array_job *job)
{
    const argand_conv_options *o = &job->options;
    int64_t dims[5], rank = o->rank;
    argand_array *array = NULL, *view = NULL;
    memcpy(dims, o->n, sizeof o->n);
    dims[rank++] = 1;
    dims[rank++] = o->batch;
    if (argand_array_type(job->in) == o->type) return argand_array_reshape(shaped, job->in, (int)rank, dims);
    argand_status status = argand_array_create(&array, job->device, o->type, (int)rank, dims);
    if (status == ARGAND_OK) status = argand_array_reshape(&view, job->in, (int)rank, dims);
    if (status == ARGAND_OK) status = argand_array_copy(array, view);
    argand_array_destroy(view);
    *shaped = array;
    return status;
}

/* Creates the result {out..., further dimensions of the input}. */
static argand_status make_output(argand_array **shaped, array_job *job)
{
    argand_conv_info info;
    int64_t dims[ARGAND_MAX_RANK], rank = job->options.rank, whole = argand_array_rank(job->in);
    engine_describe(&job->engine, &info);
    for (int i = 0; i < ARGAND_MAX_RANK; i++) dims[i] = i < rank ? info.out[i] : argand_array_dim(job->in, i);
    if (whole < rank) whole = rank;
    TRY(argand_array_create(&job->out, job->device, job->options.type, (int)whole, dims));
    dims[rank++] = 1;
    dims[rank++] = job->options.batch;
    return argand_array_reshape(shaped, job->out, (int)rank, dims);
}

/* Reports why the engine refuses the kernel or the memory limit. Tiles may need more memory than the whole
 * image at once. */
static argand_status refused(const array_job *job, argand_status status, const char *file)
{
    char reason[1024];
    snprintf(reason, sizeof reason, "%s%s%s", file ? file : "", file ? ": " : "", argand_message());
    if (status != ARGAND_MEMORY || !job->options.memory) return report_error(status, "%s", reason);
    return report_error(status, "%s; --memory %.0fM is enough for the whole image at once", reason,
                        ceil(job->at_once / 1e6));
}

static argand_status start_engine(array_job *job, report *out)
{
    argand_array *kernel;
    argand_status status = engine_open(&job->engine, job->device, &job->options, job->s->deconv);
    if (status != ARGAND_OK) return refused(job, status, NULL);
    TRY(argand_array_reshape(&kernel, job->kernel, job->options.rank, job->options.kernel));
    status = engine_set_kernel(&job->engine, kernel, job->s->sharpen);
    if (status == ARGAND_OK && job->s->deconv) {
        argand_deconv_options o = *job->s->deconv;
        o.conv = job->options;
        status = filter_note_noise(out, kernel, &o);
    }
    argand_array_destroy(kernel);
    return status == ARGAND_OK ? status : refused(job, status, job->s->kernel);
}

static argand_status convolve(array_job *job, report *out)
{
    argand_array *in = NULL, *result = NULL;
    report_place(out, job->s->input, &job->geometry);
    report_stage(out, "convolving");
    argand_status status = start_engine(job, out);
    if (status == ARGAND_OK) status = shape_input(&in, job);
    if (status == ARGAND_OK) status = make_output(&result, job);
    if (status == ARGAND_OK) status = engine_apply(&job->engine, result, in);
    if (status == ARGAND_OK) status = argand_device_wait(job->device);
    argand_array_destroy(in);
    argand_array_destroy(result);
    return status == ARGAND_OK && interrupted() ? ARGAND_STOPPED : status;
}

/* Checks the result for NaN and infinity. The input was checked, so only overflow can cause them. */
static argand_status check_result(const array_job *job)
{
    bool finite;
    TRY(argand_array_is_finite(&finite, job->out));
    return finite ? ARGAND_OK
                  : report_error(ARGAND_NUMERIC,
                                 "%s: numbers of the result are beyond its precision; scale %s or %s down",
                                 job->s->output, job->s->input, job->s->kernel);
}

static void explain(const array_job *job)
{
    char plan[2000], text[4100];
    if (job->s->common.json) {
        engine_print(&job->engine, plan, sizeof plan);
        print_json_line("{\"event\":\"plan\",\"plan\":%s}", json_string(text, sizeof text, plan));
        return;
    }
    engine_explain(&job->engine, plan, sizeof plan);
    print_text(stdout, plan);
    if (*plan && plan[strlen(plan) - 1] != '\n') print("\n");
}

static void tell(const array_job *job, report *out)
{
    char shape[256], json[600], path[4200];
    const char *type = argand_type_name(argand_array_type(job->out));
    report_note(out, "%s: %s, %s", job->s->output,
                shape_of_array(shape, sizeof shape, job->s->output, job->out), type);
    filter_note_range(out, job->s->input, job->wide,
                      job->options.type == ARGAND_R64 || job->options.type == ARGAND_C64);
    report_result(out, "\"output\":%s,%s,\"type\":\"%s\"", json_string(path, sizeof path, job->s->output),
                  shape_json(json, sizeof json, job->s->output, job->out), type);
}

/* Writes the result. The writer may need as much memory as the array, so all other arrays are freed first. */
static argand_status write_result(array_job *job)
{
    const char *path = job->s->output;
    job->wide = engine_wide(&job->engine);
    engine_close(&job->engine);
    argand_array_destroy(job->in);
    job->in = NULL;
    return path_is_nifti(path) ? argand_nifti_write(path, job->out, &job->geometry, job->geometry.time_step)
                               : argand_array_write(path, job->out);
}

argand_status convolve_arrays(const filter_settings *s, argand_device *device, double memory, report *out)
{
    array_job job = {.s = s, .device = device, .memory = memory};
    argand_status status = ARGAND_OK;
    if (argand_picture_is_known(s->output))
        return report_error(ARGAND_ARGUMENT, "%s: an array is written as .npy, .nii, .nii.gz or .cfl",
                            s->output);
    report_stage(out, "reading");
    status = read_all(&job);
    if (status == ARGAND_OK) status = choose_options(&job);
    if (status == ARGAND_OK) status = limit_memory(&job);
    if (status == ARGAND_OK) status = convolve(&job, out);
    if (status == ARGAND_OK) status = check_result(&job);
    if (status == ARGAND_OK && s->explain) explain(&job);
    if (status == ARGAND_OK) report_stage(out, "writing");
    if (status == ARGAND_OK) status = write_result(&job);
    if (status == ARGAND_OK) report_stage_end(out);
    if (status == ARGAND_OK) tell(&job, out);
    engine_close(&job.engine);
    argand_array_destroy(job.in);
    argand_array_destroy(job.kernel);
    argand_array_destroy(job.out);
    return status;
}
