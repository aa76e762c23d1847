/* SPDX-License-Identifier: BSD-3-Clause */
/* argand kernels: compiles the kernels of transforms ahead of time, also for devices that are absent. */
#include "fft/cold.h"
#include "fft/together.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char description[] = "Compiles the GPU kernels of transforms into a folder, so that plans need "
                                  "not compile them: the kernels of the given\n"
                                  "sizes, or of all transforms in the wisdom of the device. This needs "
                                  "NVIDIA's compiler (NVRTC) but no GPU: --device\n"
                                  "offline:h200 (h100, a100, b200, rtx5090) names such a chip, cuda:0 is "
                                  "the first GPU of this machine. Plans read the\n"
                                  "folder that the environment variable ARGAND_KERNELS names, by default "
                                  "share/argand/kernels next to the library.";

static const char examples[] =
    "  argand kernels --out kernels                          (then ARGAND_KERNELS=kernels on the machine "
    "with the GPU)\n"
    "  argand kernels 320x320 --batch 512 --centred --scale unitary --out kernels\n"
    "  argand kernels --device offline:h100\n"
    "  argand kernels --cold --device offline:a100 --out kernels\n"
    "  argand kernels --pack --out kernels\n";

typedef struct kernels_settings {
    transform_settings transform; /* options for the given sizes */
    const char *out;
    bool pack, cold;
    int plans;
} kernels_settings;

/* Reads a transform from the first fields of a wisdom problem: "c32 256x256 batch 32 centred". Other
 * properties (accessors, strides) cannot be read from it. */
static bool read_problem(transform_settings *s, char *size, size_t capacity, const char *problem)
{
    char type[8], rest[32] = "";
    int used = 0, batch = 1;
    if (strchr(problem, '\t') || sscanf(problem, "%7s %63s%n", type, size, &used) < 2 || capacity < 64)
        return false;
    const char *at = problem + used;
    used = 0;
    if (sscanf(at, " batch %d%n", &batch, &used) == 1) at += used;
    sscanf(at, " %31s %n", rest, &used);
    if (*rest && (strcmp(rest, "centred") || at[used])) return false;
    const bool real = *type == 'r';
    if ((!real && *type != 'c') || !transform_is_size(size)) return false;
    *s = (transform_settings){
        .batch = batch, .real = real, .centred = *rest, .precision = strcmp(type + 1, "64") ? 1 : 2};
    return true;
}

static argand_status compile(const transform_settings *s, const char *size, argand_device *device)
{
    transform_problem p;
    argand_fft *plan = NULL;
    argand_status status = transform_of_size(&p, s, size);
    if (status == ARGAND_OK) status = argand_fft_create(&plan, device, &p.options);
    argand_fft_destroy(plan);
    return status;
}

/* Returns the next line of wisdom with a transform of Argand's. If a vendor's library was faster, there
 * are no kernels. */
static bool next_problem(transform_settings *s, char *size, size_t capacity, char **at)
{
    while (**at) {
        char *line = *at, *end = line + strcspn(line, "\n");
        *at = end + (*end != 0);
        *end = 0;
        char *engine = strchr(line, '\t');
        if (!engine) continue;
        *engine++ = 0;
        if (strncmp(engine, "native\t", 7) == 0 && read_problem(s, size, capacity, line)) return true;
    }
    return false;
}

typedef struct known_problem {
    transform_settings settings;
    char size[64];
} known_problem;

typedef struct known_problems {
    argand_device *device;
    known_problem *list;
    int count;
    atomic_int passed_over; /* lines of another version */
} known_problems;

/* Lists the transforms of wisdom's text. */
static argand_status list_problems(known_problems *all, char *text)
{
    size_t lines = 1;
    for (const char *at = text; *at; at++) lines += *at == '\n';
    all->list = calloc(lines, sizeof *all->list);
    if (!all->list) return report_error(ARGAND_MEMORY, "no memory for the transforms of wisdom");
    known_problem *last = all->list;
    while (next_problem(&last->settings, last->size, sizeof last->size, &text)) last++;
    all->count = (int)(last - all->list);
    return all->count
               ? ARGAND_OK
               : report_error(ARGAND_ARGUMENT,
                              "wisdom knows of no transforms on that device; name sizes, like 256x256");
}

static argand_status compile_one(void *context, int number)
{
    known_problems *all = context;
    const argand_status status = compile(&all->list[number].settings, all->list[number].size, all->device);
    if (status != ARGAND_UNSUPPORTED) return status;
    atomic_fetch_add(&all->passed_over, 1);
    return ARGAND_OK;
}

static argand_status compile_wisdom(kernels_settings *s, char *text, argand_device *device, report *out)
{
    known_problems all = {.device = device};
    argand_status status = list_problems(&all, text);
    if (status == ARGAND_OK)
        status = work_together(compile_one, &all, all.count, argand_device_threads(device), out);
    if (all.passed_over)
        report_note(out, "%d of %d transforms of wisdom are passed over: this version cannot make them.",
                    (int)all.passed_over, all.count);
    s->plans = all.count;
    free(all.list);
    return status;
}

static argand_status compile_known(kernels_settings *s, argand_device *device, report *out)
{
    size_t size = 0;
    char *text;
    argand_status status = argand_fft_wisdom_look(device);
    if (status == ARGAND_OK) status = argand_fft_wisdom_export(NULL, 0, &size);
    if (status != ARGAND_OK) return status;
    text = malloc(size);
    if (!text) return report_error(ARGAND_MEMORY, "no memory for wisdom's text");
    status = argand_fft_wisdom_export(text, size, NULL);
    if (status == ARGAND_OK) status = compile_wisdom(s, text, device, out);
    free(text);
    return status;
}

static argand_status compile_given(kernels_settings *s, argand_device *device, report *out)
{
    const transform_settings *t = &s->transform;
    argand_status status = ARGAND_OK;
    for (int i = 0; i < t->name_count && status == ARGAND_OK; i++) {
        report_progress(out, s->plans++, t->name_count);
        report_where(out, "%s", t->names[i]);
        status = transform_is_size(t->names[i])
                     ? compile(t, t->names[i], device)
                     : report_error(ARGAND_ARGUMENT, "%s: give sizes, like 256x256", t->names[i]);
        if (status == ARGAND_OK && interrupted()) status = ARGAND_STOPPED;
    }
    return status;
}

/* Prints the contents of the folder, with the kernels of earlier calls. */
static argand_status print_result(const kernels_settings *s, const argand_device_info *device, report *out)
{
    argand_cache_info info;
    char folder[8300];
    const argand_status status = argand_kernels_describe(&info);
    if (status != ARGAND_OK) return status;
    if (!s->transform.common.json)
        print("%s: %lld kernel%s, %.1f MB", info.folder, (long long)info.files, plural_s(info.files),
              1e-6 * (double)info.bytes);
    if (!s->transform.common.json && device)
        print("; %d plan%s for %s", s->plans, plural_s(s->plans), device->name);
    if (!s->transform.common.json) print("\n");
    report_result(out, "\"folder\":%s,\"kernels\":%lld,\"bytes\":%lld,\"plans\":%d",
                  json_string(folder, sizeof folder, info.folder), (long long)info.files,
                  (long long)info.bytes, s->plans);
    return ARGAND_OK;
}

/* Chooses the folder. Kernels are also looked for there, so that existing ones are not compiled again. */
static argand_status choose_folder(const kernels_settings *s, argand_cache_info *info)
{
    if (s->out && !*s->out) return report_error(ARGAND_ARGUMENT, "--out: give the name of a folder");
    if (s->out && setenv("ARGAND_KERNELS", s->out, 1))
        return report_error(ARGAND_MEMORY, "no memory for --out");
    const argand_status status = argand_kernels_describe(info);
    if (status != ARGAND_OK) return status;
    if (!info->is_on)
        return report_error(ARGAND_ARGUMENT, "ARGAND_KERNELS is off: give --out the name of a folder");
    if (!info->is_writable)
        return report_error(ARGAND_FILE, "%s: cannot be written; give --out another folder", info->folder);
    return ARGAND_OK;
}

static argand_status compile_all(kernels_settings *s, argand_device *device, const char *folder, report *out)
{
    argand_status status = argand_device_keep_kernels(device, folder);
    if (status != ARGAND_OK) return status;
    report_stage(out, "compiling");
    status = s->cold                   ? cold_kernels(&s->plans, device, argand_device_threads(device), out)
             : s->transform.name_count ? compile_given(s, device, out)
                                       : compile_known(s, device, out);
    if (status == ARGAND_OK) report_progress(out, s->plans, s->plans);
    report_stage_end(out);
    return status;
}

/* Opens the device. What cold plans begin with is rehearsed. */
static argand_status open_device(kernels_settings *s, argand_device **device)
{
    if (!s->cold) return common_open(&s->transform.common, device);
    if (s->transform.name_count)
        return report_error(ARGAND_ARGUMENT, "--cold is for plans of all sizes: give no sizes");
    if (strncmp(s->transform.common.device, "offline:", 8))
        return report_error(ARGAND_ARGUMENT,
                            "--cold: give --device offline:h200 or another offline chip, not %s",
                            s->transform.common.device);
    if (setenv("ARGAND_REHEARSE", "first", 1)) return report_error(ARGAND_MEMORY, "no memory for --cold");
    return common_open(&s->transform.common, device);
}

/* Compiles, packs and prints the result. device: NULL to pack alone. */
static argand_status make(kernels_settings *s, argand_device *device, const argand_cache_info *folder,
                          report *out)
{
    argand_device_info info;
    argand_status status = device ? argand_device_describe(device, &info) : ARGAND_OK;
    if (status == ARGAND_OK && device) status = compile_all(s, device, folder->folder, out);
    if (status == ARGAND_OK && s->pack) status = argand_kernels_pack(folder->folder);
    return status == ARGAND_OK ? print_result(s, device ? &info : NULL, out) : status;
}

static bool parse(kernels_settings *settings, int argc, char **argv, int *exit_code)
{
    transform_settings *s = &settings->transform;
    const option options[] = {
        text_option("out", 'o', &settings->out, "FOLDER", "folder to write to; existing files are kept"),
        int_option("batch", 0, &s->batch, "B", 1, 1e9, "number of transforms in one call"),
        flag_option(
            "pack", 0, &settings->pack,
            "pack the kernels of the folder into one compressed archive, and remove their files; without "
            "sizes, compile nothing"),
        flag_option("cold", 0, &settings->cold,
                    "compile the kernels with which FFTs and NUFFTs of any size begin; without sizes"),
        flag_option("real", 0, &s->real,
                    "transform real numbers to half of their spectrum, or back with --inverse"),
        flag_option("centred", 'c', &s->centred,
                    "put index 0 at the centre, floor(N/2), of input and output"),
        choice_option("scale", 0, &s->scale, "NAME", "none|inverse|unitary",
                      "scaling. inverse: 1/N on the inverse; unitary: 1/sqrt(N) on both"),
        choice_option("precision", 0, &s->precision, "NAME", "auto|single|double",
                      "precision; auto means single"),
        text_option("device", 0, &s->common.device, "NAME",
                    "compile for this chip (offline:h200, h100, a100, b200, rtx5090) or GPU (cuda:0)"),
        COMMON_OPTIONS_BUT_DEVICE(s->common),
    };
    command_line line = {.usage = "argand kernels [SIZE...] [--out FOLDER] [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .positional_most = TRANSFORM_NAMES,
                         .positional = s->names};
    const bool go_on = command_parse(&line, argc, argv, exit_code);
    s->name_count = line.positional_count;
    return go_on;
}

static int run(int argc, char **argv)
{
    kernels_settings s = {.transform = {.batch = 1, .common = {.device = "offline:h200"}}};
    int exit_code;
    report out;
    argand_device *device = NULL;
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "kernels", &s.transform.common);
    interrupt_watch();
    argand_cache_info folder;
    argand_status status = choose_folder(&s, &folder);
    if (status == ARGAND_OK && (!s.pack || s.cold || s.transform.name_count))
        status = open_device(&s, &device);
    if (status == ARGAND_OK) status = make(&s, device, &folder, &out);
    argand_device_close(device);
    return status == ARGAND_OK ? 0 : report_failure(&out, status);
}

const command command_kernels = {
    .name = "kernels", .summary = "compile GPU kernels ahead of time", .run = run};
