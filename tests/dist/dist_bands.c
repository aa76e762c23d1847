/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices that were excited together, whose coils several ranks share: the images are those of one rank. */
#include "dist/ranks.h"

#include "recon/line_scan.h"

static argand_status images(argand_comm *comm, argand_device *own, const made *m,
                            double numbers[6][2 * PIXELS])
{
    const argand_sense_options o = {.type = ARGAND_C64,
                                    .nufft_tolerance = 1e-9,
                                    .iterations = 12,
                                    .comm = comm,
                                    .ranks = argand_comm_size(comm)};
    argand_sense *session;
    argand_array *image;
    TRY(argand_sense_create(&session, own, &m->scan, &o));
    TRY(argand_array_create(&image, own, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    for (int v = 0; v < 6; v++) {
        TRY(argand_sense_run(session, v, image, NULL, NULL));
        TRY(argand_array_download(image, numbers[v]));
        if (argand_comm_rank(comm)) continue;
        argand_array *maps; /* rank 0 alone asks for those of this band */
        TRY(argand_sense_coil_maps(session, v, &maps));
        argand_array_destroy(maps);
    }
    argand_array_destroy(image);
    argand_sense_destroy(session);
    return ARGAND_OK;
}

typedef struct shared {
    const made *scan;
    double one[6][2 * PIXELS];
} shared;

static argand_status share(argand_comm *comm, argand_device *own, void *context)
{
    const shared *s = context;
    double(*numbers)[2 * PIXELS];
    TRY(NEW(numbers, 6));
    TRY(images(comm, own, s->scan, numbers));
    for (int v = 0; v < 6; v++) {
        const double error = relative_error(numbers[v], s->one[v], 2 * PIXELS);
        RANK_CHECK(error < 1e-7, "volume %d: error %.3g", v, error);
    }
    memory_free(numbers);
    return ARGAND_OK;
}

static void bands(void **state)
{
    (void)state;
    made *m = simultaneous(true, false);
    shared *s = calloc(1, sizeof *s);
    s->scan = m;
    OK(images(NULL, device, m, s->one));
    run_ranks(2, share, s);
    run_ranks(7, share, s); /* more than coils */
    free(s);
    made_free(m);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(bands), cmocka_unit_test(end_job)};
RUN_TESTS(tests)
