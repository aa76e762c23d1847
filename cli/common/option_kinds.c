/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the entries of option tables: one function for each kind, so that the compiler checks the types of
 * values. */
#include "common/command.h"

option flag_option(const char *name, char letter, bool *value, const char *help)
{
    return (option){.name = name, .letter = letter, .kind = OPTION_FLAG, .value = value, .help = help};
}

option int_option(const char *name, char letter, int *value, const char *argument, int low, int high,
                  const char *help)
{
    return (option){.name = name,
                    .letter = letter,
                    .kind = OPTION_INT,
                    .value = value,
                    .argument = argument,
                    .help = help,
                    .low = low,
                    .high = high};
}

option double_option(const char *name, char letter, double *value, const char *argument, double low,
                     double high, const char *help)
{
    return (option){.name = name,
                    .letter = letter,
                    .kind = OPTION_DOUBLE,
                    .value = value,
                    .argument = argument,
                    .help = help,
                    .low = low,
                    .high = high};
}

option text_option(const char *name, char letter, const char **value, const char *argument, const char *help)
{
    return (option){.name = name,
                    .letter = letter,
                    .kind = OPTION_TEXT,
                    .value = value,
                    .argument = argument,
                    .help = help};
}

option text_option_or(const char *name, char letter, const char **value, const char *argument,
                      const char *otherwise, const char *ending, const char *help)
{
    option o = text_option(name, letter, value, argument, help);
    o.otherwise = otherwise;
    o.ending = ending;
    return o;
}

option choice_option(const char *name, char letter, int *value, const char *argument, const char *choices,
                     const char *help)
{
    return (option){.name = name,
                    .letter = letter,
                    .kind = OPTION_CHOICE,
                    .value = value,
                    .argument = argument,
                    .help = help,
                    .choices = choices};
}

option set_option(const char *name, char letter, int *value, const char *argument, const char *choices,
                  const char *help)
{
    option o = choice_option(name, letter, value, argument, choices, help);
    o.kind = OPTION_SET;
    return o;
}

option group_option(const char *help)
{
    return (option){.name = "", .kind = OPTION_GROUP, .help = help};
}

option sizes_option(const char *name, char letter, option_sizes *value, const char *argument,
                    const char *help)
{
    return (option){.name = name,
                    .letter = letter,
                    .kind = OPTION_SIZES,
                    .value = value,
                    .argument = argument,
                    .help = help};
}
