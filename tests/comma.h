/* SPDX-License-Identifier: BSD-3-Clause */
/* A locale whose decimal point is a comma. */
#ifndef TESTS_COMMA_H
#define TESTS_COMMA_H

#include <locale.h>
#include <unistd.h>
#include "harness.h"

static inline bool is_comma(void)
{
    return localeconv()->decimal_point[0] == ',';
}

/* German, for example; made in a folder of its own where it is not installed. false where localedef cannot.
 */
static inline bool set_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "pl_PL.UTF-8"};
    char folder[] = "/tmp/argand_locale.XXXXXX", command[200];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i]) && is_comma()) return true;
    if (!mkdtemp(folder)) return false;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 --no-archive %s/de_DE.UTF-8 >%s/out 2>&1",
             folder, folder);
    const bool made =
        system(command) == 0 && !setenv("LOCPATH", folder, 1) && setlocale(LC_ALL, "de_DE.UTF-8");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 && made && is_comma();
}

#endif
