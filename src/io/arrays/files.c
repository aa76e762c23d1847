/* SPDX-License-Identifier: BSD-3-Clause */
/* Public functions for sets of files (base/files/file_set.c). */
#include <argand/io.h>
#include "base/files/file.h"

void argand_files_begin(void)
{
    file_set_begin();
}

argand_status argand_files_commit(void)
{
    return file_set_commit();
}

void argand_files_abandon(void)
{
    file_set_abandon();
}

void argand_files_remove_unfinished(void)
{
    file_remove_all();
}
