/* SPDX-License-Identifier: BSD-3-Clause */
/* Inner products, agreement and random numbers for operators whose range is spread over ranks (spread.h). The
 * callers are the solvers and argand_op_check. */
#include "op/spread.h"

#include "array/scalars.h"
#include "base/memory.h"

void meeting_begin(op_meeting *m)
{
    if (m) m->told = false;
}

argand_status meeting_end(op_meeting *m, argand_status status)
{
    return m && !m->told ? m->meet(m, status, NULL, 0) : status;
}

void spread_begin(op_spread *s)
{
    meeting_begin(s ? s->meeting : NULL);
}

argand_status spread_end(op_spread *s, argand_status status)
{
    return meeting_end(s ? s->meeting : NULL, status);
}

argand_status spread_meet(op_spread *s, argand_status mine)
{
    return s ? s->meeting->meet(s->meeting, mine, NULL, 0) : mine;
}

argand_status spread_sum(op_spread *s, double *numbers, int count)
{
    for (int done = 0; s && done < count; done += SPREAD_NUMBERS)
        TRY(s->meeting->meet(s->meeting, ARGAND_OK, numbers + done,
                             count - done < SPREAD_NUMBERS ? count - done : SPREAD_NUMBERS));
    return ARGAND_OK;
}

argand_status spread_same(op_spread *s, double *numbers, int count)
{
    for (int i = 0; i < count && s && s->meeting->rank; i++) numbers[i] = 0;
    return spread_sum(s, numbers, count);
}

argand_status spread_refuse(const argand_op *part, const char *who)
{
    CHECK(!part || (!part->spread && !part->domain_spread), ARGAND_UNSUPPORTED,
          "argand_op_%s: the data of \"%s\" are spread over ranks; apply argand_op_across to the whole "
          "operator instead of its parts",
          who, part->name);
    return ARGAND_OK;
}

argand_status spread_dot_host(op_spread *s, double *product, const argand_array *x, const argand_array *y)
{
    argand_scalar dot;
    TRY(argand_array_dot(&dot, x, y));
    *product = dot.re;
    return spread_sum(s, product, 1);
}

/* Replaces numbers[at] on the device by its sum. */
static argand_status sum_number(op_spread *s, argand_array *numbers, int at)
{
    const int64_t one = 1;
    argand_array *number;
    double value;
    float narrow;
    TRY(argand_array_view(&number, numbers, 1, &one, &one, at));
    const bool wide = type_is_double(numbers->type);
    argand_status status = argand_array_download(number, wide ? (void *)&value : &narrow);
    if (!wide) value = (double)narrow;
    if (status == ARGAND_OK) status = spread_sum(s, &value, 1);
    narrow = (float)value;
    if (status == ARGAND_OK) status = argand_array_upload(number, wide ? (const void *)&value : &narrow);
    argand_array_destroy(number);
    return status;
}

argand_status spread_dot(op_spread *s, argand_array *numbers, int at, double factor, const argand_array *x,
                         const argand_array *y)
{
    TRY(scalars_dot(numbers, at, factor, x, y, false));
    return s ? sum_number(s, numbers, at) : ARGAND_OK;
}

argand_status spread_read(op_spread *s, double *values, const argand_array *numbers)
{
    TRY(scalars_read(values, numbers));
    return spread_same(s, values, (int)numbers->count);
}

int64_t spread_own(const op_spread *s, const argand_array *array)
{
    return s ? s->place.count : argand_array_count(array);
}

double spread_count(const op_spread *s, const argand_array *array)
{
    return (double)(s ? s->place.whole : argand_array_count(array));
}

int64_t spread_place(const op_spread *s, int64_t i)
{
    return s ? s->place.first + i / s->place.run * s->place.stride + i % s->place.run : i;
}

argand_status spread_normal(const op_spread *s, argand_array *array, random_state *random, double sigma)
{
    const argand_type type = argand_array_type(array);
    const int64_t width = type_is_complex(type) ? 2 : 1, own = spread_own(s, array);
    const bool wide = type_is_double(type);
    char *host; /* zeros */
    TRY(memory_new(&host, (size_t)argand_array_count(array), argand_type_size(type)));
    for (int64_t i = 0; i < own; i++) {
        random_state mine = *random;
        random_skip(&mine, (uint64_t)(spread_place(s, i) * width) * RANDOM_NORMAL_DRAWS);
        for (int64_t j = width * i; j < width * (i + 1); j++) {
            const double number = sigma * random_normal(&mine);
            if (wide)
                ((double *)(void *)host)[j] = number;
            else
                ((float *)(void *)host)[j] = (float)number;
        }
    }
    random_skip(random, (uint64_t)(s ? s->place.whole : own) * (uint64_t)width * RANDOM_NORMAL_DRAWS);
    const argand_status status = argand_array_upload(array, host);
    memory_free(host);
    return status;
}
