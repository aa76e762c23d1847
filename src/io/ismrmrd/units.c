/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the unit of k-space positions. Trajectories usually reach the edge of k-space, N/2 cycles per
 * field of view. The possible units differ by large factors. With the matrix and the field of view,
 * usually only one unit brings the positions to the edge. */
#include <argand/io.h>

#include <math.h>
#include <stdio.h>
#include "base/pi.h"
#include "base/status.h"

static const double EDGE = 0.9, BEYOND = 1.05;

/* Units, indexed by argand_k_unit: position * measure / divisor is in cycles per field of view. */
typedef struct k_unit {
    const char *name;
    enum { NONE, ONE, PIXELS, FIELD_OF_VIEW } measure; /* factor: none, 1, pixels or mm */
    double divisor;
} k_unit;
static const k_unit units[] = {
    {"auto", NONE, 1},
    {"cycles", ONE, 1},
    {"normalised", PIXELS, 1},
    {"rad/pixel", PIXELS, TWO_PI},
    {"1/mm", FIELD_OF_VIEW, 1},
    {"1/m", FIELD_OF_VIEW, 1000},
    {"rad/mm", FIELD_OF_VIEW, TWO_PI},
    {"rad/m", FIELD_OF_VIEW, 1000 * TWO_PI},
};
enum { UNITS = sizeof units / sizeof *units };

static const k_unit *unit_of(argand_k_unit number)
{
    return (int)number >= 0 && (int)number < UNITS ? &units[number] : NULL;
}

const char *argand_k_unit_name(argand_k_unit number)
{
    const k_unit *u = unit_of(number);
    return u ? u->name : "unknown";
}

double argand_k_unit_scale(argand_k_unit number, int64_t n, double field_of_view)
{
    const k_unit *u = unit_of(number);
    if (!u || u->measure == NONE) return 0;
    return (u->measure == PIXELS ? (double)n : u->measure == FIELD_OF_VIEW ? field_of_view : 1) / u->divisor;
}

/* The largest position in each unit, as a fraction of the distance to the edge of k-space; 0: unknown. */
typedef struct shares {
    double of[UNITS], reach;
} shares;

static bool says_something(const double reach[3], const int64_t n[3], int axis)
{
    return n[axis] > 1 && reach[axis] > 0;
}

static shares shares_of(const double reach[3], const int64_t n[3], const double field_of_view[3])
{
    shares s = {.reach = fmax(reach[0], fmax(reach[1], reach[2]))};
    for (int unit = ARGAND_K_CYCLES; unit < UNITS; unit++) {
        bool known = true;
        for (int axis = 0; axis < 3; axis++) {
            const double scale = argand_k_unit_scale((argand_k_unit)unit, n[axis], field_of_view[axis]);
            if (!says_something(reach, n, axis)) continue;
            known = known && scale > 0;
            s.of[unit] = fmax(s.of[unit], reach[axis] * scale / (0.5 * (double)n[axis]));
        }
        if (!known) s.of[unit] = 0;
    }
    return s;
}

/* Returns true if positions in this unit end at the edge. Positions relative to pixels may exceed the edge
 * only by rounding; in other units gradients overshoot. */
static bool reaches_edge(const shares *s, int unit)
{
    const bool by_pixels = units[unit].measure == PIXELS;
    return s->of[unit] >= EDGE && s->of[unit] <= (by_pixels ? 1 + 1e-4 : BEYOND);
}

static bool is_within(double value, double of, double by)
{
    return fabs(value - of) < by;
}

static bool is_near(const shares *s, int unit, double by)
{
    return is_within(s->of[unit], 1, by);
}

/* Returns the unit after ARGAND_K_NORMALISED that reaches the edge; -1 if none does, UNITS if several do
 * that disagree. */
static int other_unit(const shares *s)
{
    int found = -1;
    for (int unit = ARGAND_K_RADIANS; unit < UNITS; unit++) {
        if (!reaches_edge(s, unit)) continue;
        if (found >= 0 && fabs(s->of[unit] / s->of[found] - 1) > 1e-3) return UNITS;
        if (found < 0) found = unit;
    }
    return found;
}

/* Returns the unit if it is clear, else ARGAND_K_AUTO. */
static argand_k_unit decide(const shares *s)
{
    const double cycles = s->of[ARGAND_K_CYCLES], normalised = s->of[ARGAND_K_NORMALISED];
    const int other = other_unit(s);
    const bool exact = other > 0 && other < UNITS && is_near(s, other, 0.01);
    if (!(cycles > 0) || reaches_edge(s, ARGAND_K_CYCLES)) return ARGAND_K_CYCLES;
    if (reaches_edge(s, ARGAND_K_NORMALISED))
        return exact && !is_near(s, ARGAND_K_NORMALISED, 0.02) ? ARGAND_K_AUTO : ARGAND_K_NORMALISED;
    const bool falls_short = (cycles >= 0.5 && cycles < EDGE) || (normalised >= 0.5 && normalised < EDGE);
    if (other == UNITS) return ARGAND_K_AUTO;
    if (other > 0) return falls_short && !is_near(s, other, 0.03) ? ARGAND_K_AUTO : (argand_k_unit)other;
    if (normalised <= EDGE) return normalised >= 0.5 ? ARGAND_K_NORMALISED : ARGAND_K_AUTO;
    return cycles >= 0.2 ? ARGAND_K_CYCLES
                         : ARGAND_K_AUTO; /* also beyond the edge: the reader then names the sample */
}

static argand_status refuse(const shares *s)
{
    const bool reach_one = is_within(s->of[ARGAND_K_NORMALISED], 2, 0.1);
    char each[256] = "";
    size_t used = 0;
    for (int unit = ARGAND_K_CYCLES; unit < UNITS; unit++)
        if (s->of[unit] >= 0.01 && s->of[unit] < 100 && used < sizeof each)
            used += (size_t)snprintf(each + used, sizeof each - used, "%s%s %.3g %%", used ? ", " : "",
                                     argand_k_unit_name((argand_k_unit)unit), 100 * s->of[unit]);
    return status_set(ARGAND_FORMAT,
                      "positions of k-space reach %.4g, but their unit is not clear. The fraction of the way "
                      "to the edge of the matrix is, for each unit: %s. Name the unit (--k-unit)%s",
                      s->reach, each,
                      reach_one
                          ? "; if they go from -1 to 1 between the edges of k-space, halve them and name the "
                            "unit normalised"
                          : "");
}

argand_status argand_k_unit_find(argand_k_unit *unit, const double reach[3], const int64_t n[3],
                                 const double field_of_view[3])
{
    CHECK(unit && reach && n && field_of_view, ARGAND_ARGUMENT, "argand_k_unit_find: a pointer is NULL");
    *unit = ARGAND_K_AUTO;
    for (int axis = 0; axis < 3; axis++)
        CHECK(reach[axis] >= 0 && reach[axis] < INFINITY && n[axis] >= 1, ARGAND_ARGUMENT,
              "argand_k_unit_find: axis %d reaches %g in a matrix of %lld", axis, reach[axis],
              (long long)n[axis]);
    const shares s = shares_of(reach, n, field_of_view);
    *unit = decide(&s);
    return *unit == ARGAND_K_AUTO ? refuse(&s) : ARGAND_OK;
}
