/* SPDX-License-Identifier: BSD-3-Clause */
/* Random problems with accessors in the general form against transforms in long double: spans and borders,
 * types of storage, split parts, chains at load, spectrum and store (functions of the user's own too), sums
 * and repeats, scrambled orders, in place or not. Around every array, those of accessors too, and in each gap
 * are canaries, which must neither change nor be used; inputs must stay; another execution must give the
 * first one's bits. ARGAND_TEST_FUZZ=N: that many problems. ARGAND_TEST_SEED=S: the problem S alone;
 * ARGAND_TEST_FROM=S: those from S on. */
#include "fft/candidates.h"
#include "access_guru_reference.h"

/* ---- functions of the user's own ---- */

#define OWN(name, type, part, is_complex)                                                            \
    static void name(void *values, const void *mirror, const argand_access_run *run)                 \
    {                                                                                                \
        type *v = values;                                                                            \
        const type *m = mirror;                                                                      \
        const part *data = run->data;                                                                \
        int64_t x = run->coordinate[0];                                                              \
        for (int64_t i = 0; i < run->count; i++, x += run->axis == 0) {                              \
            const exact y = own_value(v[i], m ? m[i] : 0, x, run->parameters, (long double)data[x]); \
            v[i] = (type)(is_complex ? y : creall(y));                                               \
        }                                                                                            \
    }
OWN(own_c32, float complex, float, true)
OWN(own_c64, double complex, double, true)
OWN(own_r32, float, float, false)
OWN(own_r64, double, double, false)

static const char own_text[] =
    "DEVICE struct pair own(struct pair v, struct pair mirror, struct access_point at)\n"
    "{\n"
    "    const REAL c = COS(at.p[0]), s = SIN(at.p[0]), x = (REAL)at.i[0];\n"
    "    const REAL f = at.data[at.i[0]] * (1 + at.p[1] * x);\n"
    "    struct pair y = make_pair((v.re * c - v.im * s) * f, (v.re * s + v.im * c) * f);\n"
    "    if (at.p[2] != 0) y = make_pair(y.re + at.p[2] * mirror.re, y.im - at.p[2] * mirror.im);\n"
    "    return y;\n"
    "}\n";

static void make_call(argand_accessor *a, bool reals, bool is_double, int64_t n)
{
    a->function = reals ? (is_double ? own_r64 : own_r32) : (is_double ? own_c64 : own_c32);
    a->source = own_text;
    a->name = "own";
    a->parameters[0] = reals ? 0 : 0.7;
    a->parameters[1] = 0.5 / (double)n;
    a->parameters[2] = a->mirror ? 0.5 : 0;
}

/* ---- arrays ---- */

static void make_array(port *p)
{
    p->whole = guarded_array(p->at.type, p->at.total);
    OK(argand_array_view(&p->view, p->whole, p->at.dims, p->at.n, p->at.stride, p->at.offset));
}

static void free_port(port *p)
{
    argand_array_destroy(p->view);
    argand_array_destroy(p->whole);
    free(p->bytes);
}

/* Lengths of an accessor's array: all that are there, or 1; a function has a table along axis 0. */
static void array_shape(random_state *r, draw *d, port *p, const int64_t *n, bool table)
{
    const int dims = d->g.options.rank + d->g.options.loops;
    const bool gaps = !table && chance(r, 0.4), backwards = !table && chance(r, 0.2);
    int64_t reach = 1, low = 0, high = 0;
    p->at.dims = table ? 1 : (int)pick(r, 1, dims);
    p->at.count = 1;
    for (int i = 0; i < p->at.dims; i++) {
        p->at.n[i] = table || chance(r, 0.6) ? n[i] : 1;
        p->at.stride[i] = reach + (gaps ? pick(r, 0, 4) : 0);
        reach += p->at.stride[i] * (p->at.n[i] - 1);
        if (backwards && chance(r, 0.5)) p->at.stride[i] = -p->at.stride[i];
        *(p->at.stride[i] < 0 ? &low : &high) += (p->at.n[i] - 1) * p->at.stride[i];
        p->at.count *= p->at.n[i];
    }
    p->at.offset = guru_margin() - low;
    p->at.total = high - low + 1 + 2 * guru_margin();
}

static void make_chain(random_state *r, draw *d, argand_accessor *chain, int number, const int64_t *n,
                       bool reals)
{
    const argand_type real = draw_is_double(d) ? ARGAND_R64 : ARGAND_R32;
    for (int i = 0; i < ARGAND_MAX_ACCESSORS && chain[i].kind; i++) {
        port *p = &d->array[number][i];
        if (chain[i].kind == ARGAND_ACCESS_SCALE) continue;
        const bool table = chain[i].kind == ARGAND_ACCESS_CALL;
        p->at.type = table || reals || chance(r, 0.4) ? real : real + 2;
        p->at.size = argand_type_size(p->at.type);
        array_shape(r, d, p, n, table);
        port_random(p, r);
        make_array(p);
        OK(argand_array_upload(p->whole, p->bytes));
        chain[i].array = p->view;
        if (table) make_call(&chain[i], reals, draw_is_double(d), n[0]);
    }
}

static void make_all(draw *d, uint64_t seed)
{
    random_state r = {seed + 77};
    argand_fft_access *chains = &d->g.options.access;
    int64_t in[GURU_DIMS], out[GURU_DIMS], points[GURU_DIMS];
    for (int i = 0; i < d->in.at.dims; i++) {
        const bool loop = i >= d->g.options.rank;
        points[i] = points_along(d, i, draw_is_real(d));
        in[i] = loop ? points[i] : d->in.at.n[i];
        out[i] = loop ? points[i] : d->out.at.n[i];
    }
    port_random(&d->in, &r);
    make_array(&d->in);
    if (!d->g.in_place) {
        d->out.bytes = guru_canaries(&d->out.at);
        make_array(&d->out);
    }
    make_chain(&r, d, chains->load, LOAD, in, layout_is_real(d, false));
    make_chain(&r, d, chains->spectrum, SPECTRUM, points, false);
    make_chain(&r, d, chains->store, STORE, out, layout_is_real(d, true));
}

static void free_all(draw *d)
{
    free_port(&d->in);
    if (!d->g.in_place) free_port(&d->out);
    for (int i = 0; i < CHAINS * ARGAND_MAX_ACCESSORS; i++)
        free_port(&d->array[i / ARGAND_MAX_ACCESSORS][i % ARGAND_MAX_ACCESSORS]);
    guarded_free();
}

/* ---- execution ---- */

/* The plan, made with other scalars and parameters, and without arrays or with the same, where the call is to
 * give them. */
static argand_status make_plan(argand_fft **plan, const draw *d, uint64_t seed)
{
    argand_fft_options o = d->g.options;
    argand_accessor *const chains[CHAINS] = {o.access.load, o.access.spectrum, o.access.store};
    for (int i = 0; i < CHAINS * ARGAND_MAX_ACCESSORS && d->others; i++) {
        argand_accessor *a = &chains[i / ARGAND_MAX_ACCESSORS][i % ARGAND_MAX_ACCESSORS];
        a->scalar.re *= 2;
        a->parameters[1] = 3;
        if (seed % 3 == 0) a->array = NULL;
    }
    return argand_fft_create(plan, device, &o);
}

/* One execution from fresh buffers; the bytes of the whole output buffer. */
static unsigned char *execute(draw *d, const argand_fft *plan)
{
    const port *out = d->g.in_place ? &d->in : &d->out;
    unsigned char *bytes = malloc(out->at.size * (size_t)out->at.total);
    assert_non_null(bytes);
    OK(argand_array_upload(d->in.whole, d->in.bytes));
    if (!d->g.in_place) OK(argand_array_upload(d->out.whole, d->out.bytes));
    OK(d->others ? argand_fft_apply_access(plan, out->view, d->in.view, d->g.direction, &d->g.options.access)
                 : argand_fft_apply(plan, out->view, d->in.view, d->g.direction));
    OK(argand_array_download(out->whole, bytes));
    return bytes;
}

static bool is_unchanged(const port *p)
{
    const size_t bytes = p->at.size * (size_t)p->at.total;
    unsigned char *now = malloc(bytes);
    assert_non_null(now);
    OK(argand_array_download(p->whole, now));
    const bool same = !memcmp(now, p->bytes, bytes);
    free(now);
    return same;
}

static const char *check_inputs(const draw *d)
{
    const bool kept = !layout_is_half(d, false) || d->g.options.preserve_input;
    if (!d->g.in_place && kept && !is_unchanged(&d->in)) return "the input was changed";
    for (int i = 0; i < CHAINS * ARGAND_MAX_ACCESSORS; i++) {
        const port *p = &d->array[i / ARGAND_MAX_ACCESSORS][i % ARGAND_MAX_ACCESSORS];
        if (p->whole && !is_unchanged(p)) return "an accessor's array was changed";
    }
    return NULL;
}

/* How far a part is from what it should be, beyond its own rounding, before which doubles become floats. */
static long double beyond_rounding(argand_type part, double got, long double wanted)
{
    long double unit = 0;
    if (part == ARGAND_U8) {
        wanted = wanted < 0 ? 0 : wanted > 255 ? 255 : wanted;
        unit = 0.5L;
    }
    if (part == ARGAND_R16) unit = fmaxl(0x1p-11L * fabsl(wanted), 0x1p-25L);
    if (part == ARGAND_RB16) unit = 0x1p-8L * fabsl(wanted);
    if (part == ARGAND_R16 && fabsl(wanted) > 65000 && fabs(got) > 65000) return 0;
    if (unit > 0) unit += 0x1p-24L * fabsl(wanted);
    const long double off = fabsl((long double)got - wanted) - unit;
    return off < 0 ? 0 : off; /* NAN stays */
}

static int accessors_of(const draw *d)
{
    const argand_fft_access *a = &d->g.options.access;
    int count = 0;
    for (int i = 0; i < ARGAND_MAX_ACCESSORS; i++)
        count += (a->load[i].kind != 0) + (a->spectrum[i].kind != 0) + (a->store[i].kind != 0);
    return count;
}

/* Overwrites `bytes`. */
static const char *check_output(draw *d, unsigned char *bytes, double *error)
{
    const port *out = &d->out;
    long double size, difference = 0, norm = 0;
    exact *right = draw_reference(d, &size);
    unsigned char *before = d->g.in_place ? d->in.bytes : d->out.bytes;
    for (int64_t i = 0; i < out->at.count; i++)
        for (int part = 0; part < 2; part++) {
            const int64_t at = port_byte(out, i, part);
            if (at < 0) continue;
            const long double wanted = part ? cimagl(right[i]) : creall(right[i]);
            const long double off =
                beyond_rounding(port_part(out), decode_part(port_part(out), bytes + at), wanted);
            difference += off * off;
            norm += wanted * wanted;
            memcpy(bytes + at, before + at, argand_type_size(port_part(out)));
        }
    free(right);
    *error = (double)(sqrtl(difference) / fmaxl(sqrtl(norm), size));
    if (memcmp(bytes, before, out->at.size * (size_t)out->at.total))
        return "something was written beside the output's elements";
    const double rounds = (has_spectrum(d) ? 4 : 2) + accessors_of(d),
                 added = d->g.options.sum ? (double)d->g.lines
                                          : 0; /* one by one, the same each time where the input repeats */
    const double bound = rounds * fft_tolerance(d->g.options.type, (double)d->g.points) +
                         added * (draw_is_double(d) ? 1.2e-16 : 6e-8);
    return *error <= bound ? NULL : "wrong";
}

/* ---- problems ---- */

static void report(draw *d, uint64_t seed, const argand_fft *plan, const char *wrong, double error)
{
    static const char *const kinds = "-sac";
    const argand_fft_options *o = &d->g.options;
    const argand_accessor *const chains[CHAINS] = {o->access.load, o->access.spectrum, o->access.store};
    char name[300] = "", layouts[1500];
    int used = 0;
    if (plan) argand_fft_print(plan, name, sizeof name);
    for (int output = 0; output < 2; output++) {
        const port *p = output ? &d->out : &d->in;
        used += snprintf(layouts + used, sizeof layouts - (size_t)used, "%s %s, imaginary %lld, spans",
                         output ? "; out" : "in", argand_type_name(p->at.type), (long long)p->imaginary);
        for (int i = 0; i < o->rank; i++) {
            const argand_window *s = &layout_of(d, output)->window[i];
            used += snprintf(layouts + used, sizeof layouts - (size_t)used, " {%lld, %lld, %d}",
                             (long long)s->count, (long long)s->first, (int)s->border);
        }
    }
    used += snprintf(layouts + used, sizeof layouts - (size_t)used, "; sum %u; chains ", o->sum);
    for (int c = 0; c < CHAINS; c++)
        for (int i = 0; i <= ARGAND_MAX_ACCESSORS; i++) {
            const bool end = i == ARGAND_MAX_ACCESSORS || !chains[c][i].kind;
            used += snprintf(layouts + used, sizeof layouts - (size_t)used, "%c",
                             end ? '|' : kinds[chains[c][i].kind]);
            if (end) break;
        }
    fail_msg("seed %llu: %s (error %.3g): %s: %s%s: %s%s", (unsigned long long)seed, wrong, error,
             guru_text(&d->g), layouts, o->signal_order || o->spectrum_order ? ", scrambled" : "", name,
             d->others ? ", others" : "");
}

static void check_problem(uint64_t seed, int64_t most)
{
    draw d = draw_random(seed, most);
    argand_fft *plan = NULL;
    double error = 0;
    make_all(&d, seed);
    if (make_plan(&plan, &d, seed)) report(&d, seed, plan, argand_message(), 0);
    take_some_candidate(plan, seed);
    unsigned char *first = execute(&d, plan);
    const char *wrong = check_inputs(&d);
    for (int again = 0; again < 2 && !wrong; again++) {
        unsigned char *next = execute(&d, plan);
        if (memcmp(first, next, d.out.at.size * (size_t)d.out.at.total))
            wrong = "another execution gives other bits";
        free(next);
    }
    if (!wrong) wrong = check_output(&d, first, &error);
    if (wrong) report(&d, seed, plan, wrong, error);
    free(first);
    argand_fft_destroy(plan);
    free_all(&d);
}

static int problems(int on_host, int on_device)
{
    const char *given = getenv("ARGAND_TEST_FUZZ");
    return given ? atoi(given) : precisions() == 2 ? on_host : on_device;
}

static void some(int count, int64_t most)
{
    const char *seed = getenv("ARGAND_TEST_SEED"), *from = getenv("ARGAND_TEST_FROM");
    const uint64_t start = from ? strtoull(from, NULL, 10) : 0;
    if (seed) check_problem(strtoull(seed, NULL, 10), most);
    for (int i = 0; i < count && !seed; i++)
        if (in_part(i)) check_problem(start + (uint64_t)i, most);
}

static void small_problems(void **state)
{
    (void)state;
    some(problems(1000, 16), 1000);
}

static void large_problems(void **state)
{
    (void)state;
    some(problems(100, 4), 20000);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(small_problems), cmocka_unit_test(large_problems)};
RUN_TESTS(tests)
