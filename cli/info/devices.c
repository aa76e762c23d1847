/* SPDX-License-Identifier: BSD-3-Clause */
/* argand devices: lists the devices of this machine, and why one cannot be used. */
#include "common/report.h"
#include "common/system.h"

#include <stdio.h>
#include <string.h>

/* Writes the name that --device takes: "cpu" if there is one, "cuda:1" if there may be several. */
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
    print_json_line(
        "{\"event\":\"device\",\"device\":\"%s\",\"backend\":\"%s\",\"name\":%s,\"detail\":%s,\"memory\":%"
        "llu,"
        "\"units\":%d,\"double\":%s,\"capability\":%d}",
        name, info->backend, json_string(maker, sizeof maker, info->name),
        json_string(detail, sizeof detail, info->detail), (unsigned long long)info->memory, info->units,
        info->has_double ? "true" : "false", info->capability);
}

static const char *units_of(const argand_device_info *info)
{
    if (!strcmp(info->backend, "cpu")) return info->units == 1 ? "thread" : "threads";
    return !strcmp(info->backend, "cuda") ? "multiprocessors" : "compute units";
}

static void print_device(const char *name, const argand_device_info *info)
{
    print("%-10s %s\n", name, info->name);
    print("%-10s %d %s, %.1f GB memory, %s%s\n", "", info->units, units_of(info), (double)info->memory / 1e9,
          info->detail, info->has_double ? "" : ", single precision only");
}

static void print_unusable(const char *name, const char *reason, bool json)
{
    char quoted[2200];
    if (json)
        print_json_line("{\"event\":\"unusable\",\"device\":\"%s\",\"reason\":%s}", name,
                        json_string(quoted, sizeof quoted, reason));
    else
        print("%-10s cannot be used: %s\n", name, reason);
}

/* Builds and runs a kernel, because a listed device may have a compiler that fails. */
static argand_status try_kernel(argand_device *device)
{
    float numbers[4] = {1, 2, 3, 4};
    argand_array *a = NULL;
    const argand_scalar two = {2, 0}, one = {1, 0};
    argand_status status = argand_array_create(&a, device, ARGAND_R32, 1, (const int64_t[]){4});
    if (status == ARGAND_OK) status = argand_array_upload(a, numbers);
    if (status == ARGAND_OK) status = argand_array_axpby(a, two, a, one);
    if (status == ARGAND_OK) status = argand_array_download(a, numbers);
    argand_array_destroy(a);
    return status;
}

/* Prints a device. Returns true if it works. */
static bool show_device(const char *name, bool json)
{
    argand_device *device;
    argand_device_info info;
    argand_status status = argand_device_open(&device, name);
    if (status == ARGAND_OK) {
        status = argand_device_describe(device, &info);
        if (status == ARGAND_OK) status = try_kernel(device);
        argand_device_close(device);
    }
    if (status != ARGAND_OK)
        print_unusable(name, argand_message(), json);
    else if (json)
        print_json(name, &info);
    else
        print_device(name, &info);
    return status == ARGAND_OK;
}

/* Prints the devices of a backend. Returns the number that work. */
static int show_backend(int backend, bool json)
{
    const char *label, *reason = "";
    int count, usable = 0;
    const argand_status status = argand_backend_describe(backend, &label, &count, &reason);
    if (status != ARGAND_OK)
        print_unusable(label, argand_message(), json);
    else if (count < 1 || *reason) /* a device may be present without its compiler */
        print_unusable(label, reason, json);
    for (int i = 0; status == ARGAND_OK && i < count; i++) {
        char name[64];
        name_device(name, sizeof name, label, i, count);
        usable += show_device(name, json) && !*reason;
    }
    return usable;
}

/* Prints where built kernels are kept. */
static argand_status show_cache(bool json)
{
    char folder[8300];
    argand_cache_info cache;
    const argand_status status = argand_cache_describe(&cache);
    if (status != ARGAND_OK) return status;
    if (json)
        print_json_line(
            "{\"event\":\"cache\",\"on\":%s,\"folder\":%s,\"writable\":%s,\"files\":%lld,\"bytes\":%lld}",
            cache.is_on ? "true" : "false", json_string(folder, sizeof folder, cache.folder),
            cache.is_writable ? "true" : "false", (long long)cache.files, (long long)cache.bytes);
    else if (!cache.is_on)
        print("%-10s built kernels are not kept (ARGAND_CACHE is off, or there is no home folder)\n",
              "cache");
    else
        print("%-10s %s: %lld built kernels, %.1f MB%s\n", "cache", cache.folder, (long long)cache.files,
              (double)cache.bytes * 1e-6,
              cache.is_writable ? "" : "; it cannot be written, so none are added");
    return ARGAND_OK;
}

/* Prints the kernels that came with the library, if any. */
static argand_status show_kernels(bool json)
{
    char folder[8300];
    argand_cache_info kernels;
    const argand_status status = argand_kernels_describe(&kernels);
    if (status != ARGAND_OK || !kernels.files) return status;
    if (json)
        print_json_line("{\"event\":\"kernels\",\"folder\":%s,\"files\":%lld,\"bytes\":%lld}",
                        json_string(folder, sizeof folder, kernels.folder), (long long)kernels.files,
                        (long long)kernels.bytes);
    else
        print("%-10s %s: %lld compiled offline, %.1f MB\n", "kernels", kernels.folder,
              (long long)kernels.files, (double)kernels.bytes * 1e-6);
    return ARGAND_OK;
}

/* Prints which protection this system lacks against malicious files, if any. */
static void show_protection(bool json)
{
    char text[512];
    const char *missing = system_missing_protection();
    if (missing && json)
        print_json_line("{\"event\":\"reader\",\"reason\":%s}", json_string(text, sizeof text, missing));
    else if (missing)
        print("%-10s %s\n", "reader", missing);
}

static int run(int argc, char **argv)
{
    common_options common = {0};
    const option options[] = {
        flag_option("json", 0, &common.json, "write events to standard output, one JSON object per line"),
    };
    command_line line = {
        .usage = "argand devices [--json]",
        .description = "Lists the devices of this machine by the names that --device takes. Each device "
                       "compiles and runs a small kernel; if that\n"
                       "fails, the reason is printed. Without --device, commands use the device that the "
                       "environment variable ARGAND_DEVICE\n"
                       "names, otherwise the first of this list. ARGAND_CPU=baseline or avx2 restricts the "
                       "CPU to older instructions.\n"
                       "ARGAND_CACHE names the folder that keeps compiled GPU kernels; ARGAND_CACHE=off "
                       "keeps none. Kernels compiled ahead of\n"
                       "time (argand kernels) are read from the folder that ARGAND_KERNELS names.",
        .examples = "  argand devices\n"
                    "  argand devices --json | grep '\"event\":\"device\"'\n",
        OPTION_TABLE(options),
    };
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    report out;
    report_begin(&out, "devices", &common);
    int usable = 0;
    for (int i = 0; i < argand_backend_count(); i++) usable += show_backend(i, common.json);
    argand_status status = show_cache(common.json);
    if (status == ARGAND_OK) status = show_kernels(common.json);
    show_protection(common.json);
    if (status != ARGAND_OK) return report_failure(&out, status);
    report_result(&out, "\"devices\":%d", usable);
    return usable ? 0
                  : report_failure(
                        &out, report_error(ARGAND_DEVICE, "no device can compute; see the reasons above"));
}

const command command_devices = {
    .name = "devices", .summary = "list the devices of this machine", .run = run};
