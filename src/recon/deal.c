/* SPDX-License-Identifier: BSD-3-Clause */
/* Deals the volumes of a session to several sessions. Units that are solved together stay together: they
 * are listed one after the other, and the list is cut into parts. */
#include "recon/session/session.h"

int argand_sense_unit(const argand_sense *s, int volume)
{
    return s && volume >= 0 && volume < s->volume_count ? s->volumes[volume].unit : -1;
}

int argand_sense_leader(const argand_sense *s, int volume)
{
    return s && volume >= 0 && volume < s->volume_count ? s->volumes[volume].leader : -1;
}

/* Returns true if a session prepares again for a unit after the one before. */
static bool prepares_again(const argand_sense *s, int unit)
{
    const int *first = s->units + s->volume_count;
    return s->volumes[s->units[first[unit]]].leader != s->volumes[s->units[first[unit - 1]]].leader;
}

/* Returns true if a cut before a unit is possible and costs nothing. */
static bool is_good(const argand_sense *s, int unit, int least, int last)
{
    return unit >= least && unit <= last && unit > 0 && unit < s->unit_count && prepares_again(s, unit);
}

/* Returns the first unit of part `part`, given that of the part before. The largest part has `most` units, so
 * that the cut must leave no more than `most` for each other part. Of the possible cuts, the nearest to an
 * even one is taken, if possible where the session prepares again in any case. */
static int cut_after(const argand_sense *s, int before, int part, int parts)
{
    const int units = s->unit_count, most = (int)(((int64_t)units + parts - 1) / parts);
    const int even = before + (units - before) / (parts - part + 1);
    const int64_t rest = units - (int64_t)(parts - part) * most, reach = (int64_t)before + most;
    const int least = (int)(rest > before ? rest : before + 1), last = (int)(reach < units ? reach : units);
    const int middle = even < least ? least : even > last ? last : even;
    for (int step = 0; step <= last - least; step++) {
        if (is_good(s, middle - step, least, last)) return middle - step;
        if (is_good(s, middle + step, least, last)) return middle + step;
    }
    return middle;
}

/* Returns the first unit of a part. If there are fewer units than parts, even cuts are the only ones. */
static int first_of(const argand_sense *s, int part, int parts)
{
    int first = 0;
    if (s->unit_count <= parts) return (int)((int64_t)s->unit_count * part / parts);
    for (int p = 1; p <= part; p++) first = cut_after(s, first, p, parts);
    return first;
}

int argand_sense_deal(const argand_sense *s, int part, int parts, int *volumes)
{
    if (!s || part < 0 || part >= parts) return 0;
    const int *first = s->units + s->volume_count;
    const int begin = first[first_of(s, part, parts)], end = first[first_of(s, part + 1, parts)];
    for (int i = begin; i < end && volumes; i++) volumes[i - begin] = s->units[i];
    return end - begin;
}
