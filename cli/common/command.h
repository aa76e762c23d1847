/* SPDX-License-Identifier: BSD-3-Clause */
/* A command is one file: its settings, its table of options, its function. argand.c lists the commands.
 * Help is printed from the same tables that are parsed. A command returns its exit code: 0, or an
 * argand_status. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <argand/argand.h>
#include <stdio.h>

typedef struct command command;
struct command {
    const char *name;                  /* "info" */
    const char *summary;               /* one line for `argand --help` */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
    /* What the first argument may name, each with options of its own, up to one without a name; NULL:
     * none. */
    const command *parts;
};

/* All commands, then NULL. */
extern const command *const commands[];
/* Return the command of this name, or the part of a command; NULL: none. */
const command *command_find(const char *name);
const command *command_part(const command *c, const char *name);
/* Says that there is no such command, and which one is near; returns the exit code. who: "" or the
 * command. */
int command_unknown(const char *who, const char *name);
/* Runs the part that argv[1] names, or prints how to call it, the parts and, on request, the description.
 * kind: "KIND", what a part is called in the line of usage; rest: what follows it. */
int command_run_part(const command *c, const char *kind, const char *rest, const char *description, int argc,
                     char **argv);

typedef enum option_kind {
    OPTION_FLAG,   /* bool: set to true */
    OPTION_INT,    /* int between low and high */
    OPTION_DOUBLE, /* double between low and high */
    OPTION_TEXT,   /* const char *; with `otherwise` the value is optional */
    OPTION_CHOICE, /* int: the index in `choices`, a list divided by '|' */
    OPTION_SET,    /* int: a bit for each of `choices` in the list "a,b" */
    OPTION_SIZES,  /* option_sizes: 128 or 128x128 or 64x64x16 */
    OPTION_GROUP   /* no option: a heading in help for the options after it */
} option_kind;

typedef struct option_sizes {
    int rank; /* 0 if not given */
    int64_t n[3];
} option_sizes;

typedef struct option {
    const char *name; /* "iterations": --iterations N, --iterations=N */
    char letter;      /* 'n': -n N; 0 for none */
    option_kind kind;
    void *value;          /* before parsing: the default, which help prints */
    const char *argument; /* "N" */
    const char *help;
    double low, high; /* limits of numbers, both included; none if equal */
    const char *choices;
    /* OPTION_TEXT: the value of --name alone. The next argument is taken as the value only if it ends in
     * `ending`. */
    const char *otherwise;
    const char *ending;
} option;

/* Functions that make table entries, one for each kind with the type of its value. letter: 0 for none. */
option flag_option(const char *name, char letter, bool *value, const char *help);
option int_option(const char *name, char letter, int *value, const char *argument, int low, int high,
                  const char *help);
option double_option(const char *name, char letter, double *value, const char *argument, double low,
                     double high, const char *help);
option text_option(const char *name, char letter, const char **value, const char *argument, const char *help);
option text_option_or(const char *name, char letter, const char **value, const char *argument,
                      const char *otherwise, const char *ending, const char *help);
option choice_option(const char *name, char letter, int *value, const char *argument, const char *choices,
                     const char *help);
option set_option(const char *name, char letter, int *value, const char *argument, const char *choices,
                  const char *help);
option group_option(const char *help);
option sizes_option(const char *name, char letter, option_sizes *value, const char *argument,
                    const char *help);

/* choices.c: returns the names of a library enumeration as the choices of an option, "auto|cg|...", in
 * lower case and in the order of the values. The text stays valid. */
typedef enum choice_list {
    CHOICE_TRANSFORMS,
    CHOICE_INTERPOLATORS,
    CHOICE_SOLVERS,
    CHOICE_TOEPLITZ_USES,
    CHOICE_COILS,
    CHOICE_DENSITIES,
    CHOICE_BORDERS,
    CHOICE_K_UNITS,
    CHOICE_TRAJECTORIES,
    CHOICE_LISTS
} choice_list;
const char *choices_of(choice_list list);
int choice_named(choice_list list, const char *name); /* returns the value of a name; -1: unknown name */

/* Options of all commands; put COMMON_OPTIONS(common) at the end of a table. */
typedef struct common_options {
    const char *device;
    int threads;
    bool json, quiet;
    int progress; /* 1: JSON lines, as forge's viewer reads them */
} common_options;

#define COMMON_OPTIONS(c)                                                                                  \
    text_option("device", 0, &(c).device, "NAME",                                                          \
                "device to compute on: cpu, cuda:0, opencl:0, auto; sense, pcsense, grappa and grid take " \
                "lists (cuda:0-3). Default: ARGAND_DEVICE, else "                                          \
                "the first of argand devices"),                                                            \
        COMMON_OPTIONS_BUT_DEVICE(c)

#define COMMON_OPTIONS_BUT_DEVICE(c)                                                                    \
    int_option("threads", 0, &(c).threads, "N", 0, 4096, "number of CPU threads; 0 uses all"),          \
        flag_option("json", 0, &(c).json, "write events to standard output, one JSON object per line"), \
        flag_option("quiet", 'q', &(c).quiet, "show neither progress nor notes"),                       \
        choice_option("progress", 0, &(c).progress, "HOW", "auto|jsonl",                                \
                      "jsonl writes progress to standard error, one JSON object per line, as forge's "  \
                      "viewer reads it")

/* Options that say how a raw data file is read; SCAN_OPTIONS(reading) puts them into a command's table. */
typedef struct scan_reading {
    const char *group;
    int k_unit;
    bool y_fastest, time_from_echo;
    int bands, blips;
    bool no_images;     /* also read files without image data */
    bool no_trajectory; /* positions come from a sequence, not from --trajectory */
    bool pipes;         /* named pipes are waited for; other commands refuse them */
} scan_reading;

#define K_UNIT_OPTION(unit)                                                                          \
    choice_option("k-unit", 0, &(unit), "UNIT", choices_of(CHOICE_K_UNITS),                          \
                  "unit of the trajectory; auto takes the unit in which the trajectory reaches the " \
                  "edge of the matrix")

#define SCAN_OPTIONS(r)                                                                               \
    text_option("group", 0, &(r).group, "NAME",                                                       \
                "group of the HDF5 file that holds the scan; in a Siemens raw file, the number of "   \
                "the measurement (by default the last)"),                                             \
        K_UNIT_OPTION((r).k_unit),                                                                    \
        flag_option("y-fastest", 0, &(r).y_fastest,                                                   \
                    "read the maps in the scan file with y as the fastest axis, as forge and "        \
                    "PowerGrid write them"),                                                          \
        flag_option("time-from-echo", 0, &(r).time_from_echo,                                         \
                    "count sample times from the echo. Default: from the excitation"),                \
        int_option("bands", 0, &(r).bands, "N", 0, 64,                                                \
                   "number of simultaneously excited slices (multiband factor); 0 reads it from the " \
                   "header"),                                                                         \
        int_option("blips", 0, &(r).blips, "N", -64, 64,                                              \
                   "blips shift simultaneous slices by 1/N of the field of view from slice to slice " \
                   "(blipped CAIPI), or to the other side if N is negative. Default 0: kz of the file")

/* Refuses the name of a scan to write if it has the ending of images, arrays or pictures. */
argand_status scan_name_check(const char *path);
/* Refuses a name that does not have the ending of an array file. */
argand_status array_name_check(const char *path);
argand_status scan_open(argand_scan **scan, const char *path, const scan_reading *reading);

#define TRY(call)                                \
    do {                                         \
        const argand_status try_status = (call); \
        if (try_status) return try_status;       \
    } while (0)

/* Returns the seconds of a monotonic clock. */
double seconds_now(void);

typedef struct command_line {
    const char *usage;       /* "argand sense IN.h5 OUT.nii.gz [options]" */
    const char *description; /* paragraphs */
    const char *examples;    /* lines */
    const option *options;
    int option_count;
    const char **files[4]; /* receive the arguments that are not options, in order, up to a NULL */
    int positional_least, positional_most;
    const char **positional; /* used if `files` is empty: filled; has positional_most elements */
    int positional_count;
} command_line;

/* Sets a command_line's options to all options of this array. */
#define OPTION_TABLE(table) .options = (table), .option_count = sizeof(table) / sizeof *(table)

/* Parses the command line; prints help or the error itself. Returns true to continue; otherwise return
 * *exit_code. Arguments after the first positional_least are optional; their elements of `files` keep
 * their value. */
bool command_parse(command_line *line, int argc, char **argv, int *exit_code);

/* Opens the device that the common options name. */
argand_status common_open(const common_options *common, argand_device **device);

/* For commands that compute on the CPU only: opens "cpu" if no device is named, whatever ARGAND_DEVICE
 * says. */
argand_status common_open_host(const common_options *common, argand_device **device);

/* Opens a file for reading without ever waiting. Returns NULL and sets errno if there is none; EISDIR for
 * folders, pipes and devices. */
FILE *open_plain_file(const char *path);

/* interrupted() returns true after Ctrl-C (SIGINT), SIGTERM or SIGHUP, once interrupt_watch was called. If
 * the command does not return within a second, or at a second signal, the process removes its unfinished
 * files and exits; nothing was written. */
void interrupt_watch(void);
bool interrupted(void);
/* Catches the signals only; interrupt_watch also sets the library's observer. */
void interrupt_catch(void);
/* Forgets a signal: a server's worker that was told to stop reports the reason itself. */
void interrupt_forget(void);
/* While held, a signal only sets the flag, because files are being moved to their places. */
void interrupt_hold(bool held);
/* Sets the command's name for the message after a signal, and with json also an event. */
void interrupt_message(const char *name, bool json);
/* Replaces "nothing was written" in that message: says what is left and how to go on. */
void interrupt_left(const char *text);
/* Ctrl-C then prints nothing: another process speaks for this one. */
void interrupt_silent(void);
/* Returns the message without the command's name. */
const char *interrupt_reason(void);

#endif
