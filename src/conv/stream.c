/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolves signals that arrive block by block (overlap-save). A plan of `valid` mode convolves the last
 * kernel - 1 elements of the previous blocks together with the new block. These elements are copied
 * between two buffers. */
#include "conv/plan.h"

#include "base/given.h"
#include "base/memory.h"

struct argand_conv_stream {
    argand_conv *inner;
    argand_array *history[2]; /* {kernel - 1 + block, channels} */
    int64_t block, kept, channels;
    int now;
};

static argand_status check(const argand_conv_options *o)
{
    CHECK(o->rank == 1 && o->batch <= 1, ARGAND_ARGUMENT,
          "argand_conv_stream_create: rank is %d and batch is %lld; a stream needs rank 1 and batch 0 or 1",
          o->rank, (long long)o->batch);
    CHECK(o->n[0] >= 1 && o->kernel[0] >= 1 && o->n[0] < INT64_MAX / 1024 && o->kernel[0] < INT64_MAX / 1024,
          ARGAND_ARGUMENT,
          "argand_conv_stream_create: the block has %lld elements and the kernel %lld; both must be 1 or "
          "more and fit in memory",
          (long long)o->n[0], (long long)o->kernel[0]);
    CHECK((!o->in_type || o->in_type == o->type) && (!o->out_type || o->out_type == o->type) && !o->memory,
          ARGAND_UNSUPPORTED,
          "argand_conv_stream_create: a stream supports neither storage types nor a memory limit; leave "
          "in_type, out_type and memory 0");
    return ARGAND_OK;
}

static argand_status fill(argand_conv_stream *s, argand_device *device, const argand_conv_options *options)
{
    argand_conv_options o = *options;
    s->block = o.n[0];
    s->kept = o.kernel[0] - 1;
    s->channels = o.channels ? o.channels : 1;
    o.n[0] = s->block + s->kept;
    o.mode = ARGAND_CONV_VALID;
    TRY(argand_conv_create(&s->inner, device, &o));
    const int64_t planar[2] = {o.n[0], s->channels}, interleaved[2] = {s->channels, o.n[0]};
    for (int i = 0; i < 2; i++)
        TRY(argand_array_create(&s->history[i], device, o.type, 2, o.interleaved ? interleaved : planar));
    return ARGAND_OK;
}

argand_status argand_conv_stream_create(argand_conv_stream **stream, argand_device *device,
                                        const argand_conv_options *options)
{
    argand_conv_stream *s;
    if (stream) *stream = NULL;
    TRY(check_given("argand_conv_stream_create", stream, device, options));
    TRY(check(options));
    TRY(NEW(s, 1));
    const argand_status status = fill(s, device, options);
    if (status == ARGAND_OK)
        *stream = s;
    else
        argand_conv_stream_destroy(s);
    return status;
}

argand_status argand_conv_stream_set_kernel(argand_conv_stream *s, const argand_array *kernel)
{
    CHECK(s && kernel, ARGAND_ARGUMENT, "argand_conv_stream_set_kernel: no %s given",
          s ? "kernel" : "stream");
    return argand_conv_set_kernel(s->inner, kernel);
}

static argand_status copy_part(argand_array *to, int64_t to_at, const argand_array *from, int64_t from_at,
                               int64_t count, int axis)
{
    argand_array *y, *x;
    TRY(argand_array_part(&y, to, axis, to_at, count));
    argand_status status = argand_array_part(&x, from, axis, from_at, count);
    if (status == ARGAND_OK) {
        status = argand_array_copy(y, x);
        argand_array_destroy(x);
    }
    argand_array_destroy(y);
    return status;
}

static argand_status check_block(const argand_conv_stream *s, const argand_array *block, const char *name)
{
    const int axis = s->inner->options.interleaved ? 1 : 0;
    CHECK(argand_array_dim(block, axis) == s->block && argand_array_dim(block, 1 - axis) == s->channels &&
              argand_array_count(block) == s->block * s->channels,
          ARGAND_ARGUMENT, "argand_conv_stream_push: the %s is %lld x %lld, but blocks are %lld x %lld", name,
          (long long)argand_array_dim(block, 0), (long long)argand_array_dim(block, 1),
          (long long)(axis ? s->channels : s->block), (long long)(axis ? s->block : s->channels));
    CHECK(argand_array_device(block) == s->inner->device && block->type == s->inner->options.type,
          ARGAND_ARGUMENT,
          "argand_conv_stream_push: the %s must have the stream's type and lie on the stream's device", name);
    return ARGAND_OK;
}

/* Returns a view {block, channels}; a block of one channel may lack the second dimension. */
static argand_array with_channels(const argand_array *block)
{
    argand_array view = *block;
    for (int d = view.rank; d < 2; d++) {
        view.dims[d] = 1;
        view.strides[d] = 0;
    }
    view.rank = 2;
    return view;
}

argand_status argand_conv_stream_push(argand_conv_stream *s, argand_array *out, const argand_array *in)
{
    CHECK(s && out && in, ARGAND_ARGUMENT, "argand_conv_stream_push: no %s given",
          !s     ? "stream"
          : !out ? "output"
                 : "input");
    TRY(check_block(s, out, "output"));
    TRY(check_block(s, in, "input"));
    const int axis = s->inner->options.interleaved ? 1 : 0;
    argand_array *const now = s->history[s->now], *const next = s->history[1 - s->now];
    const argand_array block = with_channels(in);
    TRY(copy_part(now, s->kept, &block, 0, s->block, axis));
    TRY(argand_conv_apply(s->inner, out, now));
    if (s->kept) TRY(copy_part(next, 0, now, s->block, s->kept, axis));
    s->now = 1 - s->now;
    return ARGAND_OK;
}

argand_status argand_conv_stream_reset(argand_conv_stream *s)
{
    CHECK(s, ARGAND_ARGUMENT, "argand_conv_stream_reset: no stream given");
    return argand_array_fill(s->history[s->now], (argand_scalar){0, 0});
}

void argand_conv_stream_destroy(argand_conv_stream *s)
{
    if (!s) return;
    argand_conv_destroy(s->inner);
    for (int i = 0; i < 2; i++) argand_array_destroy(s->history[i]);
    memory_free(s);
}
