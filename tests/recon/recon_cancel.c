/* SPDX-License-Identifier: BSD-3-Clause */
/* An observer that says no once, at each of its questions: while a session is made, while its maps
 * are estimated or continued, while density weights, segments and Toeplitz kernels are made, while weights
 * are tried and while it solves. Each time the call ends by ARGAND_STOPPED, nothing is left over, and the
 * session gives the same image afterwards. */
#include "few.h"

enum { N = 24, COILS = 3, SPOKES = 28, REPETITIONS = 2, SHOTS = 2, SAMPLES = 36, PIXELS = N * N };
#define PI 3.14159265358979323846

typedef struct radial_scan {
    argand_scan scan;
    argand_encoding encoding;
    argand_acquisition acquisitions[REPETITIONS * SPOKES];
    float data[SPOKES][2 * SAMPLES * COILS], k[SPOKES][3][SAMPLES], t[SAMPLES];
} radial_scan;

static double complex truth_at(int x, int y)
{
    const double u = x - N / 2, v = y - N / 2, r = u * u / 90 + v * v / 60;
    return r < 1 ? 1 + 0.5 * (u > 2) + 0.3 * (v > 1) + 0.02 * u : 0;
}

static double complex coil_at(int c, int x, int y)
{
    const double u = x - N / 2 - 14 * cos(2.1 * c), v = y - N / 2 - 14 * sin(2.1 * c);
    return 30 / (30 + 0.1 * (u * u + v * v)) * cexp(I * (0.02 * u * (c + 1) - 0.03 * v));
}

static void add_spoke(radial_scan *m, int spoke, random_state *random)
{
    float *data = m->data[spoke];
    for (int i = 0; i < SAMPLES; i++) {
        const double radius = (i - SAMPLES / 2) * (double)N / SAMPLES, angle = PI * spoke / SPOKES;
        const double kx = radius * cos(angle), ky = radius * sin(angle);
        m->k[spoke][0][i] = (float)kx;
        m->k[spoke][1][i] = (float)ky;
        m->t[i] = (float)(1e-3 + 1e-5 * i);
        for (int c = 0; c < COILS; c++) {
            double complex sum = 0.2 * (random_normal(random) + I * random_normal(random));
            for (int y = 0; y < N; y++)
                for (int x = 0; x < N; x++)
                    sum += truth_at(x, y) * coil_at(c, x, y) *
                           cexp(-2 * PI * I * (kx * (x - N / 2) + ky * (y - N / 2)) / N);
            data[2 * (i + SAMPLES * c)] = (float)creal(sum);
            data[2 * (i + SAMPLES * c) + 1] = (float)cimag(sum);
        }
    }
    m->acquisitions[spoke] = (argand_acquisition){.counters = {.shot = (uint16_t)(spoke % SHOTS)},
                                                  .samples = SAMPLES,
                                                  .channels = COILS,
                                                  .sample_time = 1e-5,
                                                  .data = data,
                                                  .k = {m->k[spoke][0], m->k[spoke][1], m->k[spoke][2]},
                                                  .t = m->t,
                                                  .read_dir = {1, 0, 0},
                                                  .phase_dir = {0, 1, 0},
                                                  .slice_dir = {0, 0, 1}};
}

static radial_scan *new_scan(void)
{
    radial_scan *m = calloc(1, sizeof *m);
    random_state random = {5};
    assert_non_null(m);
    m->encoding = (argand_encoding){.matrix = {N, N, 1},
                                    .field_of_view = {240, 240, 5},
                                    .recon_matrix = {N, N, 1},
                                    .recon_field_of_view = {240, 240, 5},
                                    .trajectory = "radial"};
    for (int spoke = 0; spoke < SPOKES; spoke++) add_spoke(m, spoke, &random);
    for (int spoke = 0; spoke < SPOKES; spoke++) { /* the same once more */
        m->acquisitions[SPOKES + spoke] = m->acquisitions[spoke];
        m->acquisitions[SPOKES + spoke].counters.repetition = 1;
    }
    m->scan = (argand_scan){.path = "made.h5",
                            .encoding_count = 1,
                            .encodings = &m->encoding,
                            .acquisition_count = REPETITIONS * SPOKES,
                            .acquisitions = m->acquisitions,
                            .channels = COILS,
                            .header = "",
                            .notes = ""};
    return m;
}

/* rad/s, 0 outside of the object, as programs leave it. */
static argand_array *masked_field(void)
{
    const int64_t dims[2] = {N, N};
    float values[PIXELS];
    argand_array *field;
    for (int i = 0; i < PIXELS; i++) {
        const int x = i % N, y = i / N;
        values[i] = truth_at(x, y) != 0 ? (float)(1500 + 40 * x + 11 * y + x * y) : 0;
    }
    OK(argand_array_create(&field, device, ARGAND_R32, 2, dims));
    OK(argand_array_upload(field, values));
    return field;
}

enum { MOST_STAGES = 16 };
typedef struct looker {
    int asked, no_at; /* says no at that question alone; 0: never */
    const char *stages[MOST_STAGES];
    int stage_count;
} looker;

static bool look(void *context, const argand_activity *activity)
{
    looker *l = context;
    assert_true(activity->fraction <= 1);
    bool is_new = activity->stage != NULL;
    for (int i = 0; i < l->stage_count && is_new; i++) is_new = strcmp(l->stages[i], activity->stage) != 0;
    if (is_new && l->stage_count < MOST_STAGES) l->stages[l->stage_count++] = activity->stage;
    return ++l->asked != l->no_at;
}

static bool has_stage(const looker *l, const char *stage)
{
    for (int i = 0; i < l->stage_count; i++)
        if (!strcmp(l->stages[i], stage)) return true;
    return false;
}

static argand_status run(argand_sense **session, argand_array *image, const argand_scan *scan,
                         const argand_sense_options *options)
{
    *session = NULL;
    argand_status status = argand_sense_create(session, device, scan, options);
    if (!status) status = argand_sense_run(*session, 0, image, NULL, NULL);
    return status;
}

/* Every question of small cases, further ones at growing distances; in the first tier one in four. */
static void every_question(const argand_sense_options *options, const char *const *stages)
{
    enum { ALL = 24 };
    const int64_t dims[3] = {N, N, 1};
    radial_scan *m = new_scan();
    float complex right[PIXELS], again[PIXELS];
    argand_array *image;
    argand_sense *session;
    looker all = {0};
    OK(argand_array_create(&image, device, ARGAND_C32, 3, dims));
    argand_observer_set(look, &all);
    OK(run(&session, image, &m->scan, options));
    argand_sense_destroy(session);
    OK(argand_array_download(image, right));
    for (int i = 0; stages[i]; i++)
        if (!has_stage(&all, stages[i])) fail_msg("nothing was said of %s", stages[i]);
    printf("%d questions\n", all.asked);
    const long before = argand_test_live_allocations();
    for (int k = 1; k <= all.asked; k += k < ALL ? 1 : few() ? k : k / 4) {
        looker once = {.no_at = k};
        if (!in_round(k, 4)) continue;
        argand_observer_set(look, &once);
        const argand_status status = run(&session, image, &m->scan, options);
        const bool was_asked = once.asked >= k; /* how often hangs on the threads a little */
        if (status != (was_asked ? ARGAND_STOPPED : ARGAND_OK))
            fail_msg("question %d of %d: %s: %s", k, all.asked, argand_status_name(status), argand_message());
        if (was_asked) assert_non_null(strstr(argand_message(), "cancelled"));
        argand_observer_set(NULL, NULL);
        if (session && k % 3 == 0) {
            OK(argand_sense_run(session, 0, image, NULL, NULL));
            OK(argand_array_download(image, again));
            assert_memory_equal(again, right, sizeof right);
        }
        argand_sense_destroy(session);
        assert_int_equal(argand_test_live_allocations(), before);
    }
    argand_array_destroy(image);
    free(m);
}

static void exact_with_a_continued_field(void **state)
{
    (void)state;
    static const char *const stages[] = {"continuing the field map", "collecting samples",
                                         "computing density weights", "estimating coil maps", NULL};
    argand_array *field = masked_field();
    every_question(
        &(argand_sense_options){.transform = ARGAND_TRANSFORM_DFT, .iterations = 3, .field_map = field},
        stages);
    argand_array_destroy(field);
}

static void segments_kernels_and_trials(void **state)
{
    (void)state;
    static const char *const stages[] = {"choosing segments of the field map", "making Toeplitz kernels",
                                         "estimating coil maps", "choosing the weight", NULL};
    const argand_regularizer tv = {.kind = ARGAND_TV, .automatic = true};
    argand_array *field = masked_field();
    every_question(&(argand_sense_options){.transform = ARGAND_TRANSFORM_SEGMENTED,
                                           .toeplitz = ARGAND_TOEPLITZ_ON,
                                           .iterations = 3,
                                           .regularizers = &tv,
                                           .regularizer_count = 1,
                                           .field_map = field},
                   stages);
    argand_array_destroy(field);
}

static void adaptive_maps(void **state)
{
    (void)state;
    static const char *const stages[] = {"computing density weights", "estimating coil maps", NULL};
    every_question(&(argand_sense_options){.coils = ARGAND_COILS_ADAPTIVE}, stages);
}

static void several_sets_of_maps(void **state)
{
    (void)state;
    static const char *const stages[] = {"estimating coil maps", NULL};
    every_question(&(argand_sense_options){.sets = 2, .iterations = 3}, stages);
}

static void repetitions_together(void **state)
{
    (void)state;
    static const char *const stages[] = {"estimating coil maps", NULL};
    every_question(&(argand_sense_options){.joint = true, .iterations = 3}, stages);
}

static void phases_of_shots(void **state)
{
    (void)state;
    static const char *const stages[] = {"estimating coil maps", NULL};
    every_question(&(argand_sense_options){.phases = ARGAND_PHASES_SHOTS, .iterations = 3}, stages);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(exact_with_a_continued_field),
    cmocka_unit_test(segments_kernels_and_trials),
    cmocka_unit_test(adaptive_maps),
    cmocka_unit_test(several_sets_of_maps),
    cmocka_unit_test(repetitions_together),
    cmocka_unit_test(phases_of_shots),
};
RUN_TESTS(tests)
