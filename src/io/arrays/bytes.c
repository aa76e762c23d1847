/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes bytes to a file, completely or not at all. */
#include <argand/io.h>
#include "base/files/file.h"

argand_status argand_bytes_write(const char *path, const void *bytes, size_t count)
{
    file_draft draft;
    TRY(file_begin(&draft, path));
    const argand_status status = file_write(&draft, bytes, count);
    if (status == ARGAND_OK) return file_finish(&draft);
    file_abandon(&draft);
    return status;
}
