/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel sources: defines, embedded texts, ARGAND_KERNEL_DIR. */
#include "harness.h"

#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/text.h"
#include "device/source.h"
#include "kernels/texts.h"

static void write_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

/* The text occurs once, and after the place `after`. */
static const char *find_after(const char *after, const char *content)
{
    const char *place = strstr(after, content);
    if (!place) fail_msg("\"%s\" is missing or too early", content);
    return place;
}

static void defines_then_files_in_order(void **state)
{
    (void)state;
    text t = {0};
    OK(source_assemble(&t, "convert REAL=double  OTHER=float FLAG", 192));
    const char *place = find_after(t.chars, "#define REAL double\n");
    place = find_after(place, "#define OTHER float\n#define FLAG 1\n#define ITEMS 192\n");
    place = find_after(place, "#line 1 \"portable.h\"\n");
    place = find_after(place, "#line 1 \"params.h\"\n");
    place = find_after(place, "#line 1 \"array/rows.krn\"\n");
    find_after(find_after(place, "#line 1 \"array/convert.krn\"\n"), "KERNEL void convert(");
    text_free(&t);
}

/* Lists of radices say which there are, each by a name of its own. */
static void radices_are_named(void **state)
{
    (void)state;
    text t = {0};
    OK(source_assemble(
        &t, "fft_tile REAL=float STAGE_RADICES=16,4,16 INVERSE_RADICES=7 STAGE_TWIDDLES=0,31 ITEMS=64", 64));
    find_after(t.chars,
               "#define STAGE_RADICES 16,4,16\n#define RADIX_16 1\n#define RADIX_4 1\n#define RADIX_16 1\n");
    find_after(
        t.chars,
        "#define INVERSE_RADICES 7\n#define RADIX_7 1\n#define STAGE_TWIDDLES 0,31\n#define ITEMS 64\n");
    text_free(&t);
    OK(source_assemble(&t, "fft_cluster REAL=float STAGE_RADICES_0=13 STAGE_RADICES_1=11", 64));
    find_after(
        t.chars,
        "#define STAGE_RADICES_0 13\n#define RADIX_13 1\n#define STAGE_RADICES_1 11\n#define RADIX_11 1\n");
    text_free(&t);
}

/* What is embedded is what lies in the folder, byte for byte. */
static void embedded_texts_equal_the_files(void **state)
{
    (void)state;
    int count = 0;
    for (const kernel_text *t = kernel_texts; t->file; t++, count++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", KERNEL_FOLDER, t->file);
        FILE *file = fopen(path, "rb");
        if (!file) fail_msg("%s cannot be read", path);
        const size_t length = strlen(t->text);
        char *bytes = malloc(length + 1);
        assert_non_null(bytes);
        assert_int_equal(fread(bytes, 1, length + 1, file), length);
        assert_memory_equal(bytes, t->text, length);
        free(bytes);
        fclose(file);
    }
    assert_true(count >= 5);
}

static void every_key_has_a_recipe_and_its_files(void **state)
{
    (void)state;
    for (const char *const *key = kernel_keys; *key; key++) {
        text t = {0};
        OK(source_assemble(&t, *key, 256));
        text_free(&t);
    }
    for (const kernel_recipe *r = kernel_recipes; r->name; r++) {
        const size_t length = strlen(r->name);
        const char *const *key = kernel_keys;
        while (*key && (strncmp(*key, r->name, length) || (*key)[length] != ' ')) key++;
        if (!*key) fail_msg("recipe %s has no key in kernel_keys", r->name);
    }
}

static void a_key_may_say_how_many_items(void **state)
{
    (void)state;
    text t = {0};
    assert_int_equal(source_items("axpby REAL=float"), 0);
    assert_int_equal(source_items("axpby REAL=float ITEMS=128 MORE=1"), 128);
    OK(source_assemble(&t, "axpby REAL=float ITEMS=128", 128));
    assert_null(strstr(find_after(t.chars, "#define ITEMS 128\n") + 1, "#define ITEMS 128"));
    text_free(&t);
}

static void an_unknown_kernel_is_refused(void **state)
{
    (void)state;
    text t = {0};
    FAILS(source_assemble(&t, "axpbx REAL=float", 1), ARGAND_INTERNAL, "\"axpbx\"");
    FAILS(source_assemble(&t, "", 1), ARGAND_INTERNAL, "kernel key");
    text_free(&t);
}

static void a_folder_replaces_the_embedded_texts(void **state)
{
    (void)state;
    char folder[] = "/tmp/argand-kernels-XXXXXX", path[256];
    assert_non_null(mkdtemp(folder));
    setenv("ARGAND_KERNEL_DIR", folder, 1);
    text t = {0};
    FAILS(source_assemble(&t, "axpby REAL=float", 1), ARGAND_FILE, "ARGAND_KERNEL_DIR: /tmp/argand-kernels-");
    text_free(&t);
    const char *const names[] = {"portable_metal.h", "portable.h",     "portable_cuda.h", "portable_groups.h",
                                 "params.h",         "array/rows.krn", "array/axpby.krn"};
    char array[300];
    snprintf(array, sizeof array, "%s/array", folder);
    assert_int_equal(mkdir(array, 0700), 0);
    for (int i = 0; i < 7; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        write_file(path, i == 6 ? "my own text" : "/* */");
    }
    OK(source_assemble(&t, "axpby REAL=float", 1));
    find_after(t.chars, "#line 1 \"array/axpby.krn\"\nmy own text\n");
    text_free(&t);
    unsetenv("ARGAND_KERNEL_DIR");
    for (int i = 0; i < 7; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(array);
    rmdir(folder);
}

static void no_memory_is_reported(void **state)
{
    (void)state;
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status != ARGAND_OK; n++) {
        text t = {0};
        argand_test_fail_allocation(n);
        status = source_assemble(&t, "axpby REAL=float", 1);
        argand_test_fail_allocation(0);
        if (status != ARGAND_OK) assert_int_equal(status, ARGAND_MEMORY);
        text_free(&t);
        assert_true(n < 100);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(defines_then_files_in_order),
    cmocka_unit_test(radices_are_named),
    cmocka_unit_test(embedded_texts_equal_the_files),
    cmocka_unit_test(every_key_has_a_recipe_and_its_files),
    cmocka_unit_test(a_key_may_say_how_many_items),
    cmocka_unit_test(an_unknown_kernel_is_refused),
    cmocka_unit_test(a_folder_replaces_the_embedded_texts),
    cmocka_unit_test(no_memory_is_reported),
};

RUN_TESTS(tests)
