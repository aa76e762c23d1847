/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the SHA-256 of a file, by which a report identifies its inputs. */
#include <argand/io.h>
#include "base/hash.h"
#include "base/memory.h"
#include "io/arrays/source.h"

argand_status argand_file_sha256(char text[ARGAND_SHA256_TEXT], const char *path)
{
    enum { PIECE = 1 << 18 };
    CHECK(text, ARGAND_ARGUMENT, "argand_file_sha256: no place for the text");
    *text = 0;
    unsigned char digest[HASH_BYTES], *piece = NULL;
    hash_state state;
    source in;
    argand_status status = source_open(&in, path, false);
    if (status == ARGAND_OK) status = NEW(piece, PIECE);
    hash_begin(&state);
    for (size_t count = 1; status == ARGAND_OK && count > 0;) {
        status = source_read(&in, piece, PIECE, &count);
        if (status == ARGAND_OK) hash_add(&state, piece, count);
    }
    source_close(&in);
    memory_free(piece);
    if (status != ARGAND_OK) return status;
    hash_end(&state, digest);
    hash_print(text, digest);
    return ARGAND_OK;
}
