/* SPDX-License-Identifier: BSD-3-Clause */
/* Observes the library while it works: shows its stage in the live view, and stops it after Ctrl-C. */
#include "common/report.h"

static bool go_on(void *context, const argand_activity *activity)
{
    (void)context;
    report_activity(activity->stage, activity->fraction);
    return !interrupted();
}

void interrupt_watch(void)
{
    argand_observer_set(go_on, NULL);
    interrupt_catch();
}
