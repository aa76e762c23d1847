/* SPDX-License-Identifier: BSD-3-Clause */
/* Data that the parts of the reader of MRD version 2 share while they read one file. The parts in the order
 * in which they run: json (the text of the schema), schema (types from it), values (bytes of the file by
 * their types), header (ISMRMRD's header from a record), acquisition (heads), read (the file).
 *
 * The format is yardl's compact binary encoding (https://microsoft.github.io/yardl): the file begins with
 * its own schema. Types are taken from it, and fields are found by their names, so that all versions of
 * MRD's model (https://github.com/ismrmrd/mrd) are read alike. */
#ifndef IO_MRD2_MRD2_H
#define IO_MRD2_MRD2_H

#include "io/scans/scans.h"

/* ---- the schema's text */

typedef enum json_kind { JSON_NULL, JSON_OTHER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_kind;

/* A value; numbers and truth values are JSON_OTHER. */
typedef struct json_node {
    json_kind kind;
    const char *name;              /* key of a member; "" otherwise */
    const char *chars;             /* of a string or number */
    struct json_node *child;       /* first element or member */
    struct json_node *next;        /* in the same array or object */
    const struct mrd2_type *known; /* type that was made of it */
} json_node;

/* Parses a text in place: strings are ended by NUL. *nodes is the root, to be freed. */
argand_status mrd2_parse_json(json_node **nodes, char *chars, size_t length, const char *path);
/* Returns a member of an object; NULL if there is none. */
json_node *json_member(const json_node *object, const char *name);

/* ---- types */

typedef enum mrd2_kind {
    MRD2_BYTES,  /* `size` bytes: floats, complex numbers, bytes */
    MRD2_WHOLE,  /* a varint */
    MRD2_SIGNED, /* a varint, zigzag */
    MRD2_STRING,
    MRD2_UNION,  /* `parts` are cases; one without a type is null */
    MRD2_VECTOR, /* of `item`; `length` 0: as the file says */
    MRD2_ARRAY,  /* of `item`; `rank` -1: as the file says */
    MRD2_MAP,    /* from `key` to `item` */
    MRD2_RECORD, /* `parts` are fields */
    MRD2_STREAM  /* of `item` */
} mrd2_kind;

enum { MRD2_MOST_RANK = 8, MRD2_DEEPEST = 40 };

/* A field of a record or a case of a union. */
typedef struct mrd2_part {
    const char *name;
    const struct mrd2_type *type; /* NULL: null */
} mrd2_part;

typedef struct mrd2_type {
    mrd2_kind kind;
    const char *name; /* of a primitive, as yardl spells it; "" otherwise */
    int size;         /* of MRD2_BYTES */
    const struct mrd2_type *key, *item;
    uint64_t length;
    int rank;
    uint64_t dims[MRD2_MOST_RANK]; /* 0: as the file says */
    const mrd2_part *parts;
    int part_count;
    const json_node *symbols; /* values of an enumeration; NULL: it is none */
} mrd2_type;

/* The types of a schema; pointers to them stay valid. */
typedef struct mrd2_schema {
    const char *path;
    char *chars;
    json_node *root;
    mrd2_type *types;
    mrd2_part *parts;
    int type_count, part_count, steps;
} mrd2_schema;

/* Takes the schema's text, which the schema owns afterwards. */
argand_status mrd2_schema_read(mrd2_schema *schema, char *chars, size_t length);
void mrd2_schema_free(mrd2_schema *schema);
/* Makes the type of a step of the protocol. */
argand_status mrd2_type_of(const mrd2_type **type, mrd2_schema *schema, json_node *node);

/* ---- values */

typedef struct mrd2_file {
    const char *path;
    int descriptor;
    uint64_t at, size; /* position and size, bytes */
    uint64_t kept_at;  /* place of `kept` in the file */
    size_t kept_count;
    uint8_t kept[1 << 16];
    mrd2_schema schema;
    uint64_t *places; /* of each acquisition: samples, then trajectory */
    int64_t count, reserved;
    int64_t images, waveforms, others;
    bool closed, centred, offsets, extra; /* offsets: phase offsets of samples; extra: more user values */
} mrd2_file;

/* Reads bytes and moves on; `to` NULL skips them. */
argand_status mrd2_take(mrd2_file *file, void *to, uint64_t bytes, const char *what);
argand_status mrd2_take_whole(uint64_t *value, mrd2_file *file);
/* Skips a value of any type. */
argand_status mrd2_skip(mrd2_file *file, const mrd2_type *type, int depth);
/* Takes the case of a union; *type is NULL for null. A type that is no union is its own only case. */
argand_status mrd2_take_case(const mrd2_part **chosen, mrd2_file *file, const mrd2_type **type);
/* Takes a number of any type; whole ones are exact up to 2^53. */
argand_status mrd2_take_number(double *value, mrd2_file *file, const mrd2_type *type);
/* Takes a string of at most size - 1 bytes. */
argand_status mrd2_take_string(char *chars, size_t size, mrd2_file *file);
/* Takes the number of elements of a vector, or the dimensions of an array. */
argand_status mrd2_take_length(uint64_t *length, mrd2_file *file, const mrd2_type *type);
argand_status mrd2_take_dims(uint64_t dims[MRD2_MOST_RANK], int *rank, mrd2_file *file,
                             const mrd2_type *type);

/* ---- what the values mean */

/* Makes ISMRMRD's header of a record. */
argand_status mrd2_take_header(text *xml, mrd2_file *file, const mrd2_type *type);
/* Takes an acquisition's head, and the places of its samples and its trajectory in the file. */
argand_status mrd2_take_acquisition(ismrmrd_head *head, uint64_t places[2], mrd2_file *file,
                                    const mrd2_type *type);

#endif
