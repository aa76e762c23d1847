/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the Objective-C runtime and Metal.framework, and lists the devices. ARGAND_METAL_LIBRARY names a
 * library that has the functions of both, for tests. */
#include "device/metal/driver.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "base/system/system.h"
#include "device/libraries/foreign.h"

metal_runtime objc;
metal_messages metal;

typedef struct metal_framework {
    objc_id (*copy_all)(void); /* an NSArray of all devices, retained */
} metal_framework;

static const foreign_function runtime_functions[] = {
    {"objc_getClass", offsetof(metal_runtime, get_class), true},
    {"sel_registerName", offsetof(metal_runtime, selector), true},
    {"objc_msgSend", offsetof(metal_runtime, send), true},
    {"objc_autoreleasePoolPush", offsetof(metal_runtime, pool_push), true},
    {"objc_autoreleasePoolPop", offsetof(metal_runtime, pool_pop), true},
    {NULL, 0, false}};
static const foreign_function framework_functions[] = {
    {"MTLCopyAllDevices", offsetof(metal_framework, copy_all), true}, {NULL, 0, false}};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static objc_id devices;
static int found;
static char reason_text[512];

static void fill_messages(void)
{
#define FILL(name, text, result, parameters) \
    metal.name.op = objc.selector(text);     \
    memcpy(&metal.name.call, &objc.send, sizeof objc.send);
    METAL_MESSAGES(FILL)
#undef FILL
}

/* Opens the libraries. Returns false with the reason in reason_text. */
static bool open_libraries(metal_framework *framework)
{
    const char *own = system_trusted_variable("ARGAND_METAL_LIBRARY");
    const char *const runtime[] = {own && *own ? own : "/usr/lib/libobjc.A.dylib", NULL};
    const char *const library[] = {own && *own ? own : "/System/Library/Frameworks/Metal.framework/Metal",
                                   NULL};
    char why[256];
#ifndef __APPLE__
    if (!own || !*own) {
        snprintf(reason_text, sizeof reason_text, "Metal exists on macOS only");
        return false;
    }
#endif
    if (foreign_open(runtime, FOREIGN_DRIVER, runtime_functions, &objc, why, sizeof why) &&
        foreign_open(library, FOREIGN_DRIVER, framework_functions, framework, why, sizeof why))
        return true;
    snprintf(reason_text, sizeof reason_text, "Metal cannot be opened: %s", why);
    return false;
}

static void open_driver(void)
{
    metal_framework framework = {0};
    if (!open_libraries(&framework)) return;
    void *pool = objc.pool_push();
    fill_messages();
    devices = framework.copy_all();
    found = (int)SEND(count, devices);
    objc.pool_pop(pool);
    if (!found) snprintf(reason_text, sizeof reason_text, "Metal finds no GPU");
}

int metal_driver_count(const char **reason)
{
    pthread_once(&once, open_driver);
    *reason = reason_text;
    return found;
}

objc_id metal_driver_device(int index)
{
    return SEND(element, devices, (unsigned long)index);
}
