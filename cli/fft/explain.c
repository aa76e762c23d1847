/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a plan pass by pass, and the candidates among which it was chosen. */
#include "fft/transform.h"

#include <stdio.h>
#include <string.h>

static const char *bytes_text(char *text, size_t size, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    for (; bytes >= 9999.5 && unit < 4; unit++) bytes /= 1000;
    snprintf(text, size, "%.0f %s", bytes, units[unit]);
    return text;
}

static const char *seconds_text(char *text, size_t size, double seconds)
{
    if (!(seconds > 0))
        snprintf(text, size, "-");
    else if (seconds < 1e-3)
        snprintf(text, size, "%.2f us", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(text, size, "%.3f ms", 1e3 * seconds);
    else
        snprintf(text, size, "%.3f s", seconds);
    return text;
}

static const char *count_text(char *text, size_t size, int64_t count)
{
    if (count > 0)
        snprintf(text, size, "%lld", (long long)count);
    else
        snprintf(text, size, "-");
    return text;
}

static void print_pass(const argand_fft_pass *p)
{
    char axis[16], lines[32], length[32], read[32], written[32], time[32], segment[32];
    const int64_t least = !p->read_segment                     ? p->write_segment
                          : !p->write_segment                  ? p->read_segment
                          : p->read_segment < p->write_segment ? p->read_segment
                                                               : p->write_segment;
    snprintf(axis, sizeof axis, p->axis < 0 ? "-" : "%d", p->axis);
    printf("  %-30s %4s %9s %11s  %-14s %9s %9s %8s %11s\n", p->what, axis,
           count_text(length, sizeof length, p->length), count_text(lines, sizeof lines, p->lines),
           p->radices[0] ? p->radices : "-", bytes_text(read, sizeof read, (double)p->read_bytes),
           bytes_text(written, sizeof written, (double)p->write_bytes),
           least ? bytes_text(segment, sizeof segment, (double)least) : "all",
           seconds_text(time, sizeof time, p->seconds));
    if (p->algorithms[0]) printf("    %s\n", p->algorithms);
}

static void print_pass_json(const argand_fft_pass *p, int index)
{
    char what[128], radices[160], algorithms[1100];
    print_json_line("{\"event\":\"pass\",\"index\":%d,\"what\":%s,\"axis\":%d,\"length\":%lld,\"lines\":%lld,"
                    "\"radices\":%s,"
                    "\"read_bytes\":%lld,\"write_bytes\":%lld,\"read_segment\":%lld,\"write_segment\":%lld,"
                    "\"operations\":%.6g,"
                    "\"predicted\":%.6g,\"algorithms\":%s}",
                    index, json_string(what, sizeof what, p->what), p->axis, (long long)p->length,
                    (long long)p->lines, json_string(radices, sizeof radices, p->radices),
                    (long long)p->read_bytes, (long long)p->write_bytes, (long long)p->read_segment,
                    (long long)p->write_segment, p->operations, p->seconds,
                    json_string(algorithms, sizeof algorithms, p->algorithms));
}

typedef struct totals {
    int passes;
    double bytes, seconds;
} totals;

static argand_status explain_passes(totals *all, const argand_fft *plan, argand_direction direction,
                                    bool json)
{
    *all = (totals){.passes = argand_fft_pass_count(plan, direction)};
    if (!json && all->passes)
        printf("  %-30s %4s %9s %11s  %-14s %9s %9s %8s %11s\n", "pass", "axis", "length", "lines", "radices",
               "read", "written", "together", "predicted");
    for (int i = 0; i < all->passes; i++) {
        argand_fft_pass pass;
        const argand_status status = argand_fft_pass_describe(plan, direction, i, &pass);
        if (status != ARGAND_OK) return status;
        json ? print_pass_json(&pass, i) : print_pass(&pass);
        all->bytes += (double)pass.read_bytes + (double)pass.write_bytes;
        all->seconds += pass.seconds;
    }
    return ARGAND_OK;
}

static void print_candidate(const argand_fft_candidate *c)
{
    char name[256], predicted[32], measured[32];
    snprintf(name, sizeof name, "%s%s%s", c->engine, c->variant[0] ? " " : "", c->variant);
    printf("  %s %-28s %11s %11s  %s\n",
           c->taken           ? ">"
           : c->taken_inverse ? "<"
           : c->possible      ? " "
                              : "x",
           name, seconds_text(predicted, sizeof predicted, c->predicted),
           seconds_text(measured, sizeof measured, c->measured), c->reason);
}

static void print_candidate_json(const argand_fft_candidate *c)
{
    char variant[240], reason[480];
    print_json_line("{\"event\":\"candidate\",\"engine\":\"%s\",\"variant\":%s,\"possible\":%s,\"taken\":%s,"
                    "\"taken_inverse\":%s,\"predicted\":%.6g,\"measured\":%.6g,\"measured_inverse\":%.6g,"
                    "\"reason\":%s}",
                    c->engine, json_string(variant, sizeof variant, c->variant),
                    c->possible ? "true" : "false", c->taken ? "true" : "false",
                    c->taken_inverse ? "true" : "false", c->predicted, c->measured, c->measured_inverse,
                    json_string(reason, sizeof reason, c->reason));
}

argand_status transform_candidates(argand_fft_candidate *taken, const argand_fft *plan, bool json)
{
    if (!json) printf("  %-30s %11s %11s  %s\n", "candidate", "predicted", "measured", "why");
    for (int i = 0; i < argand_fft_candidate_count(plan); i++) {
        argand_fft_candidate c;
        const argand_status status = argand_fft_candidate_describe(plan, i, &c);
        if (status != ARGAND_OK) return status;
        if (c.taken) *taken = c;
        json ? print_candidate_json(&c) : print_candidate(&c);
    }
    return ARGAND_OK;
}

static bool is_smooth(int64_t n)
{
    for (int prime = 2; prime <= 13; prime++)
        while (n % prime == 0) n /= prime;
    return n == 1;
}

static void suggest_lengths(const transform_problem *p, argand_device *device, report *out)
{
    for (int i = 0; i < p->rank; i++) {
        const int64_t n = p->options.n[i];
        if (is_smooth(n)) continue;
        report_note(out,
                    "axis %d: %lld has a prime factor beyond 13; %lld is the next fast length on this device",
                    p->axes[i], (long long)n,
                    (long long)argand_fft_fast_size(device, n, i == 0 && p->options.type <= ARGAND_R64));
    }
}

argand_status transform_explain(const argand_fft *plan, const transform_problem *p,
                                const transform_settings *s, argand_device *device, report *out)
{
    char text[1024], quoted[2100], bytes[32], predicted[32], measured[32], work[32];
    const argand_direction direction = s->inverse ? ARGAND_INVERSE : ARGAND_FORWARD;
    argand_device_info info;
    argand_fft_candidate taken = {0};
    totals all;
    argand_status status = argand_device_describe(device, &info);
    if (status != ARGAND_OK) return status;
    argand_fft_print(plan, text, sizeof text);
    if (!out->json) printf("%s\non %s\n", text, info.name);
    status = explain_passes(&all, plan, direction, out->json);
    if (status == ARGAND_OK) status = transform_candidates(&taken, plan, out->json);
    if (status != ARGAND_OK) return status;
    const int64_t workspace = argand_fft_workspace(plan, direction);
    if (!out->json)
        printf("total: %d pass%s, %s of memory traffic, %s predicted%s%s%s; work memory %s\n", all.passes,
               all.passes == 1 ? "" : "es", bytes_text(bytes, sizeof bytes, all.bytes),
               seconds_text(predicted, sizeof predicted, all.seconds), taken.measured > 0 ? ", " : "",
               taken.measured > 0 ? seconds_text(measured, sizeof measured, taken.measured) : "",
               taken.measured > 0 ? " measured" : "", bytes_text(work, sizeof work, (double)workspace));
    if (!out->json)
        printf("> marks the engine that is used (< for the inverse), x an engine that cannot compute this. A "
               "pass reads and writes\nall data once; together: contiguous bytes in each access; estimated: "
               "seconds for a line by each algorithm\n");
    report_result(out,
                  "\"plan\":%s,\"device\":\"%s\",\"passes\":%d,\"bytes\":%.0f,\"predicted\":%.6g,"
                  "\"measured\":%.6g,\"workspace\":%lld",
                  json_string(quoted, sizeof quoted, text), info.name, all.passes, all.bytes, all.seconds,
                  taken.measured, (long long)workspace);
    fflush(stdout);
    suggest_lengths(p, device, out);
    return ARGAND_OK;
}
