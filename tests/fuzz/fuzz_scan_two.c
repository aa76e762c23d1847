/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of MRD version 2, with their schemas. All of what they are read by is ours. */
#include "fuzz/fuzz.h"
#include "fuzz/scan_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[128];
    argand_scan *scan = NULL;
    const argand_status status =
        argand_scan_read(&scan, fuzz_file(path, sizeof path, "a.mrd2", bytes, count), NULL);
    MUST(status == ARGAND_OK ? scan != NULL : !scan && *argand_message());
    if (scan) scan_promises(scan, true);
    argand_scan_destroy(scan);
    unlink(path);
    return 0;
}
