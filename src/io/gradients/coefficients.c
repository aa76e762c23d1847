/* SPDX-License-Identifier: BSD-3-Clause */
/* Coefficients of gradient coils: Siemens's text coeff.grad. Lines without a coefficient or the radius are
 * remarks, as in the peers' readers. */
#include <argand/mri.h>
#include <ctype.h>
#include <math.h>
#include <string.h>
#include "base/files/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/status.h"

enum { LARGEST = 1 << 20, MOST_TERMS = 4096, MOST_ORDER = 30 };

static const char *skip(const char *at)
{
    while (*at == ' ' || *at == '\t') at++;
    return at;
}

/* Reads a whole number of at most 6 digits; NULL: there is none. */
static const char *read_whole(int *value, const char *at)
{
    const char *start = at = skip(at);
    for (*value = 0; isdigit((unsigned char)*at) && at - start < 6; at++) *value = 10 * *value + (*at - '0');
    return at > start && !isdigit((unsigned char)*at) ? at : NULL;
}

static const char *read_char(char c, const char *at)
{
    return at && *(at = skip(at)) == c ? at + 1 : NULL;
}

/* Returns where the coefficient begins, behind the line's number; NULL: the line is a remark. */
static const char *coefficient_in(const char *line)
{
    int number;
    const char *at = read_whole(&number, line);
    if (!at) return NULL;
    at = skip(at);
    return (*at == 'A' || *at == 'B') && *skip(at + 1) == '(' ? at : NULL;
}

/* Reads "A( 3, 0) -0.1 z". */
static bool read_term(argand_gradient_term *t, const char *at)
{
    char *end;
    t->sine = *at == 'B';
    at = read_char('(', at + 1);
    if (at) at = read_whole(&t->n, at);
    at = read_char(',', at);
    if (at) at = read_whole(&t->m, at);
    at = read_char(')', at);
    if (!at) return false;
    t->value = plain_number(at = skip(at), &end);
    if (end == at || !isfinite(t->value)) return false;
    at = skip(end);
    t->axis = *at - 'x';
    return *at >= 'x' && *at <= 'z' && t->n <= MOST_ORDER && t->m <= t->n;
}

/* Reads the radius from "0.25 m = R0"; 0: there is none. */
static double radius_in(const char *line)
{
    const char *at = strstr(line, "m = R0");
    if (!at) return 0;
    while (at > line && (at[-1] == ' ' || at[-1] == '\t')) at--;
    while (at > line && (isdigit((unsigned char)at[-1]) || at[-1] == '.')) at--;
    const double radius = 1000 * plain_number(at, NULL);
    return radius > 0 && isfinite(radius) ? radius : 0;
}

/* Returns the number of the normalisation that the line states; 4 if it states none. */
static int normalisation_in(const char *line)
{
    int value = 4;
    const char *at = strstr(line, "lnorm");
    at = at ? read_char('=', at + strlen("lnorm")) : NULL;
    return at && read_whole(&value, at) ? value : 4;
}

/* Refuses a coefficient that was there before, and linear terms of a whole field. */
static argand_status check_term(const argand_gradient_coefficients *c, const argand_gradient_term *t,
                                const char *path, int line)
{
    for (int64_t i = 0; i < c->count; i++) {
        const argand_gradient_term *o = &c->terms[i];
        CHECK(o->axis != t->axis || o->sine != t->sine || o->n != t->n || o->m != t->m, ARGAND_FORMAT,
              "%s: line %d gives %c(%d,%d) of %c a second time", path, line, t->sine ? 'B' : 'A', t->n, t->m,
              'x' + t->axis);
    }
    CHECK(t->n != 1 || fabs(t->value) < 0.5, ARGAND_FORMAT,
          "%s: line %d has the linear term %c(1,%d) = %g: the file describes the field, and not its error",
          path, line, t->sine ? 'B' : 'A', t->m, t->value);
    return ARGAND_OK;
}

static argand_status take_line(argand_gradient_coefficients *c, const char *text, const char *path, int line)
{
    const double radius = radius_in(text);
    const int norm = normalisation_in(text);
    const char *at = coefficient_in(text);
    argand_gradient_term t = {0};
    if (radius > 0) c->radius = radius;
    CHECK(norm == 4, ARGAND_FORMAT, "%s: line %d states the normalisation lnorm = %d; only 4 is known", path,
          line, norm);
    if (!at) return ARGAND_OK;
    CHECK(read_term(&t, at), ARGAND_FORMAT,
          "%s: line %d is no coefficient such as \"1 A( 3, 0) -0.1 z\" with 0 <= m <= n <= %d", path, line,
          MOST_ORDER);
    CHECK(c->count < MOST_TERMS, ARGAND_FORMAT, "%s: has more than %d coefficients", path, MOST_TERMS);
    TRY(check_term(c, &t, path, line));
    c->terms[c->count++] = t;
    return ARGAND_OK;
}

static argand_status take_text(argand_gradient_coefficients *c, char *text, size_t count, const char *path)
{
    CHECK(strlen(text) == count, ARGAND_FORMAT,
          "%s: is no text; Siemens's coefficients (coeff.grad) are read", path);
    int line = 1;
    for (char *next; text; text = next, line++) {
        next = strchr(text, '\n');
        if (next) *next++ = 0;
        TRY(take_line(c, text, path, line));
    }
    CHECK(c->count, ARGAND_FORMAT,
          "%s: holds no coefficients of Siemens's form, \"1 A( 3, 0) -0.1 z\" (coeff.grad). Other vendors' "
          "files are not read",
          path);
    CHECK(c->radius > 0, ARGAND_FORMAT, "%s: does not state the radius, \"0.25 m = R0\"", path);
    return ARGAND_OK;
}

argand_status argand_gradient_coefficients_read(argand_gradient_coefficients **coefficients, const char *path)
{
    char *text = NULL;
    size_t count = 0;
    CHECK(coefficients, ARGAND_ARGUMENT, "gradient coefficients: no place for them given");
    *coefficients = NULL;
    CHECK(path, ARGAND_ARGUMENT, "gradient coefficients: no file given");
    argand_gradient_coefficients *c = NULL;
    argand_status status = NEW(c, 1);
    if (!status) status = NEW(c->terms, MOST_TERMS);
    if (!status) status = file_read(path, LARGEST, &text, &count);
    if (!status) status = take_text(c, text, count, path);
    memory_free(text);
    if (status)
        argand_gradient_coefficients_destroy(c);
    else
        *coefficients = c;
    return status;
}

void argand_gradient_coefficients_destroy(argand_gradient_coefficients *coefficients)
{
    if (!coefficients) return;
    memory_free(coefficients->terms);
    memory_free(coefficients);
}
