/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of argand basis, and the files that it writes. */
#include "basis/basis.h"
#include "common/path.h"
#include "files/sidecar.h"

#include <string.h>

static const char *const kinds[] = {"t2", "t1", "dictionary"};

static argand_status find_kind(basis_settings *s)
{
    for (int i = 0; i < 3; i++) {
        if (strcmp(s->files[0], kinds[i]) != 0) continue;
        s->kind = (basis_kind)i;
        return ARGAND_OK;
    }
    return report_error(ARGAND_ARGUMENT, "there is no signal model \"%s\": give t2, t1 or dictionary",
                        s->files[0]);
}

/* Refuses an option that the kind does not use. */
static argand_status refuse(const basis_settings *s, bool given, const char *name)
{
    if (!given) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT, "--%s has no meaning for %s: leave it out", name, s->files[0]);
}

argand_status basis_check(basis_settings *s)
{
    TRY(find_kind(s));
    const bool reads = s->kind == BASIS_DICTIONARY;
    if (s->file_count != (reads ? 4 : 2))
        return report_error(
            ARGAND_ARGUMENT,
            reads ? "dictionary reads two files and writes one: SIGNALS PARAMETERS OUT"
                  : "%s writes one file and reads none: argand basis %s OUT.npy --time-points T,T...",
            s->files[0], s->files[0]);
    TRY(refuse(s, reads && s->times, "time-points"));
    TRY(refuse(s, reads && s->range, "values"));
    TRY(refuse(s, reads && s->model.angle > 0, "angle"));
    TRY(refuse(s, !reads && s->names, "names"));
    TRY(refuse(s, s->kind != BASIS_T2 && s->model.t1 > 0, "t1"));
    TRY(refuse(s, s->kind != BASIS_T1 && s->model.repetition > 0, "repetition"));
    TRY(refuse(s, s->kind != BASIS_T1 && s->model.efficiency > 0, "efficiency"));
    if (s->kind == BASIS_T1 && s->model.angle > 0 && !(s->model.repetition > 0))
        return report_error(ARGAND_ARGUMENT,
                            "--angle %g of t1 needs the time from readout pulse to readout pulse: give "
                            "--repetition S",
                            s->model.angle);
    s->model.kind = s->kind == BASIS_T1 ? ARGAND_SIGNAL_T1 : ARGAND_SIGNAL_T2;
    return ARGAND_OK;
}

/* Splits NAME:UNIT,... into lists of names and of units, separated by commas. */
static argand_status split_names(const char *list, int64_t parameters, char *names, char *units, size_t size)
{
    int64_t count = 0;
    size_t name = 0, unit = 0;
    bool in_unit = false;
    for (const char *c = list ? list : ""; *c && name + 2 < size && unit + 2 < size; c++) {
        if (*c == ':' && !in_unit) {
            in_unit = true;
            count++;
        } else if (*c == ',') {
            names[name++] = units[unit++] = ',';
            in_unit = false;
        } else {
            *(in_unit ? &units[unit++] : &names[name++]) = *c;
        }
    }
    names[name] = units[unit] = 0;
    if (count == parameters) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "--names %s: give a name and a unit for each of %lld parameters: T1:s,T2:s",
                        list ? list : "", (long long)parameters);
}

static argand_status write_one(const basis_settings *s, const char *end, const argand_array *array,
                               const sidecar *what)
{
    char path[4200];
    const char *out = s->files[s->file_count - 1];
    const int stem = (int)path_stem(out);
    snprintf(path, sizeof path, "%.*s%s%s", stem, out, end, out + stem);
    TRY(sidecar_may_write(what, path));
    TRY(argand_array_write(path, array));
    return sidecar_write(what, path, array, "basis");
}

argand_status basis_write(const basis_settings *s, const basis_files *f)
{
    char names[64] = "", units[64] = "s";
    sidecar basis = {.kind = KIND_BASIS, .axes = "time, column"},
            signals = {.kind = KIND_OTHER, .kind_name = "dictionary", .axes = "time, atom"},
            parameters = {.kind = KIND_OTHER, .kind_name = "parameters"};
    snprintf(names, sizeof names, "%s", s->kind == BASIS_T1 ? "T1" : "T2");
    if (s->kind == BASIS_DICTIONARY)
        TRY(split_names(s->names, argand_array_dim(f->parameters, 0), names, units, sizeof names));
    snprintf(parameters.units, sizeof parameters.units, "%s", units);
    snprintf(parameters.axes, sizeof parameters.axes, "parameter (%s), atom", names);
    snprintf(basis.method, sizeof basis.method, "%s", s->files[0]);
    TRY(write_one(s, "_dictionary", f->signals, &signals));
    TRY(write_one(s, "_parameters", f->parameters, &parameters));
    return write_one(s, "", f->basis, &basis);
}
