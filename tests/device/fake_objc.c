/* SPDX-License-Identifier: BSD-3-Clause */
/* An Objective-C runtime and a Metal for tests without a Mac: one GPU, whose memory is the host's and whose
 * kernels run by stand_in.c. objc_msgSend finds the method of a selector and jumps to it with all arguments
 * in place, as the real one does, so methods are functions of the types that the backend calls. As on a GPU,
 * nothing runs before the host waits for its command buffer. Each message can be made to fail; objects are
 * counted. Without PoCL there is no GPU. */
#include "fake_objc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/metal/driver.h"
#include "stand_in.h"

#define EXPORT __attribute__((visibility("default")))

/* DEVICE: also the array of devices */
enum kind { DEVICE, QUEUE, FENCE, COMMANDS, ENCODER, BUFFER, OPTIONS, LIBRARY, FUNCTION, PIPELINE, TEXT };
enum { MOST_COMMANDS = 128, MOST_SLOTS = 31, MOST_PARAMS = 4096, MOST_QUEUED = 16, MOST_POOL = 4096 };

/* A command that waits for its turn. */
typedef struct command {
    enum { DISPATCH, FILL, COPY } what;
    objc_id pipeline, buffers[MOST_SLOTS], to;
    size_t offsets[MOST_SLOTS], at, to_at, bytes, params_bytes;
    int64_t groups;
    int items, slots;
    unsigned char value, params[MOST_PARAMS];
} command;

struct objc_object {
    enum kind kind;
    int references;
    char *bytes; /* a buffer's memory; a text */
    size_t length;
    bool wrapped, ended, committed;
    bool waited, updated; /* an encoder has waited for the fence, or updated it */
    objc_id owner;        /* a retained object: an encoder's command buffer, a pipeline's function, ... */
    stand_in_kernel *kernel;
    command *commands, next; /* of a command buffer; what an encoder was told for the next dispatch */
    int count;
    bool failed;
};

struct objc_selector {
    const char *name;
    void (*method)(void);
};

static struct fake_objc fake;
static struct objc_object device = {.kind = DEVICE, .references = 1}, all = {.kind = DEVICE, .references = 1};
static objc_id queued[MOST_QUEUED];
static int queued_count;
static _Thread_local objc_id pool[MOST_POOL];
static _Thread_local long pooled, pools;

EXPORT struct fake_objc *fake_objc_state(void);
struct fake_objc *fake_objc_state(void)
{
    return &fake;
}

static void fault(const char *what)
{
    fake.faults++;
    fake.last_fault = what;
}

/* ---- objects ---- */

static objc_id object(enum kind kind, objc_id owner)
{
    objc_id o = calloc(1, sizeof *o);
    o->kind = kind;
    o->references = 1;
    o->owner = owner;
    if (owner) owner->references++;
    __atomic_add_fetch(&fake.alive, 1, __ATOMIC_RELAXED); /* kernels are built by several threads */
    return o;
}

static void drop(objc_id o)
{
    if (!o || o->kind == DEVICE || --o->references) return;
    for (int i = 0; i < o->count; i++) {
        for (int k = 0; k < o->commands[i].slots; k++) drop(o->commands[i].buffers[k]);
        drop(o->commands[i].pipeline);
        drop(o->commands[i].to);
    }
    free(o->commands);
    if (o->kind == ENCODER && !o->ended) fault("an encoder was released before it ended");
    if (o->kind == BUFFER && !o->wrapped)
        stand_in_free(o->bytes);
    else if (o->kind != BUFFER)
        free(o->bytes);
    stand_in_release(o->kernel);
    drop(o->owner);
    free(o);
    __atomic_sub_fetch(&fake.alive, 1, __ATOMIC_RELAXED);
}

static objc_id keep(objc_id o)
{
    if (o) o->references++;
    return o;
}

static objc_id autoreleased(objc_id o)
{
    if (!pools) fault("an object was returned without an autorelease pool");
    if (pooled < MOST_POOL) pool[pooled++] = o;
    return o;
}

static objc_id text_object(const char *text)
{
    objc_id o = object(TEXT, NULL);
    o->bytes = strdup(text);
    return autoreleased(o);
}

EXPORT void *fake_push(void) __asm__("objc_autoreleasePoolPush");
void *fake_push(void)
{
    pools++;
    return (void *)(pooled + 1);
}

EXPORT void fake_pop(void *mark) __asm__("objc_autoreleasePoolPop");
void fake_pop(void *mark)
{
    while (pooled > (long)mark - 1) drop(pool[--pooled]);
    pools--;
}

static bool fails(objc_sel op)
{
    return fake.fail_message && !strcmp(fake.fail_message, op->name) && fake.fail_after-- == 0;
}
#define FAIL_HERE(result) \
    if (fails(op)) return result

static objc_id refuse(objc_id *error, const char *why)
{
    *error = text_object(why);
    return NULL;
}

/* ---- methods, in the order of METAL_MESSAGES ---- */

#define DECLARE(name, selector, result, parameters) \
    static result fake_##name(objc_id, objc_sel METAL_ARGUMENTS parameters);
METAL_MESSAGES(DECLARE)
#pragma GCC diagnostic ignored "-Wunused-parameter"

static objc_id fake_make(objc_id self, objc_sel op)
{
    return object(OPTIONS, NULL);
}
static objc_id fake_retain(objc_id self, objc_sel op)
{
    return keep(self);
}
static void fake_release(objc_id self, objc_sel op)
{
    drop(self);
}
static signed char fake_responds(objc_id self, objc_sel op, objc_sel asked)
{
    return getenv("FAKE_METAL_OLD") == NULL;
}
static objc_id fake_string(objc_id self, objc_sel op, const char *text)
{
    return text_object(text);
}
static const char *fake_characters(objc_id self, objc_sel op)
{
    return self->bytes;
}
static unsigned long fake_count(objc_id self, objc_sel op)
{
    return *stand_in_missing() ? 0 : 1;
}
static objc_id fake_element(objc_id self, objc_sel op, unsigned long index)
{
    return &device;
}
static objc_id fake_explanation(objc_id self, objc_sel op)
{
    return text_object(self->bytes);
}
static objc_id fake_name(objc_id self, objc_sel op)
{
    return text_object("Fake M1");
}
static signed char fake_has_unified_memory(objc_id self, objc_sel op)
{
    return 1;
}
static uint64_t fake_working_set(objc_id self, objc_sel op)
{
    return (uint64_t)1 << 33;
}
static unsigned long fake_longest_buffer(objc_id self, objc_sel op)
{
    return 1ul << 32;
}
static unsigned long fake_group_memory(objc_id self, objc_sel op)
{
    return 32 << 10;
}
static objc_id fake_new_queue(objc_id self, objc_sel op)
{
    return fails(op) ? NULL : object(QUEUE, NULL);
}
static objc_id fake_new_fence(objc_id self, objc_sel op)
{
    return fails(op) ? NULL : object(FENCE, NULL);
}
static objc_id fake_new_buffer(objc_id self, objc_sel op, unsigned long bytes, unsigned long options)
{
    FAIL_HERE(NULL);
    if (options) fault("newBufferWithLength: memory that is not shared");
    if (bytes > fake_longest_buffer(self, op)) return NULL;
    objc_id o = object(BUFFER, NULL);
    o->bytes = stand_in_alloc(bytes);
    o->length = bytes;
    if (o->bytes) memset(o->bytes, 0xAB, bytes);
    return o;
}
static objc_id fake_wrap_buffer(objc_id self, objc_sel op, void *memory, unsigned long bytes,
                                unsigned long options, void *deallocator)
{
    FAIL_HERE(NULL);
    fake.wraps++;
    if ((uintptr_t)memory % 4096 || bytes % 4096) fault("newBufferWithBytesNoCopy: not whole pages");
    objc_id o = object(BUFFER, NULL);
    o->bytes = memory;
    o->length = bytes;
    o->wrapped = true;
    return o;
}
static objc_id fake_new_library(objc_id self, objc_sel op, objc_id text, objc_id options, objc_id *error)
{
    if (fails(op)) return refuse(error, "the test wants no library");
    if (!options || options->kind != OPTIONS || !options->ended) fault("a library with relaxed arithmetic");
    objc_id o = object(LIBRARY, NULL);
    o->bytes = strdup(text->bytes);
    return o;
}
static objc_id fake_new_pipeline(objc_id self, objc_sel op, objc_id function, objc_id *error)
{
    char log[4096];
    stand_in_kernel *kernel = NULL;
    if (fails(op) || fake.watched) return refuse(error, "the test wants no pipeline");
    if (!stand_in_build(function->owner->bytes, function->bytes, "-cl-std=CL1.2 -DWITHOUT_DOUBLE", &kernel,
                        log, sizeof log))
        return refuse(error, log);
    objc_id o = object(PIPELINE, function);
    o->kernel = kernel;
    return o;
}
static void fake_set_fast_math(objc_id self, objc_sel op, signed char on)
{
    self->ended = !on;
}
static void fake_set_math_mode(objc_id self, objc_sel op, long mode)
{
    self->ended = mode == MTLMathModeSafe;
}
static void fake_set_language(objc_id self, objc_sel op, unsigned long version)
{
    if (version != (2 << 16) + 3) fault("setLanguageVersion: not 2.3");
}
static objc_id fake_new_function(objc_id self, objc_sel op, objc_id name)
{
    FAIL_HERE(NULL);
    if (fake.watched) {
        __atomic_add_fetch(&fake.functions, 1, __ATOMIC_RELAXED);
        __atomic_add_fetch(&fake.watched_functions, !strcmp(fake.watched, name->bytes), __ATOMIC_RELAXED);
    }
    objc_id o = object(FUNCTION, self);
    o->bytes = strdup(name->bytes);
    return o;
}
static unsigned long fake_most_items(objc_id self, objc_sel op)
{
    return fake.most_items ? fake.most_items : 1024;
}
static unsigned long fake_static_memory(objc_id self, objc_sel op)
{
    return 1024;
}
static void *fake_contents(objc_id self, objc_sel op)
{
    return self->bytes;
}
static objc_id fake_command_buffer(objc_id self, objc_sel op)
{
    FAIL_HERE(NULL);
    fake.command_buffers++;
    objc_id o = object(COMMANDS, self);
    o->commands = calloc(MOST_COMMANDS, sizeof *o->commands);
    return autoreleased(o);
}
static objc_id encoder(objc_id commands)
{
    if (commands->committed) fault("an encoder of a command buffer that was committed");
    objc_id o = object(ENCODER, commands);
    o->waited = !commands->owner->ended;
    return autoreleased(o);
}
static objc_id fake_compute_encoder(objc_id self, objc_sel op)
{
    return fails(op) ? NULL : encoder(self);
}
static objc_id fake_blit_encoder(objc_id self, objc_sel op)
{
    return fails(op) ? NULL : encoder(self);
}
static void fake_commit(objc_id self, objc_sel op)
{
    if (self->committed) fault("a command buffer was committed twice");
    self->committed = true;
    self->failed = fails(op);
    if (queued_count < MOST_QUEUED)
        queued[queued_count++] = keep(self);
    else
        fault("too many command buffers at a time");
}
static objc_id fake_error(objc_id self, objc_sel op)
{
    return self->failed ? text_object("the test wants the commands to fail") : NULL;
}
static void fake_wait_for_fence(objc_id self, objc_sel op, objc_id fence)
{
    if (!fence->updated) fault("waitForFence: nothing has updated it");
    if (self->updated || self->count) fault("waitForFence: not at the encoder's beginning");
    self->waited = true;
}
static void fake_update_fence(objc_id self, objc_sel op, objc_id fence)
{
    fence->updated = self->updated = true;
}
static void fake_end(objc_id self, objc_sel op)
{
    if (!self->updated) fault("an encoder ended without the fence that the next one waits for");
    self->owner->owner->ended = true; /* the queue: its next encoders must wait */
    for (int i = 0; i < self->next.slots; i++) drop(self->next.buffers[i]);
    drop(self->next.pipeline);
    self->next = (command){0};
    self->ended = true;
}

/* ---- commands ---- */

static bool run_command(const command *c)
{
    void *addresses[MOST_SLOTS];
    if (c->what == FILL) return memset(c->to->bytes + c->to_at, c->value, c->bytes);
    if (c->what == COPY) return memmove(c->to->bytes + c->to_at, c->buffers[0]->bytes + c->at, c->bytes);
    fake.launches++;
    for (int i = 0; i < c->slots; i++) addresses[i] = c->buffers[i]->bytes + c->offsets[i];
    return !stand_in_launch(c->pipeline->kernel, c->groups, c->items, addresses, c->slots, c->params,
                            c->params_bytes);
}

/* Runs what was committed, in order, up to this command buffer. */
static void fake_wait(objc_id self, objc_sel op)
{
    if (!self->committed) fault("waiting for a command buffer that was not committed");
    while (queued_count) {
        objc_id first = queued[0];
        memmove(queued, queued + 1, (size_t)--queued_count * sizeof *queued);
        for (int i = 0; i < first->count; i++) first->failed |= !run_command(&first->commands[i]);
        const bool last = first == self;
        drop(first);
        if (last) break;
    }
}

static void add(objc_id encoder, command c)
{
    objc_id commands = encoder->owner;
    if (encoder->ended || commands->committed || commands->count == MOST_COMMANDS) {
        fault("a command after the end");
        return;
    }
    if (!encoder->waited) fault("a command that may overlap with those of the encoder before");
    for (int i = 0; i < c.slots; i++) keep(c.buffers[i]);
    keep(c.pipeline);
    keep(c.to);
    commands->commands[commands->count++] = c;
}

static void fake_set_pipeline(objc_id self, objc_sel op, objc_id pipeline)
{
    drop(self->next.pipeline);
    self->next.pipeline = keep(pipeline);
}
static void fake_set_buffer(objc_id self, objc_sel op, objc_id buffer, unsigned long at, unsigned long slot)
{
    command *c = &self->next;
    if (slot >= MOST_SLOTS || at % 4 || at > buffer->length) {
        fault("setBuffer: slot or offset");
        return;
    }
    drop(c->buffers[slot]);
    c->buffers[slot] = keep(buffer);
    c->offsets[slot] = at;
    if ((int)slot >= c->slots) c->slots = (int)slot + 1;
}
static void fake_set_bytes(objc_id self, objc_sel op, const void *bytes, unsigned long length,
                           unsigned long slot)
{
    command *c = &self->next;
    if (length > MOST_PARAMS) {
        fault("setBytes: more than 4 KB");
        return;
    }
    memcpy(c->params, bytes, length);
    c->params_bytes = length;
    while (c->slots > (int)slot) drop(c->buffers[--c->slots]); /* of an earlier kernel with more buffers */
    for (int i = c->slots; i < MOST_SLOTS; i++) c->buffers[i] = NULL;
    if (c->slots != (int)slot) fault("setBytes: a buffer in front of it is missing");
}
static void fake_dispatch(objc_id self, objc_sel op, metal_size groups, metal_size items)
{
    command c = self->next;
    if (groups.height != 1 || groups.depth != 1 || items.height != 1 || items.depth != 1 || !c.pipeline ||
        items.width > fake_most_items(self, op)) {
        fault("dispatchThreadgroups");
        return;
    }
    c.what = DISPATCH;
    c.groups = (int64_t)groups.width;
    c.items = (int)items.width;
    add(self, c);
}
static void fake_fill(objc_id self, objc_sel op, objc_id buffer, metal_range range, uint8_t value)
{
    if ((range.at | range.length) % 4 || range.at + range.length > buffer->length) {
        fault("fillBuffer: range");
        return;
    }
    add(self,
        (command){.what = FILL, .to = buffer, .to_at = range.at, .bytes = range.length, .value = value});
}
static void fake_copy(objc_id self, objc_sel op, objc_id from, unsigned long at, objc_id to,
                      unsigned long to_at, unsigned long bytes)
{
    if ((at | to_at | bytes) % 4 || at + bytes > from->length || to_at + bytes > to->length) {
        fault("copyFromBuffer: ranges");
        return;
    }
    add(self,
        (command){
            .what = COPY, .buffers = {from}, .slots = 1, .at = at, .to = to, .to_at = to_at, .bytes = bytes});
}

/* ---- the runtime ---- */

#define SELECTOR(name, selector, result, parameters) {selector, (void (*)(void))fake_##name},
static struct objc_selector selectors[] = {METAL_MESSAGES(SELECTOR)};

EXPORT objc_sel fake_selector(const char *name) __asm__("sel_registerName");
objc_sel fake_selector(const char *name)
{
    for (size_t i = 0; i < sizeof selectors / sizeof *selectors; i++)
        if (!strcmp(selectors[i].name, name)) return &selectors[i];
    return NULL;
}

EXPORT objc_id fake_class(const char *name) __asm__("objc_getClass");
objc_id fake_class(const char *name)
{
    return &all;
}

EXPORT objc_id fake_all(void) __asm__("MTLCopyAllDevices");
objc_id fake_all(void)
{
    return &all;
}

static long nothing(void)
{
    return 0;
}

/* Returns the method of a message; one that returns 0 for messages to nil. */
void *fake_method(objc_id self, objc_sel op) __attribute__((used, visibility("hidden")));
void *fake_method(objc_id self, objc_sel op)
{
    fake.messages++;
    void (*method)(void) = self ? op->method : (void (*)(void))nothing;
    void *address;
    memcpy(&address, &method, sizeof address);
    return address;
}
