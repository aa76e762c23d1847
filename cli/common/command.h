/* SPDX-License-Identifier: BSD-3-Clause */
/* A command is one file: its settings, its table of options, what it does. argand.c lists the commands; help
 * is printed from the same tables that are parsed. A command returns its exit code: 0, or an argand_status.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <argand/argand.h>
#include <stdio.h>

typedef struct command {
    const char *name;                  /* "info" */
    const char *summary;               /* one line for `argand --help` */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
} command;

typedef enum option_kind {
    OPTION_FLAG,   /* bool: set to true */
    OPTION_INT,    /* int between low and high */
    OPTION_DOUBLE, /* double between low and high */
    OPTION_TEXT,   /* const char *; with `otherwise` the value may be left out */
    OPTION_CHOICE, /* int: which of `choices`, a list divided by '|' */
    OPTION_SET,    /* int: a bit for each of `choices` that is named, "a,b" */
    OPTION_SIZES   /* option_sizes: 128 or 128x128 or 64x64x16 */
} option_kind;

typedef struct option_sizes {
    int rank; /* 0 where not given */
    int64_t n[3];
} option_sizes;

typedef struct option {
    const char *name; /* "iterations": --iterations N, --iterations=N */
    char letter;      /* 'n': -n N; 0 for none */
    option_kind kind;
    void *value;          /* holds the default before, which help prints */
    const char *argument; /* "N" */
    const char *help;
    double low, high; /* limits of numbers, both included; no limits where equal */
    const char *choices;
    const char *otherwise; /* OPTION_TEXT: the value of --name alone; the next word counts as one only if it
                              ends in `ending` */
    const char *ending;
} option;

/* Options that all commands share; put COMMON_OPTIONS(common) at the end of a table. */
typedef struct common_options {
    const char *device;
    int threads;
    bool json, quiet;
} common_options;

#define COMMON_OPTIONS(c)                                                         \
    {.name = "device",                                                            \
     .kind = OPTION_TEXT,                                                         \
     .value = &(c).device,                                                        \
     .argument = "NAME",                                                          \
     .help = "where to compute: cpu, cuda:0, opencl:0; auto"},                    \
        {.name = "threads",                                                       \
         .kind = OPTION_INT,                                                      \
         .value = &(c).threads,                                                   \
         .argument = "N",                                                         \
         .help = "CPU threads; 0 means all",                                      \
         .high = 4096},                                                           \
        {.name = "json",                                                          \
         .kind = OPTION_FLAG,                                                     \
         .value = &(c).json,                                                      \
         .help = "one JSON event a line on standard output"},                     \
    {                                                                             \
        .name = "quiet", .letter = 'q', .kind = OPTION_FLAG, .value = &(c).quiet, \
        .help = "no progress bar, no notes"                                       \
    }

/* How a raw data file is read, for the commands that take one; SCAN_OPTIONS(reading) goes into their tables.
 */
typedef struct scan_reading {
    const char *group;
    int k_unit;
    bool y_fastest, time_from_echo;
    int bands;
    bool no_images; /* files without image data are read too */
} scan_reading;

#define SCAN_OPTIONS(r)                                                                          \
    {.name = "group",                                                                            \
     .kind = OPTION_TEXT,                                                                        \
     .value = &(r).group,                                                                        \
     .argument = "NAME",                                                                         \
     .help = "group of the HDF5 file"},                                                          \
        {.name = "k-unit",                                                                       \
         .kind = OPTION_CHOICE,                                                                  \
         .value = &(r).k_unit,                                                                   \
         .argument = "UNIT",                                                                     \
         .help = "unit of the trajectory",                                                       \
         .choices = "auto|cycles|normalised"},                                                   \
        {.name = "y-fastest",                                                                    \
         .kind = OPTION_FLAG,                                                                    \
         .value = &(r).y_fastest,                                                                \
         .help = "the scan's maps are y fastest (files of forge and PowerGrid)"},                \
        {.name = "time-from-echo",                                                               \
         .kind = OPTION_FLAG,                                                                    \
         .value = &(r).time_from_echo,                                                           \
         .help = "count time from the echo instead of the excitation"},                          \
    {                                                                                            \
        .name = "bands", .kind = OPTION_INT, .value = &(r).bands, .argument = "N",               \
        .help = "slices that were excited together; 0: as the header says", .low = 0, .high = 64 \
    }

argand_status scan_open(argand_scan **scan, const char *path, const scan_reading *reading);

#define TRY(call)                                \
    do {                                         \
        const argand_status try_status = (call); \
        if (try_status) return try_status;       \
    } while (0)

/* Seconds of a clock that only goes forward. */
double seconds_now(void);

typedef struct command_line {
    const char *usage;       /* "argand sense IN.h5 OUT.nii.gz [options]" */
    const char *description; /* paragraphs */
    const char *examples;    /* lines */
    const option *options;
    int option_count;
    int positional_least, positional_most;
    const char **positional; /* filled; room for positional_most */
    int positional_count;
} command_line;

/* Parses; prints help or the error itself. True to go on; otherwise *exit_code is what to return. */
bool command_parse(command_line *line, int argc, char **argv, int *exit_code);

/* The same for commands with a file to read and one to write, which may be left out (NULL) where
 * positional_least is 1. */
bool command_parse_files(command_line *line, int argc, char **argv, int *exit_code, const char **input,
                         const char **output);

/* Opens the device that the common options name. */
argand_status common_open(const common_options *common, argand_device **device);

/* For commands that compute on the CPU alone: "cpu" where no device is named, whatever ARGAND_DEVICE says. */
argand_status common_open_host(const common_options *common, argand_device **device);

/* A file to read, never waited for: NULL with errno where there is none; EISDIR for folders, pipes and
 * devices. */
FILE *open_plain_file(const char *path);

/* True after Ctrl-C (SIGINT), SIGTERM or SIGHUP, once interrupt_watch was called. A command that has not
 * returned within a second, deep in somebody's library, is ended: its unfinished files are removed, and
 * nothing was written. So does a second signal. */
void interrupt_watch(void);
bool interrupted(void);
/* While held, only the flag is set: files are being put into their places. */
void interrupt_hold(bool held);
/* The command's name, for what is said then; with --json as an event, too. */
void interrupt_words(const char *name, bool json);

#endif
