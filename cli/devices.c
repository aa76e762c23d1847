/* SPDX-License-Identifier: BSD-3-Clause */
/* argand devices: what this machine can compute on, and why something cannot be used. */
#include "report.h"

#include <stdio.h>
#include <string.h>

/* "cpu" where there is one, "cuda:1" where there may be more: what --device takes. */
static void name_device(char *name, size_t size, const char *backend, int index, int count)
{
    if (count > 1)
        snprintf(name, size, "%s:%d", backend, index);
    else
        snprintf(name, size, "%s", backend);
}

static void print_json(const char *name, const argand_device_info *info)
{
    char maker[300], detail[600];
    printf("{\"event\":\"device\",\"device\":\"%s\",\"backend\":\"%s\",\"name\":%s,\"detail\":%s,\"memory\":%"
           "llu,"
           "\"units\":%d,\"double\":%s}\n",
           name, info->backend, json_string(maker, sizeof maker, info->name),
           json_string(detail, sizeof detail, info->detail), (unsigned long long)info->memory, info->units,
           info->has_double ? "true" : "false");
}

static void print_words(const char *name, const argand_device_info *info)
{
    printf("%-10s %s\n", name, info->name);
    printf("%-10s %d %s, %.1f GB memory, %s%s\n", "", info->units,
           !strcmp(info->backend, "cpu") ? (info->units == 1 ? "thread" : "threads") : "multiprocessors",
           (double)info->memory / 1e9, info->detail, info->has_double ? "" : ", single precision only");
}

static void print_unusable(const char *name, const char *reason, bool json)
{
    char words[2200];
    if (json)
        printf("{\"event\":\"unusable\",\"device\":\"%s\",\"reason\":%s}\n", name,
               json_string(words, sizeof words, reason));
    else
        printf("%-10s cannot be used: %s\n", name, reason);
}

/* Whether the device works. */
static bool show_device(const char *name, bool json)
{
    argand_device *device;
    argand_device_info info;
    argand_status status = argand_device_open(&device, name);
    if (status == ARGAND_OK) {
        status = argand_device_describe(device, &info);
        argand_device_close(device);
    }
    if (status != ARGAND_OK)
        print_unusable(name, argand_message(), json);
    else if (json)
        print_json(name, &info);
    else
        print_words(name, &info);
    return status == ARGAND_OK;
}

/* How many of the backend's devices work. */
static int show_backend(int backend, bool json)
{
    const char *label, *reason = "";
    int count, usable = 0;
    const argand_status status = argand_backend_describe(backend, &label, &count, &reason);
    if (status != ARGAND_OK || count < 1)
        print_unusable(label, status != ARGAND_OK ? argand_message() : reason, json);
    for (int i = 0; status == ARGAND_OK && i < count; i++) {
        char name[64];
        name_device(name, sizeof name, label, i, count);
        usable += show_device(name, json);
    }
    return usable;
}

static int run(int argc, char **argv)
{
    common_options common = {0};
    const option options[] = {
        {.name = "json",
         .kind = OPTION_FLAG,
         .value = &common.json,
         .help = "one JSON event a line on standard output"},
    };
    command_line line = {
        .usage = "argand devices [--json]",
        .description =
            "Lists what this machine can compute on, by the names that --device takes, and why something\n"
            "cannot be used. Without --device, the environment variable ARGAND_DEVICE is used, and the "
            "first\n"
            "of this list where that is not set. ARGAND_CPU=baseline or avx2 holds the CPU to older "
            "instructions.",
        .examples = "  argand devices\n"
                    "  argand devices --json | grep '\"event\":\"device\"'\n",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    report out;
    report_begin(&out, "devices", &common);
    int usable = 0;
    for (int i = 0; i < argand_backend_count(); i++) usable += show_backend(i, common.json);
    report_result(&out, "\"devices\":%d", usable);
    return usable ? 0 : report_failure(&out, report_error(ARGAND_DEVICE, "there is nothing to compute on"));
}

const command command_devices = {"devices", "list what this machine can compute on", run};
