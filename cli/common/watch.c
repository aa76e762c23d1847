/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library asks while it works: its stage goes to the live view, and Ctrl-C makes it stop. */
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
