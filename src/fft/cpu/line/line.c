/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses an algorithm for lines of one length, by estimate or by measurement. */
#include "fft/cpu/line/line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "fft/cpu/line/measure.h"
#include "fft/cpu/line/run.h"
#include "fft/cpu/line/algorithms.h"

/* ---- the choice ---- */

static size_t rounded(size_t bytes)
{
    return bytes > SIZE_MAX - 63 ? SIZE_MAX : (bytes + 63) / 64 * 64;
}

static argand_status make_use(line_use *use, const fft_line *line, const line_algorithm *algorithm,
                              const line_request *request)
{
    *use = (line_use){0};
    TRY(algorithm->create(&use->state, request));
    use->algorithm = algorithm;
    use->block = algorithm->block(use->state);
    use->algorithm_bytes = rounded(algorithm->work_bytes(use->state));
    use->callback_bytes = algorithm->callback_bytes ? rounded(algorithm->callback_bytes(use->state)) : 0;
    use->rotates_half = algorithm->rotates_half && algorithm->rotates_half(use->state);
    use->rotates = algorithm->rotates && algorithm->rotates(use->state);
    const size_t plain = algorithm->plain ? line_plain_bytes(line, use->block) : 0;
    use->buffer_bytes = plain > SIZE_MAX - use->algorithm_bytes ? SIZE_MAX : plain + use->algorithm_bytes;
    return ARGAND_OK;
}

static void release_use(line_use *use)
{
    if (use->algorithm) use->algorithm->destroy(use->state);
    *use = (line_use){0};
}

static const line_algorithm *cheapest(const line_request *request)
{
    const line_algorithm *best = NULL;
    double least = INFINITY;
    for (int i = 0; line_algorithms[i]; i++) {
        if (line_algorithms[i]->applicable(request)) continue;
        if (line_wants(request, line_algorithms[i]->name)) return line_algorithms[i];
        const double cost = line_algorithms[i]->cost(request);
        if (!best || cost < least) best = line_algorithms[i], least = cost;
    }
    return best;
}

/* Returns true if the algorithm is for the other kind of lines, so that the explanation can leave it out. */
static bool is_for_others(const line_algorithm *algorithm, const line_request *request)
{
    line_request other = *request;
    other.kind = request->kind == LINE_REAL ? LINE_COMPLEX : LINE_REAL;
    return algorithm->applicable(request) && !algorithm->applicable(&other);
}

/* Keeps what line_explain needs: its text takes longer than the plan of a short line. */
static void remember(line_use *use, const line_request *request, const double *measured)
{
    use->chosen = measured                                    ? LINE_MEASURED
                  : line_wants(request, use->algorithm->name) ? LINE_NAMED
                                                              : LINE_ESTIMATED;
    use->request = *request;
    use->request.wanted = NULL;
    if (measured) memcpy(use->times, measured, sizeof use->times);
}

void line_explain(const line_use *use, text *t)
{
    static const char *const how[] = {"estimated", "named", "measured"};
    const line_request *request = &use->request;
    text_add(t, "%s:", how[use->chosen]);
    const char *between = "";
    for (int i = 0; line_algorithms[i]; i++) {
        const char *why_not = line_algorithms[i]->applicable(request);
        if (is_for_others(line_algorithms[i], request)) continue;
        text_add(t, "%s%s%s ", between, line_algorithms[i] == use->algorithm ? " > " : " ",
                 line_algorithms[i]->name);
        if (why_not)
            text_add(t, "cannot: %s", why_not);
        else
            text_add(t, "%.4g ns",
                     use->chosen == LINE_MEASURED ? use->times[i] : line_algorithms[i]->cost(request));
        between = ";";
    }
}

double line_spread(const line_request *request)
{
    const int64_t points = 1 << (request->is_double ? 18 : 19);
    const bool far = request->layout == LINE_ROWS && request->lines > points / request->n;
    return far ? 0.4 * (double)request->n * (request->is_double ? 2 : 1) : 0;
}

double line_cost(const line_request *request)
{
    const line_algorithm *algorithm = cheapest(request);
    return algorithm ? algorithm->cost(request) : INFINITY;
}

static argand_status refuse(const line_request *request)
{
    text t = {0};
    for (int i = 0; line_algorithms[i]; i++)
        text_add(&t, "%s %s: %s", i ? ";" : "", line_algorithms[i]->name,
                 line_algorithms[i]->applicable(request));
    const argand_status status =
        status_set(ARGAND_UNSUPPORTED,
                   "fft: no algorithm transforms %s lines of %lld points; argand_fft_next_size gives other "
                   "lengths:%s",
                   request->kind == LINE_REAL ? "real" : "complex", (long long)request->n, text_chars(&t));
    text_free(&t);
    return status;
}

/* Times every algorithm that can do it and keeps the best. An algorithm that cannot be made is passed over,
 * unless it is the last hope. */
static argand_status measured(line_use *use, const fft_line *line, const line_request *request)
{
    double least = INFINITY, times[LINE_MOST_ALGORITHMS] = {0};
    for (int i = 0; line_algorithms[i]; i++) {
        line_use trial;
        if (line_algorithms[i]->applicable(request)) continue;
        argand_status status = make_use(&trial, line, line_algorithms[i], request);
        if (status == ARGAND_OK) status = line_measure(&times[i], line, &trial, request);
        if (status != ARGAND_OK || times[i] >= least) {
            release_use(&trial);
            if (status != ARGAND_OK) return status;
            continue;
        }
        release_use(use);
        *use = trial;
        least = times[i];
    }
    if (!use->algorithm) return refuse(request);
    remember(use, request, times);
    return ARGAND_OK;
}

static bool names_an_algorithm(const line_request *request)
{
    for (int i = 0; line_algorithms[i]; i++)
        if (line_wants(request, line_algorithms[i]->name) && !line_algorithms[i]->applicable(request))
            return true;
    return false;
}

static argand_status choose(line_use *use, const fft_line *line, const line_request *request)
{
    if (request->effort == ARGAND_MEASURE && !names_an_algorithm(request))
        return measured(use, line, request);
    const line_algorithm *algorithm = cheapest(request);
    if (!algorithm) return refuse(request);
    TRY(make_use(use, line, algorithm, request));
    remember(use, request, NULL);
    return ARGAND_OK;
}

/* Not a power of two, so that the lines of a block do not fall on the same cache sets: a factor of 2 to 3 in
 * the gathering of columns at n = 512 and 1024. */
static int64_t pitch_for(int64_t count)
{
    return (count + 7) / 8 * 8 + 8;
}

argand_status line_make(fft_line *line, const line_request *request, unsigned layouts)
{
    argand_status status = ARGAND_OK;
    *line = (fft_line){.kind = request->kind, .is_double = request->is_double, .n = request->n};
    line->pitch = pitch_for(line_count(line, false));
    for (int layout = 0; layout < LINE_LAYOUTS && status == ARGAND_OK; layout++) {
        line_request one = *request;
        one.layout = (line_layout)layout;
        if (layouts >> layout & 1) status = choose(&line->use[layout], line, &one);
    }
    if (status != ARGAND_OK) line_release(line);
    return status;
}

void line_release(fft_line *line)
{
    for (int layout = 0; layout < LINE_LAYOUTS; layout++) release_use(&line->use[layout]);
}

void line_print(const fft_line *line, text *t)
{
    const char *before = "";
    for (int layout = 0; layout < LINE_LAYOUTS; layout++) {
        const line_use *use = &line->use[layout];
        if (!use->algorithm || (layout && line->use[0].algorithm == use->algorithm)) continue;
        text_add(t, "%s", before);
        use->algorithm->print(use->state, t);
        before = " ";
    }
}
