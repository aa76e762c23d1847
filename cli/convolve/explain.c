/* SPDX-License-Identifier: BSD-3-Clause */
/* What a convolution will do: --explain. */
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
