/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds and starts kernels of a Metal device: its driver compiles the text (portable_metal.h), and keeps
 * what it compiled in a cache of its own. */
#include <string.h>
#include "base/memory.h"
#include "device/metal/context.h"

typedef struct metal_kernel {
    objc_id pipeline;
    char key[];
} metal_kernel;

/* Options for results as on other devices: no relaxed arithmetic, named as old systems and new ones do. */
static objc_id compile_options(void)
{
    objc_id options = SEND(make, objc.get_class("MTLCompileOptions"));
    if (SEND(responds, options, metal.set_math_mode.op))
        SEND(set_math_mode, options, MTLMathModeSafe);
    else
        SEND(set_fast_math, options, 0);
    SEND(set_language, options, MTLLanguageVersion2_3);
    return options;
}

/* Returns an NSString, which belongs to the autorelease pool. */
static objc_id string_of(const char *text)
{
    return SEND(string, objc.get_class("NSString"), text);
}

static argand_status compile(const metal_context *c, const kernel_source *source, objc_id *function)
{
    const objc_id options = compile_options(), text = string_of(source->text), name = string_of(source->name);
    objc_id error = NULL;
    const objc_id library = SEND(new_library, c->device, text, options, &error);
    SEND(release, options);
    if (!library) return metal_failure(c, ARGAND_BUILD, error, "kernel \"%s\" cannot be built", source->key);
    *function = SEND(new_function, library, name);
    SEND(release, library);
    return *function
               ? ARGAND_OK
               : metal_failure(c, ARGAND_BUILD, NULL, "kernel \"%s\" is not in its library", source->key);
}

static argand_status make_pipeline(const metal_context *c, const kernel_source *source, objc_id *pipeline)
{
    objc_id function = NULL, error = NULL;
    TRY(compile(c, source, &function));
    *pipeline = SEND(new_pipeline, c->device, function, &error);
    SEND(release, function);
    if (!*pipeline)
        return metal_failure(c, ARGAND_BUILD, error, "kernel \"%s\" has no pipeline", source->key);
    const unsigned long most = SEND(most_items, *pipeline);
    if ((unsigned long)source->items <= most) return ARGAND_OK;
    SEND(release, *pipeline);
    return status_set(ARGAND_UNSUPPORTED,
                      "metal:%d (%s): kernel \"%s\" wants groups of %d, the device allows %lu", c->index,
                      c->name, source->key, source->items, most);
}

argand_status metal_build(void *context, const kernel_source *source, kernel_binary *binary, void **kernel)
{
    const metal_context *c = context;
    metal_kernel *k;
    const size_t length = strlen(source->key);
    (void)binary;
    TRY(memory_new(&k, 1, sizeof *k + length + 1));
    memcpy(k->key, source->key, length + 1);
    void *pool = objc.pool_push();
    const argand_status status = make_pipeline(c, source, &k->pipeline);
    objc.pool_pop(pool);
    if (status == ARGAND_OK)
        *kernel = k;
    else
        memory_free(k);
    return status;
}

void metal_discard(void *context, void *kernel)
{
    (void)context;
    metal_kernel *k = kernel;
    void *pool = objc.pool_push();
    SEND(release, k->pipeline);
    objc.pool_pop(pool);
    memory_free(k);
}

/* The arguments have the indices that the compiler gives buffers without one: their order. */
static argand_status encode(metal_context *c, const kernel_launch *l)
{
    const metal_kernel *k = l->kernel;
    objc_id encoder;
    unsigned long slot = 0;
    TRY(metal_compute(c, &encoder));
    SEND(set_pipeline, encoder, k->pipeline);
    for (; slot < (unsigned long)l->memory_count; slot++) {
        const metal_memory *m = l->memory[slot];
        SEND(set_buffer, encoder, m->buffer, m->at, slot);
    }
    if (l->params_bytes) SEND(set_bytes, encoder, l->params, l->params_bytes, slot);
    SEND(dispatch, encoder, (metal_size){(unsigned long)l->groups, 1, 1},
         (metal_size){(unsigned long)l->items, 1, 1});
    return ARGAND_OK;
}

argand_status metal_launch(void *context, const kernel_launch *l)
{
    metal_context *c = context;
    const metal_kernel *k = l->kernel;
    if (l->groups < 1) return ARGAND_OK;
    CHECK(!l->shared_bytes, ARGAND_UNSUPPORTED, "metal:%d (%s): kernel \"%s\" wants dynamic shared memory",
          c->index, c->name, k->key);
    CHECK(l->groups <= INT32_MAX, ARGAND_UNSUPPORTED,
          "metal:%d (%s): kernel \"%s\": %lld groups are too many", c->index, c->name, k->key,
          (long long)l->groups);
    CHECK(l->params_bytes <= METAL_PARAMS, ARGAND_INTERNAL,
          "metal:%d (%s): kernel \"%s\": %zu bytes of parameters, more than %d", c->index, c->name, k->key,
          l->params_bytes, METAL_PARAMS);
    void *pool = objc.pool_push();
    pthread_mutex_lock(&c->lock);
    const argand_status status = encode(c, l);
    pthread_mutex_unlock(&c->lock);
    objc.pool_pop(pool);
    return status;
}

argand_status metal_needs(void *context, const kernel_launch *launch, kernel_needs *needs)
{
    (void)context;
    const metal_kernel *k = launch->kernel;
    *needs = (kernel_needs){.shared = (size_t)SEND(static_memory, k->pipeline)};
    return ARGAND_OK;
}
