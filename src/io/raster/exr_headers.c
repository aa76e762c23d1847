/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenEXR: checks the headers of all parts before the library reads them. The library allocates the size
 * that an attribute claims, and reports compressions newer than itself as damage. The layout is that of
 * https://openexr.com/en/latest/OpenEXRFileLayout.html: name, type, size, value. A 0 ends each header;
 * another 0 ends the last of several. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_OPENEXR
#include <string.h>
#include "io/raster/exr.h"

enum { LONGEST_START = 2 * RASTER_EXR_NAME + 4, MOST_ATTRIBUTES = 1 << 16 };

typedef struct attribute {
    uint64_t value, size;                              /* offset of its value; size of its value in bytes */
    char name[RASTER_EXR_NAME], type[RASTER_EXR_NAME]; /* name "": the end of a header */
} attribute;

/* Types of fixed size. The library reads a value of this size whatever the attribute claims, and parses
 * the next bytes as the next attribute. */
static const struct {
    const char *type;
    unsigned size;
} sizes[] = {{"box2f", 16},      {"box2i", 16},    {"chromaticities", 32},
             {"compression", 1}, {"double", 8},    {"deepImageState", 1},
             {"envmap", 1},      {"float", 4},     {"int", 4},
             {"keycode", 28},    {"lineOrder", 1}, {"m33d", 72},
             {"m33f", 36},       {"m44d", 128},    {"m44f", 64},
             {"rational", 8},    {"tiledesc", 9},  {"timecode", 8},
             {"v2d", 16},        {"v2f", 8},       {"v2i", 8},
             {"v3d", 24},        {"v3f", 12},      {"v3i", 12}};

static const char *compression_name(int number)
{
    static const char *const names[] = {"HTJ2K", "HTJ2K", "LJ2K", "Zstandard"};
    return number >= 10 && number < 14 ? names[number - 10] : "an unknown method";
}

/* Measures the text at offset `at` of `count` bytes. Refuses texts longer than RASTER_EXR_NAME allows. */
static argand_status measure(size_t *length, const argand_picture *p, const char *bytes, size_t at,
                             size_t count)
{
    const size_t most = at > count ? 0 : count - at < RASTER_EXR_NAME ? count - at : RASTER_EXR_NAME;
    *length = strnlen(bytes + (at > count ? 0 : at), most);
    CHECK(*length < most, ARGAND_FORMAT, "%s: damaged or truncated: its header has no end", p->path);
    return ARGAND_OK;
}

/* Reads name, type and size of the attribute at an offset of the file. */
static argand_status read_start(attribute *a, const argand_picture *p, uint64_t place)
{
    unsigned char bytes[LONGEST_START];
    const size_t count = p->size - place < LONGEST_START ? (size_t)(p->size - place) : LONGEST_START;
    const char *texts = (const char *)bytes;
    size_t name, type;
    TRY(raster_read_at(p, place, bytes, count));
    TRY(measure(&name, p, texts, 0, count));
    *a = (attribute){.value = place + 1};
    if (name == 0) return ARGAND_OK;
    TRY(measure(&type, p, texts, name + 1, count));
    const size_t size = name + type + 2;
    CHECK(size + 4 <= count, ARGAND_FORMAT, "%s: damaged or truncated: it ends in its header", p->path);
    strcpy(a->name, texts);
    strcpy(a->type, texts + name + 1);
    a->value = place + size + 4;
    for (size_t i = 4; i-- > 0;) a->size = a->size << 8 | bytes[size + i];
    CHECK(a->size <= p->size - a->value, ARGAND_FORMAT,
          "%s: damaged or truncated: attribute %s claims %llu bytes", p->path, a->name,
          (unsigned long long)a->size);
    return ARGAND_OK;
}

/* Checks that a list of channels ends within its attribute: name, 16 bytes, ..., 0. */
static argand_status check_channels(const argand_picture *p, const attribute *a)
{
    uint64_t at = a->value;
    const uint64_t end = a->value + a->size;
    while (at < end) {
        unsigned char bytes[RASTER_EXR_NAME] = {0};
        const size_t count = end - at < sizeof bytes ? (size_t)(end - at) : sizeof bytes;
        TRY(raster_read_at(p, at, bytes, count));
        const size_t name = strnlen((const char *)bytes, count) + 1;
        at += name + (name > 1 ? 16 : 0);
        if (name == 1 && at == end) return ARGAND_OK;
        if (name == 1 || name > count) break;
    }
    return status_set(ARGAND_FORMAT,
                      "%s: damaged: the list %s of channels ends elsewhere than at its %llu bytes", p->path,
                      a->name, (unsigned long long)a->size);
}

static argand_status check_size(const argand_picture *p, const attribute *a)
{
    if (!strcmp(a->type, "chlist")) return check_channels(p, a);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        CHECK(strcmp(a->type, sizes[i].type) != 0 || a->size == sizes[i].size, ARGAND_FORMAT,
              "%s: damaged: attribute %s of type %s has %llu bytes, and should have %u", p->path, a->name,
              a->type, (unsigned long long)a->size, sizes[i].size);
    return ARGAND_OK;
}

static argand_status check_compression(const argand_picture *p, const attribute *a)
{
    unsigned char number;
    if (strcmp(a->name, "compression") != 0 || a->size < 1) return ARGAND_OK;
    TRY(raster_read_at(p, a->value, &number, 1));
    CHECK(number < raster_exr_file_compressions(), ARGAND_UNSUPPORTED,
          "%s: is compressed by %s (number %d), which OpenEXR %s of this build does not read; write the file "
          "with ZIP, or build Argand with a newer OpenEXR",
          p->path, compression_name(number), number, raster_exr_file_version());
    return ARGAND_OK;
}

argand_status raster_exr_check_headers(const argand_picture *p)
{
    unsigned char start[8] = {0};
    attribute a = {.value = sizeof start};
    TRY(raster_read_at(p, 0, start, p->size < sizeof start ? (size_t)p->size : sizeof start));
    CHECK(!memcmp(start, "\x76\x2f\x31\x01", 4), ARGAND_FORMAT, "%s: is no OpenEXR file", p->path);
    const bool several = start[5] & 0x10;
    bool ended = false; /* the previous byte ended a header */
    for (int i = 0; i < MOST_ATTRIBUTES; i++) {
        const uint64_t place = a.value + a.size;
        CHECK(place < p->size, ARGAND_FORMAT, "%s: damaged or truncated: it ends in its header", p->path);
        TRY(read_start(&a, p, place));
        if (!a.name[0] && (ended || !several)) return ARGAND_OK;
        ended = !a.name[0];
        TRY(check_size(p, &a));
        TRY(check_compression(p, &a));
    }
    return status_set(ARGAND_FORMAT, "%s: has more than %d attributes", p->path, MOST_ATTRIBUTES);
}
#endif
