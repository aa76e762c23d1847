/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that each build a scan's file, read it and look at its notes. */
#ifndef TESTS_IO_SCAN_CASE_H
#define TESTS_IO_SCAN_CASE_H

#include "scan_build.h"
#include "scan_file.h"
#include "scan_near.h"

static inline argand_scan *read_built(build *b, const argand_scan_options *options)
{
    argand_scan *scan = NULL;
    build_write(b, path);
    build_free(b);
    OK(argand_scan_read(&scan, path, options));
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    return scan;
}

static inline void has_note(const argand_scan *scan, const char *part)
{
    if (!strstr(scan->notes, part)) fail_msg("no \"%s\" in the notes:\n%s", part, scan->notes);
}

#endif
