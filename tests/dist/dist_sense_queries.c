/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions of several ranks: what all of them take from rank 0, and what rank 0 may ask alone. */
#include "dist/spokes.h"

#include "recon/session/session.h"

/* All ranks mix the channels by the matrix of rank 0. The last rank's own one differs here by its samples, as
 * it may between processors. */
static argand_status mixing(argand_comm *comm, argand_device *own, void *context)
{
    made_scan *const *scans = context;
    argand_sense *session;
    double numbers[2 * 3 * CHANNELS];
    const bool last = argand_comm_rank(comm) == argand_comm_size(comm) - 1;
    const argand_sense_options o = {DOUBLE, OFF, .compress = 3, .comm = comm, .ranks = 2};
    TRY(argand_sense_create(&session, own, &scans[last]->scan, &o));
    TRY(argand_array_download(session->mix, numbers));
    TRY(same_bits(comm, numbers, sizeof numbers));
    argand_sense_destroy(session);
    return ARGAND_OK;
}

static void one_mix(void **state)
{
    (void)state;
    made_scan *scans[2] = {make_scan(true, false, false, 1), make_scan(true, false, false, 1)};
    *(float *)(uintptr_t)scans[1]->acquisitions[0].data += 10;
    run_ranks(3, mixing, scans);
    for (int i = 0; i < 2; i++) free_scan(scans[i]);
}

static bool stop_after_two(void *context, const argand_progress *p)
{
    (void)context;
    return p->iteration < 2;
}

/* Rank 0 alone asks for the maps of the volume that was run last, while the others wait elsewhere. */
static argand_status asked_alone(argand_comm *comm, argand_sense *session, argand_status expected)
{
    argand_array *maps = NULL;
    argand_status status = ARGAND_OK;
    if (argand_comm_rank(comm) == 0) {
        const argand_status got = argand_sense_coil_maps(session, 0, &maps);
        if (got != expected) status = status_set(ARGAND_INTERNAL, "coil maps: %s", argand_message());
        argand_array_destroy(maps);
    }
    return argand_comm_agree(comm, status);
}

static argand_status queries(argand_comm *comm, argand_device *own, void *context)
{
    made_scan *const *scans = context;
    argand_array *image;
    const argand_sense_options o = {DOUBLE, OFF, .comm = comm, .ranks = 2};
    TRY(argand_array_create(&image, own, ARGAND_C64, 3, (int64_t[]){SX, SY, 1}));
    for (int empty = 0; empty < 2; empty++) {
        argand_sense *session;
        TRY(argand_sense_create(&session, own, &scans[empty]->scan, &o));
        const argand_status status = argand_sense_run(session, 0, image, empty ? NULL : stop_after_two, NULL);
        RANK_CHECK(status == (empty ? ARGAND_OK : ARGAND_STOPPED), "%s", argand_message());
        TRY(asked_alone(comm, session, empty ? ARGAND_ARGUMENT : ARGAND_OK));
        argand_sense_destroy(session);
    }
    argand_array_destroy(image);
    return ARGAND_OK;
}

static void queries_of_one_rank(void **state)
{
    (void)state;
    made_scan *scans[2] = {make_scan(false, false, false, 1), make_scan(true, false, false, 1)};
    for (int64_t i = 0; i < scans[1]->scan.acquisition_count; i++)
        memset((void *)(uintptr_t)scans[1]->acquisitions[i].data, 0, sizeof(float) * 2 * READ * CHANNELS);
    run_ranks(3, queries, scans);
    for (int i = 0; i < 2; i++) free_scan(scans[i]);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(one_mix), cmocka_unit_test(queries_of_one_rank),
                                          cmocka_unit_test(end_job)};
RUN_TESTS(tests)
