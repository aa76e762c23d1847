/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a model on a batch of images: tensors of the host's memory in, the result copied over the images. */
#include "denoise/onnx.h"

#include <string.h>
#include "base/memory.h"
#include "base/size.h"

typedef struct tensors {
    float *levels;
    void *image, *level, *result;
} tensors;

/* Sets the tensor's shape for a batch: axes that are not fixed get the batch's numbers. */
static argand_status shape_of(const onnx_model *m, const onnx_batch *b, const onnx_tensor *t, int channels,
                              int64_t *dims, int64_t *count)
{
    for (int i = 0; i < t->rank; i++) {
        const int64_t wanted = i == 0 ? b->count : i == 1 ? channels : b->sizes[t->rank - 1 - i];
        dims[i] = t->dims[i] > 0 ? t->dims[i] : wanted;
        const bool is_one_value = t == &m->level && dims[i] == 1;
        CHECK(dims[i] == wanted || is_one_value, ARGAND_ARGUMENT,
              "%s: \"%s\" has %lld along axis %d, where the image has %lld: give the image the model's size "
              "(--matrix), or export the model with free axes",
              m->path, t->name, (long long)dims[i], i, (long long)wanted);
    }
    CHECK(size_of_shape(count, dims, t->rank), ARGAND_ARGUMENT, "%s: images that are too large", m->path);
    return ARGAND_OK;
}

static argand_status make_tensor(const onnx_model *m, float *data, const int64_t *dims, int rank,
                                 int64_t count, void **value)
{
    const onnx_library *o = m->library;
    return onnx_check(o,
                      o->create_tensor(m->memory, data, (size_t)count * sizeof *data, dims, (size_t)rank,
                                       ONNX_FLOAT, value),
                      ARGAND_MEMORY, m->path);
}

static argand_status make_inputs(const onnx_model *m, const onnx_batch *b, tensors *t)
{
    int64_t dims[ONNX_MOST_RANK], count;
    TRY(shape_of(m, b, &m->image, m->channels + m->has_map, dims, &count));
    TRY(make_tensor(m, b->images, dims, m->image.rank, count, &t->image));
    if (!m->level.name) return ARGAND_OK;
    TRY(shape_of(m, b, &m->level, 1, dims, &count));
    TRY(memory_new(&t->levels, (size_t)count, sizeof *t->levels));
    for (int64_t i = 0; i < count; i++) t->levels[i] = b->level;
    return make_tensor(m, t->levels, dims, m->level.rank, count, &t->level);
}

/* Checks the size of the result, and copies it. A wrong size is ARGAND_FORMAT: the model may take others. */
static argand_status take_result(const onnx_model *m, const onnx_batch *b, void *result)
{
    const onnx_library *o = m->library;
    void *shape, *data;
    size_t rank;
    int64_t dims[ONNX_MOST_RANK] = {0}, count = b->count * m->channels;
    bool fits;
    TRY(onnx_check(o, o->value_shape(result, &shape), ARGAND_FORMAT, m->path));
    argand_status status = onnx_check(o, o->rank(shape, &rank), ARGAND_FORMAT, m->path);
    fits = status == ARGAND_OK && (int)rank == m->image.rank;
    if (fits) status = onnx_check(o, o->dimensions(shape, dims, rank), ARGAND_FORMAT, m->path);
    o->release_shape(shape);
    TRY(status);
    fits = fits && dims[0] == b->count && dims[1] == m->channels;
    for (int axis = 0; axis < m->axes; axis++) {
        fits = fits && dims[m->image.rank - 1 - axis] == b->sizes[axis];
        count *= b->sizes[axis];
    }
    CHECK(fits, ARGAND_FORMAT, "%s: the model's output has another size than its input", m->path);
    TRY(onnx_check(o, o->tensor_data(result, &data), ARGAND_FORMAT, m->path));
    memcpy(b->images, data, (size_t)count * sizeof *b->images);
    return ARGAND_OK;
}

argand_status model_run(const onnx_model *m, const onnx_batch *b)
{
    const onnx_library *o = m->library;
    tensors t = {0};
    argand_status status;
    TRY_OR_DONE(make_inputs(m, b, &t));
    const char *const inputs[] = {m->image.name, m->level.name};
    const void *const values[] = {t.image, t.level};
    const char *const outputs[] = {m->result.name};
    TRY_OR_DONE(
        onnx_check(o, o->run(m->session, NULL, inputs, values, m->level.name ? 2 : 1, outputs, 1, &t.result),
                   ARGAND_FORMAT, m->path));
    status = take_result(m, b, t.result);
done:
    if (t.result) o->release_value(t.result);
    if (t.level) o->release_value(t.level);
    if (t.image) o->release_value(t.image);
    memory_free(t.levels);
    return status;
}
