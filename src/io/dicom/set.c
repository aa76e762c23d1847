/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes the elements of a data set, and sorts them by their tags. */
#include "io/dicom/set.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/plain.h"
#include "io/dicom/attributes.h"

static void put(text *to, uint64_t value, int bytes)
{
    char little[8];
    for (int i = 0; i < bytes; i++) little[i] = (char)(value >> (8 * i) & 0xff);
    text_add_bytes(to, little, (size_t)bytes);
}

static void put_tag(text *to, uint32_t tag)
{
    put(to, tag >> 16, 2);
    put(to, tag & 0xffff, 2);
}

void dicom_head(text *to, uint32_t tag, const char *vr, size_t length)
{
    const bool wide = strstr("OB OW SQ UN UT", vr) != NULL;
    put_tag(to, tag);
    text_add_bytes(to, vr, 2);
    put(to, 0, wide ? 2 : 0);
    put(to, length, wide ? 4 : 2);
}

/* Begins an element; its bytes follow in set->bytes. Values of odd length get one byte more. */
static void begin(dicom_set *set, uint32_t tag, const char *vr, size_t length)
{
    text *b = &set->bytes;
    if (set->count == DICOM_MOST_ELEMENTS && !b->status)
        b->status =
            status_set(ARGAND_INTERNAL, "DICOM: more than %d attributes in a data set", DICOM_MOST_ELEMENTS);
    if (b->status) return;
    set->elements[set->count].tag = tag;
    set->elements[set->count].at = b->length;
    dicom_head(b, tag, vr, length + length % 2);
    set->elements[set->count].length = b->length - set->elements[set->count].at + length + length % 2;
    set->count++;
}

void dicom_bytes(dicom_set *set, uint32_t tag, const char *vr, const void *bytes, size_t count)
{
    const char padding = strstr("UI OB OW", vr) ? 0 : ' ';
    begin(set, tag, vr, count);
    if (count) text_add_bytes(&set->bytes, bytes, count);
    if (count % 2) text_add_bytes(&set->bytes, &padding, 1);
}

/* Returns how many bytes of a value its vr allows: a number of characters, of which UTF-8 may have several
 * bytes each. */
static size_t allowed(const char *vr, const char *value)
{
    static const struct {
        const char *vr;
        size_t most;
    } limits[] = {{"CS", 16}, {"SH", 16}, {"LO", 64}, {"PN", 64}, {"DA", 8}, {"TM", 14}};
    size_t most = 64, characters = 0, at = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!strcmp(limits[i].vr, vr)) most = limits[i].most;
    for (; value[at]; at++) {
        characters += (value[at] & 0xc0) != 0x80;
        if (characters > most) break;
    }
    return at;
}

void dicom_text(dicom_set *set, uint32_t tag, const char *vr, const char *value)
{
    char clean[4 * 64];
    const char *from = value ? value : "";
    const size_t most = allowed(vr, from), length = most < sizeof clean ? most : sizeof clean - 1;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)from[i];
        clean[i] = c < ' ' || c == 127 ? ' ' : c == '\\' ? '/' : from[i];
    }
    dicom_bytes(set, tag, vr, clean, length);
}

void dicom_values(dicom_set *set, uint32_t tag, const char *vr, const char *values)
{
    dicom_bytes(set, tag, vr, values, strlen(values));
}

/* Prints a number in the 16 characters that DS allows. */
static int print_decimal(char *to, size_t size, double value)
{
    for (int digits = 10; digits > 0; digits--) {
        const int length = plain_print(to, size, "%.*g", digits, value);
        if (length <= 16) return length;
    }
    return 0;
}

static void put_doubles(dicom_set *set, uint32_t tag, const char *vr, int count, const double *values)
{
    begin(set, tag, vr, (size_t)count * 8);
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put(&set->bytes, bits, 8);
    }
}

void dicom_reals(dicom_set *set, uint32_t tag, const char *vr, int count, const double *values)
{
    char printed[8 * 17 + 1];
    int used = 0;
    if (!strcmp(vr, "FD")) {
        put_doubles(set, tag, vr, count, values);
        return;
    }
    for (int i = 0; i < count && i < 8; i++) {
        if (i) printed[used++] = '\\';
        used += print_decimal(printed + used, sizeof printed - (size_t)used, values[i] + 0.0);
    }
    dicom_bytes(set, tag, vr, printed, (size_t)used);
}

void dicom_real(dicom_set *set, uint32_t tag, const char *vr, double value)
{
    dicom_reals(set, tag, vr, 1, &value);
}

void dicom_integers(dicom_set *set, uint32_t tag, const char *vr, int count, const int64_t *values)
{
    char printed[24];
    const int size = !strcmp(vr, "US") || !strcmp(vr, "SS") ? 2 : 4;
    if (!strcmp(vr, "IS")) {
        const int length = snprintf(printed, sizeof printed, "%lld", (long long)values[0]);
        dicom_bytes(set, tag, vr, printed, (size_t)length);
        return;
    }
    begin(set, tag, vr, (size_t)(size * count));
    for (int i = 0; i < count; i++)
        if (!strcmp(vr, "AT"))
            put_tag(&set->bytes, (uint32_t)values[i]);
        else
            put(&set->bytes, (uint64_t)values[i], size);
}

void dicom_integer(dicom_set *set, uint32_t tag, const char *vr, int64_t value)
{
    dicom_integers(set, tag, vr, 1, &value);
}

void dicom_list_item(text *list, dicom_set *item)
{
    text inner = {0};
    const argand_status status = dicom_set_write(&inner, item);
    if (status && !list->status) list->status = status;
    put_tag(list, 0xfffee000);
    put(list, inner.length, 4);
    text_add_bytes(list, text_chars(&inner), inner.length);
    text_free(&inner);
}

void dicom_code(dicom_set *set, const char *value, const char *scheme, const char *meaning)
{
    dicom_text(set, DICOM_CODE_VALUE, value);
    dicom_text(set, DICOM_CODING_SCHEME, scheme);
    dicom_text(set, DICOM_CODE_MEANING, meaning);
}

void dicom_item(dicom_set *set, uint32_t tag, const char *vr, dicom_set *item)
{
    text list = {0};
    if (item) dicom_list_item(&list, item);
    if (list.status && !set->bytes.status) set->bytes.status = list.status;
    dicom_bytes(set, tag, vr, text_chars(&list), list.length);
    text_free(&list);
}

void dicom_set_free(dicom_set *set)
{
    text_free(&set->bytes);
    set->count = 0;
}

argand_status dicom_set_write(text *to, dicom_set *set)
{
    uint32_t last = 0;
    argand_status status = set->bytes.status;
    for (int done = 0; done < set->count && !status; done++) {
        int next = -1;
        for (int i = 0; i < set->count; i++)
            if ((!done || set->elements[i].tag > last) &&
                (next < 0 || set->elements[i].tag < set->elements[next].tag))
                next = i;
        CHECK_OR_DONE(next >= 0, ARGAND_INTERNAL, "DICOM: an attribute after %08x is given twice", last);
        last = set->elements[next].tag;
        text_add_bytes(to, set->bytes.chars + set->elements[next].at, set->elements[next].length);
    }
    if (!status) status = to->status;
done:
    dicom_set_free(set);
    return status;
}
