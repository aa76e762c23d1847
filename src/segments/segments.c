/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates, describes and destroys segments (argand/segments.h). */
#include "segments/segments.h"

#include "base/plain.h"
#include "segments/table.h"

static void describe(argand_segments_info *info, const problem *p, const design *d, int optimum)
{
    *info = (argand_segments_info){.type = p->options.type,
                                   .interpolator = d->interpolator,
                                   .frequency = d->frequency,
                                   .terms = d->terms,
                                   .optimum = optimum,
                                   .samples = p->samples,
                                   .pixels = p->pixels,
                                   .inside = p->inside,
                                   .tolerance = p->options.count           ? 0
                                                : p->options.tolerance > 0 ? p->options.tolerance
                                                                           : 1e-3,
                                   .error = d->error,
                                   .largest = d->largest,
                                   .cycles = p->turns,
                                   .bytes = (size_t)(p->samples + p->pixels) * (size_t)d->terms *
                                            argand_type_size(p->options.type)};
}

static argand_status make(argand_segments *s, argand_device *device, problem *p)
{
    design d;
    int optimum;
    TRY(segments_choose(&d, p, &optimum));
    argand_status status = table_of_time(&s->time, device, p, &d.time, false);
    if (status == ARGAND_OK) status = table_of_space(&s->space, device, p, &d.space);
    if (status == ARGAND_OK) describe(&s->info, p, &d, optimum);
    design_release(&d);
    return status;
}

argand_status argand_segments_create(argand_segments **segments, argand_device *device,
                                     const argand_segments_options *options)
{
    problem p;
    argand_segments *s;
    if (segments) *segments = NULL;
    CHECK(segments && device, ARGAND_ARGUMENT, "segments: no %s", device ? "place for them" : "device");
    TRY(problem_read(&p, options));
    argand_status status = NEW(s, 1);
    if (status == ARGAND_OK) {
        status = make(s, device, &p);
        if (status == ARGAND_OK)
            *segments = s;
        else
            argand_segments_destroy(s);
    }
    problem_release(&p);
    return status;
}

const argand_array *argand_segments_time(const argand_segments *segments)
{
    return segments ? segments->time : NULL;
}

const argand_array *argand_segments_space(const argand_segments *segments)
{
    return segments ? segments->space : NULL;
}

void argand_segments_describe(const argand_segments *segments, argand_segments_info *info)
{
    if (info) *info = segments ? segments->info : (argand_segments_info){0};
}

void argand_segments_print(const argand_segments *segments, char *text, size_t size)
{
    if (text && size) *text = 0;
    if (!segments || !text) return;
    const argand_segments_info *i = &segments->info;
    if (i->interpolator == ARGAND_INTERPOLATE_SVD)
        plain_print(text, size, "(segments %d by SVD, error %.1e)", i->terms, i->error);
    else
        plain_print(text, size, "(segments %d of %s by %s, error %.1e)", i->terms,
                    i->frequency ? "frequency" : "time", argand_interpolator_name(i->interpolator), i->error);
}

void argand_segments_destroy(argand_segments *segments)
{
    if (!segments) return;
    argand_array_destroy(segments->time);
    argand_array_destroy(segments->space);
    memory_free(segments);
}
