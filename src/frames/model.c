/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoding operator of a frame. Its plans, maps and memory stay; points and samples change. */
#include "frames/frames.h"

#include "base/memory.h"
#include "device/device.h"

static argand_status repeat_times(argand_array **t, const argand_frames *f, int64_t readouts)
{
    const int64_t samples = f->options.samples, points = samples * readouts;
    double *all;
    TRY(NEW(all, points));
    for (int64_t i = 0; i < points; i++) all[i] = f->times[i % samples];
    argand_status status = argand_array_create(t, f->host, ARGAND_R64, 1, &points);
    if (status == ARGAND_OK) status = argand_array_upload(*t, all);
    memory_free(all);
    return status;
}

/* Takes the plan, also on failure. */
static argand_status segmented(argand_op **op, argand_frames *f, argand_nufft *plan, int64_t readouts)
{
    argand_array *t = NULL;
    argand_segments *segments = NULL;
    argand_status status = repeat_times(&t, f, readouts);
    if (status == ARGAND_OK)
        status = argand_segments_create(
            &segments, f->device,
            &(argand_segments_options){.type = ARGAND_C32, .t = t, .field_map = f->field_map});
    if (status == ARGAND_OK)
        status = argand_op_segmented(op, f->device, plan, segments, f->options.coils);
    else
        argand_nufft_destroy(plan);
    argand_segments_info info;
    argand_segments_describe(segments, &info);
    f->terms = info.terms;
    argand_segments_destroy(segments);
    argand_array_destroy(t);
    return status;
}

static argand_status create_op(frames_model *m, argand_frames *f)
{
    const argand_frames_options *o = &f->options;
    const argand_nufft_options options = {.type = ARGAND_C32,
                                          .rank = 2,
                                          .n = {o->n[0], o->n[1]},
                                          .tolerance = o->tolerance,
                                          .window_only = true,
                                          .wait_for_kernels = true};
    argand_op *transform = NULL;
    argand_status status;
    TRY(argand_nufft_create(&m->plan, f->device, &options));
    status = argand_nufft_set_points(m->plan, m->k); /* operators know the number of points */
    if (status != ARGAND_OK) {
        argand_nufft_destroy(m->plan);
        return status;
    }
    if (f->field_map)
        status = segmented(&transform, f, m->plan, m->readouts);
    else
        status = argand_op_nufft(&transform, f->device, m->plan, o->coils);
    if (status == ARGAND_OK) status = argand_op_sense(&m->op, transform, f->maps);
    argand_op_destroy(transform);
    return status;
}

argand_status frames_model_weigh(frames_model *m, const argand_frames *f)
{
    const int64_t samples = f->options.samples;
    float *all;
    TRY(NEW(all, m->points));
    for (int64_t i = 0; i < m->points; i++) all[i] = f->sample_weights[i % samples];
    const argand_status status = argand_array_upload(m->weight, all);
    memory_free(all);
    return status;
}

static argand_status create_weights(frames_model *m, const argand_frames *f)
{
    TRY(argand_array_create(&m->weight, f->device, ARGAND_R32, 1, &m->points));
    TRY(frames_model_weigh(m, f));
    return argand_array_view(&m->weights, m->weight, 2, (int64_t[]){m->points, f->options.coils},
                             (int64_t[]){1, 0}, 0);
}

argand_status frames_model_create(frames_model *m, argand_frames *f, int64_t windows)
{
    const int64_t readouts = windows * f->options.window, points = readouts * f->options.samples,
                  dims[2] = {points, f->options.coils};
    *m = (frames_model){.readouts = readouts, .points = points};
    for (int axis = 0; axis < 2; axis++)
        TRY(argand_array_create(&m->k[axis], f->device, ARGAND_R32, 1, &points));
    argand_array **const arrays[] = {&m->data, &m->product, &m->weighted};
    for (int i = 0; i < 3; i++) TRY(argand_array_create(arrays[i], f->device, ARGAND_C32, 2, dims));
    TRY(create_weights(m, f));
    return create_op(m, f);
}

void frames_model_free(frames_model *m)
{
    device_graph_free(m->graph);
    argand_op_destroy(m->op);
    argand_array_destroy(m->weights);
    argand_array_destroy(m->weight);
    argand_array_destroy(m->weighted);
    argand_array_destroy(m->product);
    argand_array_destroy(m->data);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(m->k[axis]);
    *m = (frames_model){0};
}
