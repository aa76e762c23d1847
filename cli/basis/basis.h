/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of argand basis: options and computing (basis.c), kinds and files (files.c). */
#ifndef CLI_BASIS_H
#define CLI_BASIS_H

#include "common/command.h"
#include "common/report.h"

enum { BASIS_TIMES = 65536, BASIS_FILES = 4 };

typedef enum basis_kind { BASIS_T2, BASIS_T1, BASIS_DICTIONARY } basis_kind;

typedef struct basis_settings {
    common_options common;
    basis_kind kind;
    const char *files[BASIS_FILES]; /* kind, then files; the last one is OUT */
    int file_count;
    const char *times, *range, *names;
    double step; /* percent */
    int rank;
    argand_signal_options model;
    double seconds[BASIS_TIMES];
} basis_settings;

typedef struct basis_files {
    argand_array *signals, *parameters, *basis;
} basis_files;

/* Finds the kind and checks that files and options belong to it. */
argand_status basis_check(basis_settings *s);
/* Writes OUT, OUT_dictionary and OUT_parameters, with sidecars. */
argand_status basis_write(const basis_settings *s, const basis_files *f);

#endif
