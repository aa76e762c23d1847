/* SPDX-License-Identifier: BSD-3-Clause */
/* argand array: small operations on array files. */
#include "array/numbers.h"
#include "files/shape.h"
#include "common/suggest.h"

#include <string.h>

extern const command command_compare, command_convert;

static const array_operation operations[] = {
#define OPERATION(name, least, most, summary) {#name, summary, array_##name, least, most},
#include "array/operations.inc"
#undef OPERATION
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const array_operation *find(const char *name)
{
    for (int i = 0; i < OPERATIONS; i++)
        if (!strcmp(operations[i].name, name)) return &operations[i];
    return NULL;
}

static const char *suggest_operation(const char *typed)
{
    suggestion near = suggest_for(typed, (int)strlen(typed));
    for (int i = 0; i < OPERATIONS; i++)
        suggest_try(&near, operations[i].name, (int)strlen(operations[i].name));
    return suggest_text(&near, "");
}

static argand_status take_place(numbers *y, const array_settings *s, argand_device *device, report *out)
{
    argand_array *image;
    if (!s->like) return ARGAND_OK;
    const argand_status status = argand_nifti_read(&image, s->like, device, &y->geometry);
    if (status) return report_error(status, "--like %s", argand_message());
    report_place(out, s->like, &y->geometry);
    argand_array_destroy(image);
    return ARGAND_OK;
}

static argand_status work(const array_operation *o, const array_settings *s, argand_device *device,
                          report *out)
{
    numbers x[ARRAY_INPUTS] = {{0}}, y = {0};
    char shape[256], path[4200];
    argand_status status = ARGAND_OK;
    for (int i = 0; i < s->input_count && !status; i++) {
        status = numbers_read(&x[i], s->inputs[i], device);
        if (!status) report_place(out, s->inputs[i], &x[i].geometry);
    }
    if (!status && interrupted()) status = ARGAND_STOPPED;
    if (!status) status = o->run(&y, x, s->input_count, s);
    if (!status) status = take_place(&y, s, device, out);
    if (!status) status = numbers_write(s->output, &y, device);
    if (!status) {
        report_note(out, "%s: %s, %s", s->output, shape_text(shape, sizeof shape, s->output, y.rank, y.dims),
                    y.is_complex ? "complex" : "real");
        report_result(out, "\"output\":%s", json_string(path, sizeof path, s->output));
    }
    for (int i = 0; i < s->input_count; i++) numbers_free(&x[i]);
    numbers_free(&y);
    return status;
}

static const char *describe(char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size,
                                   "Small operations on .npy, .cfl and .nii files, for scripts that connect "
                                   "programs. Axes are numbered as the program of\n"
                                   "the first file does: .npy as NumPy (0 is the slowest, -1 the fastest), "
                                   ".cfl and .nii with 0 as the fastest. Sums are\n"
                                   "computed in double precision; the output has the precision of the input. "
                                   "NIfTI keeps position and orientation.\n\noperations:\n");
    for (int i = 0; i < OPERATIONS && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "  %-12s %s\n", operations[i].name,
                                 operations[i].summary);
    if (used < size)
        snprintf(text + used, size - used, "  %-12s %s\n  %-12s %s", "compare",
                 "relative difference of two files, as argand compare", "png",
                 "picture with the window --low to --high, as argand convert");
    return text;
}

static const char examples[] = "  argand array rss coils.npy image.npy --axes 0\n"
                               "  argand array multiply image.nii.gz mask.nii.gz masked.nii.gz\n"
                               "  argand array slice series.npy first.npy --axes 0 --range 0:4\n"
                               "  argand array resize image.cfl large.cfl --axes 0,1 --size 256,256\n"
                               "  argand array complex magnitude.nii.gz phase.nii.gz echo.nii.gz\n"
                               "  argand array scale radians.npy cycles.npy --by 20.371833\n";

static int parse(array_settings *s, int argc, char **argv, const char *usage)
{
    static char text[4096];
    const option options[] = {
        text_option("axes", 0, &s->axes, "A[,B...]", "axes of the operation. Default: all"),
        text_option("size", 0, &s->size, "N[,M...]",
                    "sizes in the order of --axes; without --axes, in the order of the file's shape"),
        text_option("range", 0, &s->range, "FROM:TO",
                    "elements FROM to TO - 1; a negative number counts from the end"),
        text_option("by", 0, &s->by, "V", "factor RE or RE,IM (scale), or number of elements (roll)"),
        text_option("plus", 0, &s->plus, "V", "constant RE or RE,IM to add (scale)"),
        text_option("like", 0, &s->like, "IMAGE.nii",
                    "copy position and orientation of a NIfTI output from this image"),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = usage,
                         .description = describe(text, sizeof text),
                         .examples = examples,
                         OPTION_TABLE(options),
                         .positional_least = 2,
                         .positional_most = ARRAY_INPUTS + 1,
                         .positional = s->inputs};
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code ? exit_code : -1;
    s->input_count = line.positional_count - 1;
    s->output = s->inputs[s->input_count];
    return 0;
}

/* Takes the operation from the argument after `array` only; other places are not searched. */
static int run(int argc, char **argv)
{
    static array_settings s;
    const char *name = argc > 1 ? argv[1] : "";
    char usage[128] = "argand array OPERATION IN [IN...] OUT [options]";
    if (!strcmp(name, "compare")) return command_compare.run(argc - 1, argv + 1);
    if (!strcmp(name, "png")) return command_convert.run(argc - 1, argv + 1);
    const array_operation *o = find(name);
    if (!o && *name && name[0] != '-') {
        return report_misuse("array", "there is no operation \"%s\" (argand array --help lists them)%s", name,
                             suggest_operation(name));
    }
    if (o)
        snprintf(usage, sizeof usage, "argand array %s IN%s OUT [options]", name,
                 o->most > 1 ? " IN..." : "");
    const int code = parse(&s, argc - (o ? 1 : 0), argv + (o ? 1 : 0), usage);
    if (code) return code < 0 ? 0 : code;
    report out;
    argand_device *device = NULL;
    report_begin(&out, "array", &s.common);
    interrupt_watch();
    argand_status status = ARGAND_OK;
    if (!o)
        status = report_error(ARGAND_ARGUMENT, "name an operation first: argand array OPERATION IN OUT");
    else if (s.input_count < o->least || s.input_count > o->most)
        status =
            report_error(ARGAND_ARGUMENT, "%s reads %d%s file%s and writes one; you gave %d file%s to read",
                         name, o->least, o->most > o->least ? " or more" : "", plural_s(o->most),
                         s.input_count, plural_s(s.input_count));
    if (!status) status = common_open_host(&s.common, &device);
    if (!status) status = work(o, &s, device, &out);
    argand_device_close(device);
    return status ? report_failure(&out, status) : 0;
}

const command command_array = {
    .name = "array", .summary = "add, multiply, slice, resize, rss, shift ... array files", .run = run};
