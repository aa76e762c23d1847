/* SPDX-License-Identifier: BSD-3-Clause */
/* The work of one rank: its session, its volumes, what it puts out (job.c). run.c makes one job, or one
 * for each device of a list. */
#ifndef CLI_SENSE_JOB_H
#define CLI_SENSE_JOB_H

#include <pthread.h>

#include "sense/gfactor.h"
#include "sense/inputs.h"
#include "sense/noise.h"
#include "sense/ranks.h"
#include "sense/study.h"

typedef struct job {
    const sense_settings *settings;
    sense_ranks *ranks;
    argand_device *device;
    report *out;
    const argand_scan *scan;
    const argand_epi *epi; /* NULL: none */
    argand_sense_options options;
    argand_sense *session;
    sense_inputs in;
    sense_noise noise;
    sense_gfactor gfactor;
    output images;
    kept_run kept;
    char mark[STUDY_MARK];
    report own; /* of a thread that rank 0 speaks for */
    pthread_t thread;
} job;

/* Reads the files that the options name. */
argand_status job_begin(job *j, const argand_scan *scan);
/* Opens session and output, and reconstructs the rank's volumes. Rank 0 then has those of all. */
argand_status job_run(job *j);
/* Rank 0 writes the files; all ranks get the status. */
argand_status job_write(job *j);
void job_end(job *j);

#endif
