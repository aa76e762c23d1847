/* SPDX-License-Identifier: BSD-3-Clause */
/* Finished volumes on disk: the folder OUT.parts holds a file for each, and job.json, which says what made
 * them. Job arrays (--task I/N, then argand gather OUT) and interrupted runs (--resume) need nothing else.
 *   kept.c         which volumes a process takes, reconstructs and keeps
 *   missing.c      the message about volumes that are not there
 *   deal.c         which task a volume belongs to
 *   folder.c       files of the folder: whole or absent
 *   job.c          job.json and the command lines that go on
 *   fingerprint.c  what must be equal: version, scan, options; scan_hash.c, option_values.c */
#ifndef CLI_KEPT_H
#define CLI_KEPT_H

#include "output/output.h"

enum { KEPT_PATH = 4200, KEPT_MOST_TASKS = 1000000 };

/* What the command line asks for. */
typedef struct kept_settings {
    const char *task_text; /* "3/8", parsed into: */
    int task, tasks;       /* from 1; 0: no tasks */
    bool resume;
    const char *go_on; /* command line that continues; NULL: this one with --resume or --task */
    char *options;     /* the values of all options that change images: kept_option_values */
} kept_settings;

#define KEPT_OPTIONS(k)                                                                                     \
    text_option("task", 0, &(k).task_text, "I/N",                                                           \
                "reconstruct the I-th of N parts of the volumes (I from 1) and leave them in OUT.parts; "   \
                "argand gather OUT then writes the images. For job arrays: --task $SLURM_ARRAY_TASK_ID/8. " \
                "--part I/N is the same"),                                                                  \
        flag_option("resume", 0, &(k).resume,                                                               \
                    "keep each volume in OUT.parts when it is finished, and take those that an "            \
                    "interrupted run left there. OUT.parts is removed when OUT is written")

typedef struct kept_job {
    int argument_count;
    char **arguments; /* "sense", "scan.h5", ... without --task and --resume */
    char *folder;     /* where the command was run */
    int tasks;
    char *label; /* the fingerprint, lines */
} kept_job;

typedef struct kept_run {
    output *images;
    const kept_settings *settings;
    bool on; /* false: volumes are not kept, and all other functions do nothing */
    char folder[KEPT_PATH], *label;
    int volumes, *task_of; /* of each volume, from 1, if there are tasks */
    bool *there;           /* of each volume: its file is in the folder, whole and of this job */
    char *damage;          /* what is wrong with files, a line each; NULL: nothing */
    int taken;             /* number of those that were there at the beginning and are this process's */
} kept_run;

/* Returns true if volumes are kept or taken. */
bool kept_asked(const kept_settings *s);
/* Makes --part 3/8 the same as --task 3/8; --part magnitude,phase names parts of the image. */
void kept_part_is_task(int argc, char **argv);
/* Reads --task, and records the values of a table's options if volumes are kept or taken, or `always`.
 * Returns false after an error message. */
bool kept_parse(kept_settings *s, const char *name, const option *table, int count, bool always);

/* Refuses pipes: a job array reads the scan many times, and a pipe has no folder next to it. */
argand_status kept_check(const kept_settings *s, const char *in, const char *out);
/* Opens the folder, refuses it if it is another job's, and takes the volumes that are there: into the output,
 * or only by name if the output keeps volumes apart. After `argand gather`, all must be there. Without --task
 * and --resume, only mentions a folder. Call kept_end also after a failure. */
argand_status kept_begin(kept_run *k, output *images, const kept_settings *s, const argand_scan *scan);
/* Returns true if this process must reconstruct the volume. */
bool kept_lacks(const kept_run *k, int volume);
int kept_lacking(const kept_run *k); /* number of such volumes */
/* Writes a volume that the output holds. */
argand_status kept_save(kept_run *k, int volume);
/* Says that a task is done, and how to go on. */
void kept_close_task(const kept_run *k);
/* Removes the folder, once all files are written. */
void kept_remove(const kept_run *k);
void kept_end(kept_run *k);

/* For argand gather: from now on, all volumes must be in this folder, and nothing is reconstructed. */
void kept_gather(const char *folder);
bool kept_gathering(void);

/* ---- functions that the files named above share */

int kept_count(const kept_run *k); /* number of volumes that are there */
/* Returns an error that names the missing volumes and tasks, and the commands that make them. */
argand_status kept_refuse_missing(const kept_run *k);
/* Writes the name of the folder of an output file. */
void kept_folder(char path[KEPT_PATH], const char *out);
bool kept_folder_exists(const char *folder);
argand_status kept_folder_make(const char *folder);
/* Returns the number of volumes' files in the folder. */
int kept_folder_count(const char *folder);
void kept_volume_path(char path[KEPT_PATH], const char *folder, int volume);
/* Writes a file under another name, and renames it when its data are on the disk. */
argand_status kept_file_write(const char *path, const void *data, size_t size);
/* Reads a file; *data is NULL if there is none. */
argand_status kept_file_read(const char *path, unsigned char **data, size_t *size);
/* Removes the folder's own files and, if then empty, the folder. */
void kept_folder_remove(const char *folder, report *console);

/* Reads job.json; job->label is NULL if there is none. The caller frees it in either case. */
argand_status kept_job_read(kept_job *job, const char *folder);
argand_status kept_job_write(const char *folder, int tasks, const char *label);
/* Lists main's arguments from the command's name on, without --task and --resume. The caller frees the list,
 * not the texts. */
char **kept_arguments(int *count);
/* Returns an error unless the folder is the one of kept_gather. */
argand_status kept_same_folder(const char *folder);
void kept_job_free(kept_job *job);
/* Returns the command line without --task and --resume and with `more` at its end; the caller frees it. */
char *kept_command(const char *more);

/* Makes the text that must be equal. */
argand_status kept_label(char **label, const output_run *run, const argand_scan *scan, const char *options);
/* Says which lines differ: "--iterations is 5 there and 8 here". */
void kept_difference(char *text, size_t size, const char *here, const char *there);
uint64_t kept_scan_hash(const argand_scan *scan);
/* Makes a line NAME=VALUE for each option that changes images. Files count by their contents. */
argand_status kept_option_values(char **values, const option *table, int count);

/* Fills the task of each volume, from 1. */
argand_status kept_deal(int *task_of, const argand_sense *session, int tasks);

#endif
