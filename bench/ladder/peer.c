/* SPDX-License-Identifier: BSD-3-Clause */
/* cuFFT as its users call it: a plan with its own work memory, and no other work around the call. */
#include <string.h>
#include "array/array.h"
#include "fft/vendor/cufft.h"
#include "run.h"

static argand_status make(ladder_peer *peer, const cufft_library *library, const ladder_case *c)
{
    long long n[3] = {c->n, c->n, c->n}, points = 1;
    size_t work;
    for (int i = 0; i < c->rank; i++) points *= c->n;
    TRY(cufft_check(library->create(&peer->plan), "cannot make a plan"));
    peer->made = true;
    return cufft_check(library->make_many(peer->plan, c->rank, n, n, 1, points, n, 1, points, CUFFT_C2C,
                                          c->rank == 1 ? c->rows : 1, &work),
                       "cannot make a plan");
}

argand_status ladder_peer_make(ladder_peer *peer, argand_device *device, const ladder_case *c)
{
    const char *reason = "";
    argand_device_info info;
    void *stream;
    *peer = (ladder_peer){0};
    TRY(argand_device_describe(device, &info));
    CHECK(!strcmp(info.backend, "cuda"), ARGAND_UNSUPPORTED, "cuFFT is for CUDA devices");
    const cufft_library *library = cufft_open(&reason);
    CHECK(library, ARGAND_UNSUPPORTED, "%s", reason);
    peer->library = library;
    TRY(device_enter(device, &stream));
    argand_status status = make(peer, library, c);
    if (!status) status = cufft_check(library->set_stream(peer->plan, stream), "cannot take the stream");
    device_leave(device);
    return status;
}

argand_status ladder_peer_run(const ladder_peer *peer, argand_device *device, argand_array *out,
                              argand_array *in)
{
    const cufft_library *library = peer->library;
    void *stream;
    TRY(device_enter(device, &stream));
    const int result =
        library->c2c(peer->plan, storage_native(in->storage), storage_native(out->storage), ARGAND_FORWARD);
    device_leave(device);
    return cufft_check(result, "cannot transform");
}

void ladder_peer_free(ladder_peer *peer, argand_device *device)
{
    void *stream;
    if (!peer->made) return;
    const bool entered = device_enter(device, &stream) == ARGAND_OK;
    ((const cufft_library *)peer->library)->destroy(peer->plan);
    if (entered) device_leave(device);
    *peer = (ladder_peer){0};
}
