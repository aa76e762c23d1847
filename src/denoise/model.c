/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a model, reads the shapes of its inputs and output, and finds the sizes of images that it takes. */
#include "denoise/onnx.h"

#include <string.h>
#include <unistd.h>
#include "base/memory.h"

static argand_status make_session(onnx_model *m, int threads)
{
    const onnx_library *o = m->library;
    void *options = NULL;
    argand_status status;
    TRY_OR_DONE(onnx_check(o, o->create_env(ONNX_LOG_FATAL, "argand", &m->env), ARGAND_MEMORY, m->path));
    TRY_OR_DONE(onnx_check(o, o->disable_telemetry(m->env), ARGAND_UNSUPPORTED, m->path));
    TRY_OR_DONE(onnx_check(o, o->create_options(&options), ARGAND_MEMORY, m->path));
    TRY_OR_DONE(onnx_check(o, o->set_log_level(options, ONNX_LOG_FATAL), ARGAND_UNSUPPORTED, m->path));
    TRY_OR_DONE(onnx_check(o, o->set_threads(options, threads), ARGAND_UNSUPPORTED, m->path));
    TRY_OR_DONE(
        onnx_check(o, o->create_session(m->env, m->path, options, &m->session), ARGAND_FORMAT, m->path));
    TRY_OR_DONE(onnx_check(o, o->default_allocator(&m->allocator), ARGAND_MEMORY, m->path));
    status = onnx_check(o, o->create_host_memory(0, 0, &m->memory), ARGAND_MEMORY, m->path);
done:
    if (options) o->release_options(options);
    return status;
}

/* Reads the shape of a tensor's type, which it releases. */
static argand_status read_shape(const onnx_model *m, void *type, onnx_tensor *t)
{
    const onnx_library *o = m->library;
    const void *tensor = NULL;
    int element = 0;
    size_t rank = 0;
    argand_status status;
    TRY_OR_DONE(onnx_check(o, o->cast_to_tensor(type, &tensor), ARGAND_FORMAT, m->path));
    if (tensor) TRY_OR_DONE(onnx_check(o, o->element_type(tensor, &element), ARGAND_FORMAT, m->path));
    CHECK_OR_DONE(element == ONNX_FLOAT, ARGAND_UNSUPPORTED,
                  "%s: \"%s\" is not a tensor of 32-bit floats: export the model in single precision",
                  m->path, t->name);
    TRY_OR_DONE(onnx_check(o, o->rank(tensor, &rank), ARGAND_FORMAT, m->path));
    CHECK_OR_DONE(
        rank <= ONNX_MOST_RANK, ARGAND_UNSUPPORTED,
        "%s: \"%s\" has %zu axes; Argand runs models of images {N, C, H, W} and volumes {N, C, D, H, "
        "W}",
        m->path, t->name, rank);
    t->rank = (int)rank;
    status = onnx_check(o, o->dimensions(tensor, t->dims, rank), ARGAND_FORMAT, m->path);
done:
    o->release_type(type);
    return status;
}

static argand_status read_input(const onnx_model *m, size_t i, onnx_tensor *t)
{
    const onnx_library *o = m->library;
    void *type;
    TRY(onnx_check(o, o->input_name(m->session, i, m->allocator, &t->name), ARGAND_FORMAT, m->path));
    TRY(onnx_check(o, o->input_type(m->session, i, &type), ARGAND_FORMAT, m->path));
    return read_shape(m, type, t);
}

static argand_status read_tensors(onnx_model *m)
{
    const onnx_library *o = m->library;
    size_t inputs, outputs;
    void *type;
    TRY(onnx_check(o, o->input_count(m->session, &inputs), ARGAND_FORMAT, m->path));
    TRY(onnx_check(o, o->output_count(m->session, &outputs), ARGAND_FORMAT, m->path));
    CHECK(
        (inputs == 1 || inputs == 2) && outputs == 1, ARGAND_UNSUPPORTED,
        "%s: the model has %zu inputs and %zu outputs; a denoiser has an image, perhaps the level of noise, "
        "and one output",
        m->path, inputs, outputs);
    TRY(read_input(m, 0, &m->image));
    if (inputs == 2) TRY(read_input(m, 1, &m->level));
    TRY(onnx_check(o, o->output_name(m->session, 0, m->allocator, &m->result.name), ARGAND_FORMAT, m->path));
    TRY(onnx_check(o, o->output_type(m->session, 0, &type), ARGAND_FORMAT, m->path));
    return read_shape(m, type, &m->result);
}

/* Decides how images become channels and batches. */
static argand_status read_layout(onnx_model *m)
{
    const onnx_tensor *in = &m->image, *out = &m->result;
    CHECK(in->rank == 4 || in->rank == 5, ARGAND_UNSUPPORTED,
          "%s: \"%s\" has %d axes; Argand runs models of images {N, C, H, W} and volumes {N, C, D, H, W}",
          m->path, in->name, in->rank);
    const int64_t to = out->rank == in->rank && out->dims[1] > 0 ? out->dims[1] : 0;
    const int64_t from = in->dims[1] > 0 ? in->dims[1] : to > 0 ? to : 1;
    m->channels = (int)(to == 1 || to == 2 ? to : to > 2 || from > 2 ? 0 : from);
    m->has_map = from == m->channels + 1;
    CHECK(m->channels && (m->has_map || from == m->channels), ARGAND_UNSUPPORTED,
          "%s: the model makes %lld channels from %lld; Argand runs models of 1 (the real and the imaginary "
          "part "
          "as two images) or 2 (as channels), with or without one more for the level of noise",
          m->path, (long long)to, (long long)from);
    CHECK(!m->has_map || !m->level.name, ARGAND_UNSUPPORTED,
          "%s: the model takes the level of noise as a channel, and has a second input", m->path);
    CHECK(m->level.rank == 0 || m->level.rank == 1 || m->level.rank == in->rank, ARGAND_UNSUPPORTED,
          "%s: \"%s\" has %d axes; a level of noise is a scalar, a value for each image, or a map", m->path,
          m->level.name, m->level.rank);
    m->axes = in->rank - 2;
    m->batch = in->dims[0] > 0 ? in->dims[0] : 0;
    CHECK(m->batch <= 2 && (m->batch < 2 || m->channels == 1), ARGAND_UNSUPPORTED,
          "%s: the model takes %lld images at once; export it with N = 1 or with a free N", m->path,
          (long long)m->batch);
    return ARGAND_OK;
}

/* Runs the model on zeros, at a size that `multiple` divides and 2 `multiple` does not. */
static argand_status probe(const onnx_model *m, int64_t multiple)
{
    onnx_batch b = {.count = m->batch ? m->batch : 1, .sizes = {1, 1, 1}, .level = 0.05f};
    int64_t factor = 3, count = b.count * (m->channels + m->has_map);
    while (factor * multiple < 33) factor += 2;
    for (int axis = 0; axis < m->axes; axis++) {
        const int64_t fixed = m->image.dims[m->image.rank - 1 - axis];
        CHECK(fixed <= 1 << 16, ARGAND_UNSUPPORTED, "%s: a model for images of %lld pixels an axis", m->path,
              (long long)fixed);
        count *= b.sizes[axis] = fixed > 0 ? fixed : (factor + (axis == 1 ? 2 : 0)) * multiple;
    }
    TRY(memory_new(&b.images, (size_t)count, sizeof *b.images));
    const argand_status status = model_run(m, &b);
    memory_free(b.images);
    return status;
}

static argand_status find_multiple(onnx_model *m)
{
    argand_status status = ARGAND_OK;
    for (m->multiple = 1; m->multiple <= 64; m->multiple *= 2) {
        status = probe(m, m->multiple);
        if (status != ARGAND_FORMAT) return status;
    }
    return status;
}

argand_status model_open(onnx_model *m, const char *path, int threads)
{
    m->path = path;
    CHECK(access(path, R_OK) == 0, ARGAND_FILE, "%s: the file of the denoiser cannot be read", path);
    TRY(onnx_open(&m->library));
    TRY(make_session(m, threads));
    TRY(read_tensors(m));
    TRY(read_layout(m));
    return find_multiple(m);
}

void model_close(onnx_model *m)
{
    const onnx_library *o = m->library;
    if (!o) return;
    char *const names[] = {m->image.name, m->level.name, m->result.name};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i]) onnx_check(o, o->allocator_free(m->allocator, names[i]), ARGAND_INTERNAL, m->path);
    if (m->memory) o->release_memory(m->memory);
    if (m->session) o->release_session(m->session);
    if (m->env) o->release_env(m->env);
}
