/* SPDX-License-Identifier: BSD-3-Clause */
/* Wisdom of this process: read from files at a device's first question, added by measurements and imports. */
#include "fft/planner/wisdom.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/files/file.h"
#include "base/memory.h"
#include "device/device.h"

enum { DEVICES = 32 };

static struct {
    pthread_mutex_t lock;
    wisdom known;
    int devices; /* devices whose files were read */
    char device[DEVICES][160];
} session = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Reads a device's files once. Requires the lock. Devices beyond the last entry are read again each time,
 * which only costs time. */
static void load_device(const char *device)
{
    for (int i = 0; i < session.devices; i++)
        if (!strcmp(session.device[i], device)) return;
    wisdom_load(&session.known, device);
    if (session.devices < DEVICES)
        snprintf(session.device[session.devices++], sizeof *session.device, "%s", device);
}

static argand_status question(argand_device_info *info, text *key, argand_device *device,
                              const fft_problem *problem)
{
    TRY(argand_device_describe(device, info));
    wisdom_key(key, problem);
    return key->status;
}

static void take_entry(wisdom_answer *answer, const wisdom_entry *e, bool exact, bool own)
{
    answer->seconds = exact && own ? e->seconds : 0;
    snprintf(answer->relative, sizeof answer->relative, "%s", own ? "" : e->device);
    snprintf(answer->engine, sizeof answer->engine, "%s", e->engine);
    snprintf(answer->variant, sizeof answer->variant, "%s", e->variant);
}

/* Returns the inverse measured with that entry; a pair from two sources would have been chosen by no
 * measurement. Requires the lock. */
static const wisdom_entry *find_inverse(const char *device, const wisdom_entry *forward)
{
    text key = {0};
    text_add(&key, "%s" WISDOM_INVERSE, forward->problem);
    const wisdom_entry *found =
        key.status == ARGAND_OK ? wisdom_find(&session.known, device, text_chars(&key)) : NULL;
    text_free(&key);
    return found && found->source == forward->source ? found : NULL;
}

/* Requires the lock. own: the question is for this device, not for a related one. */
static bool answer_from(wisdom_answer answer[2], const char *device, const char *key, bool real, bool own)
{
    load_device(device);
    const wisdom_entry *found = wisdom_find(&session.known, device, key);
    const bool exact = found != NULL;
    if (!exact) found = wisdom_find_near(&session.known, device, key);
    if (!found) return false;
    const wisdom_entry *inverse = real ? find_inverse(device, found) : NULL;
    take_entry(&answer[0], found, exact, own);
    take_entry(&answer[1], inverse ? inverse : found, exact && inverse, own);
    return true;
}

/* Answers with the entry of the problem without centring, because kernels have shifts as constants. Not
 * for a vendor's library, which needs two copies for shifts. Requires the lock. */
static bool answer_uncentred(wisdom_answer answer[2], const char *device, const fft_problem *problem,
                             bool own)
{
    fft_problem same = *problem;
    text key = {0};
    if (!problem->centred || problem->access) return false;
    same.centred = false;
    wisdom_key(&key, &same);
    const bool known = key.status == ARGAND_OK && answer_from(answer, device, text_chars(&key), false, own);
    answer[0].seconds = answer[1].seconds = 0;
    text_free(&key);
    return known && strcmp(answer[0].engine, "cufft");
}

/* Requires the lock. */
static bool answer_of(wisdom_answer answer[2], const char *device, const char *key,
                      const fft_problem *problem, bool own)
{
    return answer_from(answer, device, key, problem_is_real(problem), own) ||
           answer_uncentred(answer, device, problem, own);
}

argand_status wisdom_ask(bool *known, wisdom_answer answer[2], argand_device *device,
                         const fft_problem *problem)
{
    argand_device_info info;
    text key = {0};
    *known = false;
    const argand_status status = question(&info, &key, device, problem);
    if (status == ARGAND_OK) {
        pthread_mutex_lock(&session.lock);
        const char *relative = device_traits_of(device)->wisdom, *chars = text_chars(&key);
        *known = answer_of(answer, info.name, chars, problem, true) ||
                 (relative && answer_of(answer, relative, chars, problem, false));
        pthread_mutex_unlock(&session.lock);
    }
    text_free(&key);
    return status;
}

static argand_status remember(const char *device, const char *problem, const char *engine,
                              const char *variant, double seconds)
{
    const char *own = getenv("ARGAND_WISDOM");
    const wisdom_entry entry = {.device = (char *)device,
                                .problem = (char *)problem,
                                .engine = (char *)engine,
                                .variant = (char *)variant,
                                .seconds = seconds,
                                .source = WISDOM_SESSION};
    if (own && !strcmp(own, "off")) return ARGAND_OK;
    pthread_mutex_lock(&session.lock);
    load_device(device);
    (void)!wisdom_put(&session.known, &entry); /* without memory, the entry is not kept */
    pthread_mutex_unlock(&session.lock);
    return wisdom_store(&entry);
}

argand_status wisdom_remember(argand_device *device, const fft_problem *problem, bool inverse,
                              const char *engine, const char *variant, double seconds)
{
    argand_device_info info;
    text key = {0};
    argand_status status = question(&info, &key, device, problem);
    if (inverse) text_add(&key, WISDOM_INVERSE);
    if (status == ARGAND_OK) status = key.status;
    if (status == ARGAND_OK) status = remember(info.name, text_chars(&key), engine, variant, seconds);
    text_free(&key);
    return status;
}

bool wisdom_figure(double *seconds, argand_device *device, const char *name)
{
    argand_device_info info;
    if (argand_device_describe(device, &info) != ARGAND_OK) return false;
    pthread_mutex_lock(&session.lock);
    load_device(info.name);
    const wisdom_entry *found = wisdom_find(&session.known, info.name, name);
    if (found) *seconds = found->seconds;
    pthread_mutex_unlock(&session.lock);
    return found;
}

void wisdom_keep_figure(argand_device *device, const char *name, double seconds)
{
    argand_device_info info;
    if (argand_device_describe(device, &info) == ARGAND_OK)
        (void)!remember(info.name, name, "-", "", seconds); /* measurements with it report the error */
}

static _Thread_local wisdom_left_out left_out; /* of this thread's last import */

/* Imports all sound entries of the text, or none. */
argand_status argand_fft_wisdom_import(const char *chars)
{
    wisdom fresh = {0};
    argand_status status;
    left_out.count = 0;
    CHECK(chars, ARGAND_ARGUMENT, "argand_fft_wisdom_import: no text");
    TRY_OR_DONE(wisdom_parse(&fresh, chars, WISDOM_SESSION, WISDOM_STRICT, &left_out));
    CHECK_OR_DONE(*chars, ARGAND_FORMAT,
                  "wisdom begins with the line \"argand wisdom 1\"; this text is empty");
    pthread_mutex_lock(&session.lock);
    status = wisdom_merge(&session.known, &fresh);
    pthread_mutex_unlock(&session.lock);
done:
    wisdom_release(&fresh);
    return status;
}

argand_status argand_fft_wisdom_read(const char *path)
{
    char *chars;
    left_out.count = 0;
    CHECK(path, ARGAND_ARGUMENT, "argand_fft_wisdom_read: no file");
    TRY(wisdom_read_file(&chars, path));
    argand_status status = argand_fft_wisdom_import(chars);
    memory_free(chars);
    return status == ARGAND_OK ? status : status_prefix(status, "%s: ", path);
}

int argand_fft_wisdom_left_out(char *chars, size_t size)
{
    if (chars && size) snprintf(chars, size, "%s", left_out.count ? left_out.first : "");
    return left_out.count;
}

static argand_status print_all(text *t)
{
    pthread_mutex_lock(&session.lock);
    wisdom_print(t, &session.known);
    pthread_mutex_unlock(&session.lock);
    return t->status;
}

argand_status argand_fft_wisdom_export(char *chars, size_t size, size_t *needed)
{
    text t = {0};
    CHECK(chars || needed, ARGAND_ARGUMENT,
          "argand_fft_wisdom_export: no place for the text, nor for its size");
    const argand_status status = print_all(&t);
    if (chars && size) snprintf(chars, size, "%s", text_chars(&t));
    if (needed) *needed = t.length + 1;
    text_free(&t);
    return status;
}

argand_status argand_fft_wisdom_write(const char *path)
{
    file_draft draft = {0};
    text t = {0};
    argand_status status;
    TRY_OR_DONE(print_all(&t));
    TRY_OR_DONE(file_begin(&draft, path));
    TRY_OR_DONE(file_write(&draft, text_chars(&t), t.length));
    TRY_OR_DONE(file_finish_alone(&draft));
done:
    file_abandon(&draft);
    text_free(&t);
    return status;
}

argand_status argand_fft_wisdom_look(argand_device *device)
{
    argand_device_info info;
    TRY(argand_device_describe(device, &info));
    const char *relative = device_traits_of(device)->wisdom;
    pthread_mutex_lock(&session.lock);
    load_device(info.name);
    if (relative) load_device(relative);
    pthread_mutex_unlock(&session.lock);
    return ARGAND_OK;
}

void argand_fft_wisdom_forget(void)
{
    pthread_mutex_lock(&session.lock);
    wisdom_release(&session.known);
    session.devices = 0;
    pthread_mutex_unlock(&session.lock);
}
