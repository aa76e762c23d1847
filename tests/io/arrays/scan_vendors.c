/* SPDX-License-Identifier: BSD-3-Clause */
/* MRD version 2 and folders of ParaVision: small files are read as what their writers put there, and each
 * allocation of reading them fails once. */
#include <argand/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "harness.h"

#include "base/memory.h"

enum { LINES = 6, SAMPLES = 8, CHANNELS = 2, NUMBERS = 2 * SAMPLES * CHANNELS };

static const char acqp[] = "##TITLE=x\n##$BYTORDA=little\n##$GO_raw_data_format=GO_16BIT_SGN_INT\n"
                           "##$GO_block_size=continuous\n##$ACQ_dim=2\n##$NI=2\n##$NSLICES=2\n##$NR=1\n"
                           "##$ACQ_size=( 2 )\n16 3\n##$ACQ_phase_factor=1\n##$ACQ_obj_order=( 2 )\n1 0\n"
                           "##$PULPROG=( 8 )\n<FLASH.ppg>\n##$ACQ_slice_offset=( 2 )\n-2 5\n"
                           "##$ACQ_grad_matrix=( 1, 3, 3 )\n1 @3*(0) 1 @3*(0) 1\n##END=\n";
static const char method[] = "##$PVM_EncNReceivers=2\n##$PVM_Matrix=( 2 )\n8 3\n##$PVM_Fov=( 2 )\n16 6\n"
                             "##$PVM_EncSteps1=( 3 )\n0 1 -1\n##$PVM_EffSWh=100000\n##END=\n";

static void put(const char *folder, const char *name, const void *bytes, size_t count)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static void make_folder(char folder[64])
{
    int16_t numbers[LINES * NUMBERS];
    for (int i = 0; i < LINES * NUMBERS; i++) numbers[i] = (int16_t)(i - 50);
    snprintf(folder, 64, "paravision-%ld", (long)getpid());
    assert_int_equal(mkdir(folder, 0700), 0);
    put(folder, "acqp", acqp, strlen(acqp));
    put(folder, "method", method, strlen(method));
    put(folder, "fid", numbers, sizeof numbers);
}

static void remove_folder(const char *folder)
{
    static const char *const names[] = {"acqp", "method", "fid"};
    char path[256];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* Line i has the numbers from NUMBERS * i - 50 on; objects are slices 1 and 0, steps 0, 1, -1 from 1. */
static void check_folder(const argand_scan *scan)
{
    static const int shots[] = {1, 2, 0};
    assert_int_equal(scan->acquisition_count, LINES);
    for (int i = 0; i < LINES; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        assert_int_equal(a->counters.slice, 1 - i % 2);
        assert_int_equal(a->counters.shot, shots[i / 2]);
        assert_true(a->read_dir[0] == 1 && a->phase_dir[1] == 1 && a->slice_dir[2] == 1);
        assert_true(a->position[2] == (i % 2 ? -2 : 5));
        for (int n = 0; n < NUMBERS; n++) assert_true(a->data[n] == (float)(NUMBERS * i - 50 + n));
    }
}

static void check_two(const argand_scan *scan)
{
    assert_int_equal(scan->acquisition_count, 4);
    assert_int_equal(scan->channels, 2);
    for (int i = 0; i < 4; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        assert_int_equal(a->counters.shot, i);
        assert_true(a->position[0] == 1 && a->user_int[1] == -1);
        for (int s = 0; s < 32; s++) assert_true(a->data[s] == 1);
    }
}

/* Reads a scan with each allocation failing once. */
static void fail_each(const char *path, void (*check)(const argand_scan *))
{
    const long live = argand_test_live_allocations();
    argand_scan *scan = NULL;
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status != ARGAND_OK; n++) {
        argand_test_fail_allocation(n);
        status = argand_scan_read(&scan, path, NULL);
        argand_test_fail_allocation(0);
        if (status == ARGAND_OK) break;
        assert_int_equal(status, ARGAND_MEMORY);
        assert_null(scan);
        assert_int_equal(argand_test_live_allocations(), live);
        assert_true(n < 500);
    }
    check(scan);
    argand_scan_destroy(scan);
    assert_int_equal(argand_test_live_allocations(), live);
}

static void two(void **state)
{
    (void)state;
    fail_each(CORPUS "/nested", check_two);
    fail_each(CORPUS "/flat", check_two);
    fail_each(CORPUS "/late", check_two);
}

static void paravision(void **state)
{
    char folder[64], path[96];
    argand_scan *scan = NULL;
    (void)state;
    make_folder(folder);
    fail_each(folder, check_folder);
    snprintf(path, sizeof path, "%s/fid", folder);
    OK(argand_scan_read_isolated(&scan, path, NULL, NULL)); /* the child may open acqp and method */
    check_folder(scan);
    argand_scan_destroy(scan);
    remove_folder(folder);
}

/* Writes acqp anew, with one text in place of another, and reads the folder. */
static argand_status read_changed(argand_scan **scan, const char *folder, const char *from, const char *to)
{
    char changed[2 * sizeof acqp];
    const char *at = strstr(acqp, from);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - acqp), acqp, to, at + strlen(from));
    put(folder, "acqp", changed, strlen(changed));
    return argand_scan_read(scan, folder, NULL);
}

/* BF1 is the frequency of the measured nucleus; the header has the field, and the frequency of protons. */
static void nuclei(void **state)
{
    static const struct {
        const char *text;
        double tesla; /* 0: unknown */
    } each[] = {{"##$BF1=125.8311593\n##$NUCLEUS=( 8 )\n<13C>\n##END=", 11.7532},
                {"##$BF1=500.3\n##$NUCLEUS=( 8 )\n<1H>\n##END=", 11.7503},
                {"##$BF1=500.3\n##END=", 11.7503},
                {"##$BF1=50\n##$NUCLEUS=( 8 )\n<2X>\n##END=", 0}};
    char folder[64];
    (void)state;
    make_folder(folder);
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        argand_scan *scan = NULL;
        OK(read_changed(&scan, folder, "##END=", each[i].text));
        assert_true(fabs(scan->field_strength - each[i].tesla) < 1e-3);
        argand_scan_destroy(scan);
    }
    remove_folder(folder);
}

static void strange_folders(void **state)
{
    char folder[64], path[96];
    argand_scan *scan = NULL;
    (void)state;
    make_folder(folder);
    FAILS(read_changed(&scan, folder, "##END=\n", ""), ARGAND_FORMAT,
          "acqp: is cut off: it has no last line");
    FAILS(read_changed(&scan, folder, "\n1 0\n", "\n1 1\n"), ARGAND_FORMAT,
          "ACQ_obj_order has the object 1 of 2 at place 2; each from 0 is expected once");
    OK(read_changed(&scan, folder, "( 2 )\n1 0\n", "( 1 )\n1\n"));
    assert_non_null(strstr(scan->notes, "ACQ_obj_order has 1 of 2 objects"));
    assert_int_equal(scan->acquisitions[1].counters.slice, 1);
    argand_scan_destroy(scan);
    snprintf(path, sizeof path, "%s/traj", folder);
    assert_int_equal(symlink("traj", path), 0); /* there, but it cannot be opened */
    FAILS(read_changed(&scan, folder, "1 0", "1 0"), ARGAND_FILE, "traj: cannot be read");
    unlink(path);
    remove_folder(folder);
}

/* Gradients against their directions turn image axes, and the phase of offsets with them. */
static void polarity(void **state)
{
    char folder[64];
    argand_scan *scan = NULL;
    (void)state;
    make_folder(folder);
    for (int against = 0; against < 2; against++) {
        OK(read_changed(&scan, folder, "##END=",
                        against ? "##$ACQ_scaling_phase=-1\n##$ACQ_phase1_offset=( 2 )\n1 1\n##END="
                                : "##$ACQ_scaling_phase=1\n##$ACQ_phase1_offset=( 2 )\n1 1\n##END="));
        const argand_acquisition *a = &scan->acquisitions[2]; /* step 1 of a field of view of 6 mm */
        const double phase = (against ? 1 : -1) * 2 * acos(-1.0) / 6, re = 2 * NUMBERS - 50, im = re + 1;
        assert_true(a->read_dir[0] == 1 && a->phase_dir[1] == (against ? -1 : 1) && a->position[1] == -1);
        CHECK_BELOW(fabs((double)a->data[0] - (re * cos(phase) - im * sin(phase))), 1e-5 * fabs(re));
        CHECK_BELOW(fabs((double)a->data[1] - (re * sin(phase) + im * cos(phase))), 1e-5 * fabs(re));
        argand_scan_destroy(scan);
    }
    remove_folder(folder);
}

/* Every second echo of a multi-echo scan that reads to and fro is reversed, around the same centre. */
static void echoes_to_and_fro(void **state)
{
    static const char *const modes[] = {"positiveReadOutEchoes", "allEchoes"};
    char folder[64], changed[2 * sizeof method];
    argand_scan *scan = NULL;
    (void)state;
    make_folder(folder);
    for (int both = 0; both < 2; both++) {
        snprintf(changed, sizeof changed, "##$EchoAcqMode=%s\n%s", modes[both], method);
        put(folder, "method", changed, strlen(changed));
        OK(read_changed(&scan, folder, "##$NSLICES=2", "##$NSLICES=1"));
        for (int i = 0; i < LINES; i++) {
            const argand_acquisition *a = &scan->acquisitions[i];
            const bool back = both && a->counters.contrast == 1;
            assert_int_equal(a->counters.contrast, 1 - i % 2);
            assert_true(!!(a->flags & ARGAND_FLAG_REVERSE) == back);
            assert_true(a->k[0][0] == -4 && a->data[0] == (float)(NUMBERS * i - 50 + (back ? 14 : 0)));
        }
        argand_scan_destroy(scan);
    }
    remove_folder(folder);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(two),
                                          cmocka_unit_test(nuclei),
                                          cmocka_unit_test(paravision),
                                          cmocka_unit_test(polarity),
                                          cmocka_unit_test(echoes_to_and_fro),
                                          cmocka_unit_test(strange_folders)};
RUN_TESTS(tests)
