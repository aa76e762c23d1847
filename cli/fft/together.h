/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_FFT_TOGETHER_H
#define CLI_FFT_TOGETHER_H

#include "common/report.h"

/* Does job 0, 1 ... of `count`, by several threads, and reports the progress. Ends with the first failure,
 * whose message report_error then has. */
argand_status work_together(argand_status (*job)(void *context, int number), void *context, int count,
                            int threads, report *out);

#endif
