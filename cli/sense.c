/* SPDX-License-Identifier: BSD-3-Clause */
/* argand sense: raw multi-coil data to images. */
#include "sense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char description[] =
    "Reconstructs every slice, repetition, average, contrast, phase and set of an ISMRMRD file by iterative "
    "SENSE\n"
    "(conjugate gradients on all coils at once) and writes\n"
    "  OUT.nii.gz            images with their place in the patient, 4-D over repetitions; a file each for "
    "several\n"
    "                        contrasts, phases, sets or averages (OUT_contrast-2.nii.gz)\n"
    "  OUT.png               a picture of all slices\n"
    "  OUT.csv, OUT-convergence.png   residual, gradient and time of each iteration, as a table and as a "
    "plot\n"
    "  OUT.json              what was done\n"
    "Maps come from the scan's arrays FieldMap and SENSEMap, or from files: .nii, .nii.gz, .npy, .cfl, "
    "OTHER.h5:NAME, or\n"
    ":NAME for another array of the scan. Coil maps that are nowhere are estimated from the centre of "
    "k-space.\n"
    "Without --transform, the exact DFT is used where there is a field map to correct for, and the NUFFT "
    "elsewhere.";

static const char examples[] =
    "  argand sense brain.h5 brain.nii.gz\n"
    "  argand sense brain.h5 plain.nii.gz --field-map none --iterations 15\n"
    "  argand sense brain.h5 sharp.nii.gz --field-map b0.nii.gz --field-unit hz --regularize 0.001\n"
    "  argand sense brain.h5 fast.nii.gz --transform nufft --matrix 96x96 --threads 4\n"
    "  argand sense brain.h5 brain.nii.gz --json | jq -r 'select(.event==\"progress\").residual'\n";

static bool parse(sense_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        {.name = "transform",
         .letter = 't',
         .kind = OPTION_CHOICE,
         .value = &s->transform,
         .argument = "NAME",
         .help = "how k-space is computed",
         .choices = "auto|nufft|dft|dft-gradients"},
        {.name = "iterations",
         .letter = 'n',
         .kind = OPTION_INT,
         .value = &s->iterations,
         .argument = "N",
         .help = "at most so many",
         .low = 1,
         .high = 100000},
        {.name = "tolerance",
         .kind = OPTION_DOUBLE,
         .value = &s->tolerance,
         .argument = "E",
         .help = "stop when the relative gradient falls below E",
         .low = 0,
         .high = 1},
        {.name = "nufft-tolerance",
         .kind = OPTION_DOUBLE,
         .value = &s->nufft_tolerance,
         .argument = "E",
         .help = "relative error of the NUFFT; 1e-5 in single, 1e-9 in double precision",
         .low = 0,
         .high = 0.5},
        {.name = "regularize",
         .letter = 'r',
         .kind = OPTION_DOUBLE,
         .value = &s->regularize,
         .argument = "B",
         .help = "weight of quadratic roughness, for any scanner's units; try 0.001",
         .low = 0,
         .high = 1e6},
        {.name = "density",
         .kind = OPTION_CHOICE,
         .value = &s->density,
         .argument = "NAME",
         .help = "weights of the samples",
         .choices = "none|pipe|file"},
        {.name = "field-map",
         .letter = 'f',
         .kind = OPTION_TEXT,
         .value = &s->field_map,
         .argument = "MAP",
         .help = "field map, or none; FieldMap of the scan if not given"},
        {.name = "field-unit",
         .kind = OPTION_CHOICE,
         .value = &s->field_unit,
         .argument = "UNIT",
         .help = "unit of a field map's file",
         .choices = "rad/s|hz"},
        {.name = "coil-maps",
         .letter = 'c',
         .kind = OPTION_TEXT,
         .value = &s->coil_maps,
         .argument = "MAP",
         .help = "coil sensitivities, or none to estimate them; SENSEMap of the scan if not given"},
        {.name = "calibration",
         .kind = OPTION_DOUBLE,
         .value = &s->calibration,
         .argument = "R",
         .help = "estimate coil maps from k-space up to R of its radius; 0: as far as it is dense",
         .low = 0,
         .high = 1},
        {.name = "mask",
         .letter = 'm',
         .kind = OPTION_TEXT,
         .value = &s->mask,
         .argument = "MAP",
         .help = "reconstruct only where it is not 0"},
        {.name = "matrix",
         .letter = 'x',
         .kind = OPTION_SIZES,
         .value = &s->matrix,
         .argument = "N[xN[xN]]",
         .help = "image size; the encoded matrix if not given"},
        {.name = "precision",
         .letter = 'p',
         .kind = OPTION_CHOICE,
         .value = &s->precision,
         .argument = "NAME",
         .help = "of all computations",
         .choices = "single|double"},
        {.name = "part",
         .kind = OPTION_CHOICE,
         .value = &s->part,
         .argument = "NAME",
         .help = "what is written",
         .choices = "magnitude|phase|complex"},
        {.name = "encoding",
         .kind = OPTION_INT,
         .value = &s->encoding,
         .argument = "N",
         .help = "encoding space to reconstruct",
         .low = 0,
         .high = 64},
        SCAN_OPTIONS(s->reading),
        COMMON_OPTIONS(s->common),
    };
    const char *positional[2] = {NULL};
    command_line line = {.usage = "argand sense IN.h5 OUT.nii.gz [options]",
                         .description = description,
                         .examples = examples,
                         .options = options,
                         .option_count = sizeof options / sizeof *options,
                         .positional_least = 2,
                         .positional_most = 2,
                         .positional = positional};
    if (!command_parse(&line, argc, argv, exit_code)) return false;
    s->input = positional[0];
    s->output = positional[1];
    return true;
}

/* The maps that options name; the caller destroys them. */
typedef struct given_maps {
    argand_array *field, *coils, *mask;
} given_maps;

static argand_status find_maps(const sense_settings *s, argand_device *device, const argand_scan *scan,
                               argand_sense_options *o, given_maps *g)
{
    argand_status status = sense_map_find(s->field_map, device, scan, &g->field, &o->field_map_name);
    if (status == ARGAND_OK && g->field && s->field_unit)
        status = argand_array_scale(g->field, (argand_scalar){2 * 3.14159265358979323846, 0});
    if (status == ARGAND_OK)
        status = sense_map_find(s->coil_maps, device, scan, &g->coils, &o->coil_maps_name);
    if (status == ARGAND_OK) status = sense_map_find(s->mask, device, scan, &g->mask, &o->mask_name);
    o->field_map = g->field;
    o->coil_maps = g->coils;
    o->mask = g->mask;
    return status;
}

static argand_status open_session(const sense_settings *s, argand_device *device, const argand_scan *scan,
                                  argand_sense **session)
{
    given_maps given = {0};
    argand_sense_options o = {.type = s->precision ? ARGAND_C64 : ARGAND_C32,
                              .transform = (argand_transform)s->transform,
                              .encoding = s->encoding,
                              .iterations = s->iterations,
                              .tolerance = s->tolerance,
                              .nufft_tolerance = s->nufft_tolerance,
                              .regularize = s->regularize,
                              .calibration = s->calibration,
                              .density = (argand_density)s->density};
    for (int axis = 0; axis < s->matrix.rank; axis++) o.matrix[axis] = s->matrix.n[axis];
    argand_status status = find_maps(s, device, scan, &o, &given);
    if (status == ARGAND_OK) status = argand_sense_create(session, device, scan, &o);
    argand_array_destroy(given.field);
    argand_array_destroy(given.coils);
    argand_array_destroy(given.mask);
    return status;
}

static void print_notes(report *out, const char *notes)
{
    while (*notes) {
        const int length = (int)strcspn(notes, "\n");
        if (length) report_note(out, "%.*s", length, notes);
        notes += length + (notes[length] == '\n');
    }
}

/* What the monitor needs: the progress bar, the table of steps, which volume it is. */
typedef struct watch {
    report *out;
    sense_results *results;
    const sense_settings *settings;
    int volume, volumes;
} watch;

static bool on_iteration(void *context, const argand_progress *p)
{
    watch *w = context;
    w->results->steps[w->results->step_count++] = (sense_step){w->volume, *p};
    report_progress(w->out, (double)w->volume * p->iterations + p->iteration,
                    (double)w->volumes * p->iterations, p->residual);
    return !interrupted();
}

static argand_status run_volumes(const sense_settings *s, argand_device *device, argand_sense *session,
                                 sense_results *results, report *out)
{
    int64_t n[3];
    argand_array *image;
    argand_sense_grid(session, n);
    argand_status status = argand_array_create(&image, device, s->precision ? ARGAND_C64 : ARGAND_C32, 3, n);
    if (status != ARGAND_OK) return status;
    watch w = {out, results, s, 0, argand_sense_volumes(session)};
    report_stage(out, "reconstructing");
    for (; w.volume < w.volumes && status == ARGAND_OK; w.volume++) {
        status = argand_sense_run(session, w.volume, image, on_iteration, &w);
        if (status == ARGAND_OK && interrupted()) status = ARGAND_STOPPED;
        if (status == ARGAND_OK) status = sense_results_put(results, s, w.volume, image);
    }
    report_progress(out, 1, 1, NAN);
    argand_array_destroy(image);
    return status;
}

static argand_status note_device(argand_device *device, report *out)
{
    argand_device_info info;
    const argand_status status = argand_device_describe(device, &info);
    if (status == ARGAND_OK) report_note(out, "Computing on %s (%s).", info.name, info.backend);
    return status;
}

static argand_status reconstruct(const sense_settings *s, argand_device *device, report *out)
{
    argand_scan *scan = NULL;
    argand_sense *session = NULL;
    sense_results results = {0};
    const double start = seconds_now();
    argand_status status = scan_open(&scan, s->input, &s->reading);
    if (status != ARGAND_OK) return status;
    print_notes(out, scan->notes);
    status = note_device(device, out);
    if (status == ARGAND_OK) status = open_session(s, device, scan, &session);
    if (status == ARGAND_OK) {
        print_notes(out, argand_sense_notes(session));
        status = sense_results_create(&results, s, device, session);
    }
    if (status == ARGAND_OK) status = run_volumes(s, device, session, &results, out);
    results.seconds = seconds_now() - start;
    if (status == ARGAND_OK) status = sense_results_write(&results, s, scan, out);
    sense_results_free(&results);
    argand_sense_destroy(session);
    argand_scan_destroy(scan);
    return status;
}

static int run(int argc, char **argv)
{
    int exit_code;
    argand_device *device;
    report out;
    sense_settings s = {.iterations = 10};
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "sense", &s.common);
    interrupt_watch();
    argand_status status = common_open(&s.common, &device);
    if (status == ARGAND_OK) {
        status = reconstruct(&s, device, &out);
        argand_device_close(device);
    }
    return status == ARGAND_OK ? 0 : report_failure(&out, status);
}

const command command_sense = {"sense", "reconstruct images from raw multi-coil data", run};
