/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture's file, of the format PICTURE_ENDING. */
#include "fuzz/fuzz.h"

/* A picture that is made like it: attributes and other parts go along. */
static void write_like(const argand_picture *like, const argand_array *array, const argand_picture_info *info)
{
    char path[128];
    argand_picture *copy;
    snprintf(path, sizeof path, "/dev/shm/argand-fuzz-%ld-b" PICTURE_ENDING, (long)getpid());
    if (!argand_picture_is_written(path)) return;
    argand_status status = argand_picture_create(&copy, path, info, like);
    if (status == ARGAND_OK) status = argand_picture_save(copy, array, false);
    if (status != ARGAND_OK && !argand_message()[0]) abort();
    argand_picture_close(copy);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[128];
    argand_picture *picture;
    argand_picture_info info;
    argand_array *array = NULL;
    fuzz_open();
    fuzz_file(path, sizeof path, "a" PICTURE_ENDING, bytes, count);
    argand_status status = argand_picture_open(&picture, path, NULL);
    if (status == ARGAND_OK) status = argand_picture_describe(picture, &info);
    if (status == ARGAND_OK) status = argand_picture_load(&array, picture, device, ARGAND_R32, false);
    if (status == ARGAND_OK && argand_array_count(array) != info.width * info.height * info.channels) abort();
    if (status == ARGAND_OK) write_like(picture, array, &info);
    argand_picture_close(picture);
    fuzz_check(status, array);
    unlink(path);
    return 0;
}
