/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the commands of `argand calibrate` and `argand map` once their options are parsed. */
#include "calibrate/calibrate.h"

#include <stdio.h>
#include <string.h>

/* Returns the exit code. The message names the input, unless it names that or an option already. */
static int fail(report *out, argand_status status, const char *input)
{
    char text[4096];
    snprintf(text, sizeof text, "%s", report_message());
    if (!strstr(text, input) && strncmp(text, "--", 2) != 0) report_error(status, "%s: %s", input, text);
    return report_failure(out, status);
}

int calibrate_run(const calibrate_job *job)
{
    argand_device *device;
    report out;
    report_begin(&out, job->name, job->common);
    interrupt_watch();
    argand_status status =
        job->any_device ? common_open(job->common, &device) : common_open_host(job->common, &device);
    if (status) return report_failure(&out, status);
    status = job->work(job->settings, device, &out);
    argand_device_close(device);
    if (status) return fail(&out, status, job->input);
    if (job->output) {
        char text[4200];
        report_result(&out, "\"output\":%s", json_string(text, sizeof text, job->output));
    }
    return 0;
}
