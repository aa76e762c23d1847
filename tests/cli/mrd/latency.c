/* SPDX-License-Identifier: BSD-3-Clause */
/* Percentiles of latencies: the smallest value that so many values do not exceed. */
#include "harness.h"
#undef TRY /* the tool has its own */
#include "mrd/latency.h"

/* What the table's other functions need of the tool. */
void report_note(report *r, const char *format, ...)
{
    (void)r;
    (void)format;
}

argand_status report_error(argand_status status, const char *format, ...)
{
    (void)format;
    return status;
}

void print_json_line(const char *format, ...)
{
    (void)format;
}

/* The values 1 ... count in a mixed order. */
static latency_summary sum_of(int count)
{
    latency l = {0};
    for (int i = 0; i < count; i++) assert_int_equal(latency_add(&l, 1 + i * 7 % count), ARGAND_OK);
    const latency_summary sum = latency_sum(&l);
    latency_free(&l);
    return sum;
}

static void percentiles(void **state)
{
    (void)state;
    const latency_summary many = sum_of(1000), one = sum_of(1), few = sum_of(50), none = sum_of(0);
    assert_int_equal(many.count, 1000);
    assert_true(many.median == 500 && many.p99 == 990 && many.largest == 1000 && many.jitter == 490);
    assert_true(one.median == 1 && one.p99 == 1 && one.largest == 1 && one.jitter == 0);
    assert_true(few.median == 25 && few.p99 == 50 && few.largest == 50);
    assert_true(none.count == 0 && none.median == 0 && none.largest == 0);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(percentiles)};
RUN_TESTS(tests)
