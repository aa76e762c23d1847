/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens cuFFT and finds its functions when the first plan for a CUDA device is made. */
#include "fft/vendor/cufft.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "device/libraries/foreign.h"

#define ENTRY(name, symbol, parameters) {symbol, offsetof(cufft_library, name), true},
static const foreign_function functions[] = {CUFFT_FUNCTIONS(ENTRY){NULL, 0, false}};

static cufft_library library;
static bool there;
static char reason_text[700];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void)
{
    char missing[320];
    const char *own = getenv("ARGAND_CUFFT");
    const char *const names[] = {own ? own : "libcufft.so.12", own ? NULL : "libcufft.so.11",
                                 "libcufft.so.10", "libcufft.so", NULL};
    there = foreign_open(names, FOREIGN_TOOLKIT, functions, &library, missing, sizeof missing);
    if (!there)
        snprintf(reason_text, sizeof reason_text, "cuFFT was not found: %s; install it, or set CUDA_HOME",
                 missing);
}

const cufft_library *cufft_open(const char **reason)
{
    pthread_once(&once, open_library);
    *reason = reason_text;
    return there ? &library : NULL;
}

argand_status cufft_check(int result, const char *what)
{
    static const struct {
        int number;
        argand_status status;
        const char *name;
    } errors[] = {{1, ARGAND_INTERNAL, "invalid plan"},      {2, ARGAND_MEMORY, "out of device memory"},
                  {3, ARGAND_INTERNAL, "invalid type"},      {4, ARGAND_INTERNAL, "invalid value"},
                  {5, ARGAND_DEVICE, "internal error"},      {6, ARGAND_DEVICE, "execution failed"},
                  {7, ARGAND_DEVICE, "it cannot be set up"}, {8, ARGAND_UNSUPPORTED, "size not supported"},
                  {9, ARGAND_INTERNAL, "unaligned data"},    {11, ARGAND_DEVICE, "invalid device"},
                  {13, ARGAND_MEMORY, "no work memory"},     {14, ARGAND_UNSUPPORTED, "not implemented"},
                  {16, ARGAND_UNSUPPORTED, "not supported"}};
    if (result == 0) return ARGAND_OK;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == result)
            return status_set(errors[i].status, "cuFFT %s: %s", what, errors[i].name);
    return status_set(ARGAND_DEVICE, "cuFFT %s: error %d", what, result);
}
