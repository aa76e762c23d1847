/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes what a convolution will do (--explain), and notes what cost time or changed the result. */
#include "convolve/filter.h"

#include <stdio.h>
#include <string.h>

void filter_explain(const filter_job *job, const filter_engine *engine)
{
    argand_conv_info info;
    char plan[600], description[200], method[1300], text[2000];
    engine_describe(engine, &info);
    engine_print(engine, plan, sizeof plan);
    if (job->s->common.json) {
        print_json_line(
            "{\"event\":\"plan\",\"kernel\":%s,\"plan\":%s,\"method\":\"%s\",\"padded\":[%lld,%lld],"
            "\"bands\":%lld,\"bytes\":%zu}",
            json_string(description, sizeof description, job->kernel.description),
            json_string(method, sizeof method, plan), info.method ? info.method : "",
            (long long)info.padded[0], (long long)info.padded[1], (long long)job->bands, info.bytes);
        return;
    }
    print("picture  %lld x %lld, %d of %d channels\n", (long long)job->source.info.width,
          (long long)job->source.info.height, job->lights, job->source.info.channels);
    print("kernel   %lld x %lld, %d channel%s, centre (%lld, %lld)%s%s\n", (long long)job->kernel.width,
          (long long)job->kernel.height, job->kernel.channels, job->kernel.channels > 1 ? "s" : "",
          (long long)job->kernel.centre[0], (long long)job->kernel.centre[1],
          job->kernel.description[0] ? ": " : "", job->kernel.description);
    if (info.padded[0] > 0)
        print("padding  %lld x %lld -> %lld x %lld points\n", (long long)info.n[0], (long long)info.n[1],
              (long long)info.padded[0], (long long)info.padded[1]);
    if (job->bands) print("bands    %lld\n", (long long)job->bands);
    if (engine->conv)
        print("plan     %s, %.1f MB\n", info.method ? info.method : "", (double)info.bytes / 1e6);
    engine_explain(engine, text, sizeof text);
    print_text(stdout, text);
    if (*text && text[strlen(text) - 1] != '\n') print("\n");
}

void filter_note_range(report *out, const char *input, int64_t wide, bool is_double)
{
    if (!wide) return;
    report_note(out,
                is_double
                    ? "%s has a high dynamic range: its layers of brightness were convolved one by one, "
                      "which takes 5 to 9 times as long (--dynamic-range narrow: all at once)"
                    : "%s has a high dynamic range or regions of 0: it was convolved in double precision, "
                      "which takes 2 to 3 times as long (--dynamic-range narrow: single precision)",
                input);
}

argand_status filter_note_noise(report *out, const argand_array *kernel, const argand_deconv_options *options)
{
    const double asked = options->noise > 0 ? options->noise : 1e-3;
    double noise;
    if (options->method != ARGAND_DECONV_WIENER) return ARGAND_OK;
    TRY(argand_deconv_noise(&noise, argand_array_device(kernel), kernel, options));
    if (noise > asked)
        report_note(out,
                    "--noise %.3g is raised to %.3g: less noise would magnify the errors of borders and "
                    "rounding beyond the picture itself (--exact-noise keeps it)",
                    asked, noise);
    return ARGAND_OK;
}
