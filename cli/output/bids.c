/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the names of images in a folder of BIDS derivatives, and writes its dataset_description.json. What
 * --bids-name does not say comes from the scan's header, with a note.
 * https://bids-specification.readthedocs.io, Common principles. */
#include "output/bids.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/json_write.h"

/* The entities of a name, in BIDS's order. The others are those of what is written: echo, part, desc. */
enum { SUBJECT, SESSION, TASK, ENTITIES = 8, ENTITY_TEXT = 64 };
static const char *const entities[ENTITIES] = {"sub", "ses", "task", "acq", "ce", "rec", "dir", "run"};

typedef struct bids_name {
    char values[ENTITIES][ENTITY_TEXT]; /* "": none */
    const char *suffix;                 /* NULL: none */
} bids_name;

static const struct {
    const char *suffix, *folder;
} kinds[] = {{"bold", "func"},      {"sbref", "func"}, {"cbv", "func"},   {"T1w", "anat"},
             {"T2w", "anat"},       {"PDw", "anat"},   {"FLAIR", "anat"}, {"T2starw", "anat"},
             {"MEGRE", "anat"},     {"MESE", "anat"},  {"angio", "anat"}, {"inplaneT1", "anat"},
             {"inplaneT2", "anat"}, {"dwi", "dwi"},    {"asl", "perf"},   {"m0scan", "perf"},
             {"epi", "fmap"}};

/* Returns the index of a suffix, or -1. */
static int kind_of(const char *suffix)
{
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++)
        if (!strcmp(kinds[i].suffix, suffix)) return i;
    return -1;
}

/* ------------------------------------------------------------------------------------ parts of a name */

static argand_status refuse_suffix(const char *suffix)
{
    char all[300];
    int used = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        used += snprintf(all + used, sizeof all - (size_t)used, "%s%s", i ? ", " : "", kinds[i].suffix);
    return report_error(ARGAND_ARGUMENT, "--bids-name: the suffix \"%s\" is none of %s", suffix, all);
}

/* Copies the letters and digits of a text. Returns true if there are only these. */
static bool keep_plain(char to[ENTITY_TEXT], const char *from)
{
    size_t used = 0;
    for (const char *c = from; *c; c++)
        if (isalnum((unsigned char)*c) && used + 1 < ENTITY_TEXT) to[used++] = *c;
    to[used] = 0;
    return used == strlen(from);
}

/* Takes KEY-VALUE, or the suffix. */
static argand_status take_part(bids_name *name, const char *part, bool last)
{
    const char *dash = strchr(part, '-');
    if (!dash && last) {
        const int kind = kind_of(part);
        if (kind >= 0) name->suffix = kinds[kind].suffix;
        return kind < 0 ? refuse_suffix(part) : ARGAND_OK;
    }
    for (int i = 0; i < ENTITIES && dash; i++) {
        if ((size_t)(dash - part) != strlen(entities[i]) || strncmp(part, entities[i], strlen(entities[i])))
            continue;
        if (name->values[i][0])
            return report_error(ARGAND_ARGUMENT, "--bids-name: %s- is given twice", entities[i]);
        if (keep_plain(name->values[i], dash + 1) && dash[1]) return ARGAND_OK;
        return report_error(ARGAND_ARGUMENT,
                            "--bids-name: %s: give 1 to %d letters and digits, and nothing else, after %s-",
                            part, ENTITY_TEXT - 1, entities[i]);
    }
    return report_error(ARGAND_ARGUMENT,
                        "--bids-name: \"%s\" is no part of a name: give sub-, ses-, task-, acq-, ce-, rec-, "
                        "dir-, run-, each with a value, and the suffix at the end, such as "
                        "sub-01_task-rest_bold",
                        part);
}

/* Reads a name such as sub-01_ses-2_T2starw, in which each part may be missing. */
static argand_status read_name(bids_name *name, const char *text)
{
    char part[128];
    *name = (bids_name){0};
    for (bool last = !text; !last;) {
        const size_t length = strcspn(text, "_");
        last = !text[length];
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        TRY(take_part(name, part, last));
        text += length + !last;
    }
    return ARGAND_OK;
}

/* Takes an entity from an element of the header, unless it is given. */
static void find_entity(bids_name *name, int entity, const argand_scan *scan, const char *element,
                        report *out)
{
    char text[256];
    if (name->values[entity][0] || !scan_element(scan, element, text, sizeof text)) return;
    const bool plain = keep_plain(name->values[entity], text);
    if (name->values[entity][0])
        report_note(out, "The header's %s \"%s\" becomes %s-%s%s.", element, text, entities[entity],
                    name->values[entity], plain ? "" : ": BIDS has only letters and digits");
}

/* Takes the task from the protocol: what follows task-, or all of it. */
static void find_task(bids_name *name, const argand_scan *scan, report *out)
{
    char plain[ENTITY_TEXT], text[256];
    const char *protocol = scan->protocol ? scan->protocol : "", *named = strstr(protocol, "task-");
    if (name->values[TASK][0]) return;
    snprintf(text, sizeof text, "%s", named ? named + strlen("task-") : protocol);
    if (named) text[strcspn(text, "_- ")] = 0;
    keep_plain(plain, text);
    memcpy(name->values[TASK], plain, sizeof plain);
    if (*plain) report_note(out, "The task is named after the protocol \"%s\": task-%s.", protocol, plain);
}

/* Chooses the suffix from trajectory and contrast: EPI over time is bold; a long echo is T2*-weighted. */
static argand_status find_suffix(bids_name *name, const argand_scan *scan, report *out)
{
    const argand_acquisition *all = scan->acquisitions;
    bool repeated = false, is_epi = false;
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        repeated |= all[i].counters.repetition != all[0].counters.repetition;
        is_epi |= (all[i].flags & ARGAND_FLAG_REVERSE) ||
                  !strcmp(scan->encodings[all[i].encoding].trajectory, "epi");
    }
    const char *suffix = is_epi && repeated         ? "bold"
                         : is_epi                   ? "sbref"
                         : scan->echo_count > 1     ? "MEGRE"
                         : scan->echo_time >= 10e-3 ? "T2starw"
                                                    : NULL;
    if (name->suffix) return ARGAND_OK;
    if (!suffix)
        return report_error(ARGAND_ARGUMENT, "--bids: the kind of image is not known from the scan: give it "
                                             "as the suffix, such as --bids-name T1w");
    name->suffix = suffix;
    report_note(out, "The image is named _%s after %s; --bids-name gives another suffix.", suffix,
                is_epi                 ? "its trajectory, EPI"
                : scan->echo_count > 1 ? "its echoes, as of a gradient echo"
                                       : "its echo time, as of a gradient echo");
    return ARGAND_OK;
}

/* ------------------------------------------------------------------------------------ what is asked for */

argand_status bids_check(const output_settings *s)
{
    bids_name name;
    struct stat found;
    TRY(read_name(&name, s->bids_name));
    if (!s->bids)
        return s->bids_name ? report_error(ARGAND_ARGUMENT,
                                           "--bids-name %s: names an image in --bids FOLDER: give the folder",
                                           s->bids_name)
                            : ARGAND_OK;
    if (strlen(s->bids) > 3000) return report_error(ARGAND_ARGUMENT, "--bids: the folder's name is too long");
    if (!stat(s->bids, &found) && (!S_ISDIR(found.st_mode) || access(s->bids, W_OK)))
        return report_error(ARGAND_FILE, "--bids %s: is not a folder that can be written", s->bids);
    if (s->parts & OUTPUT_COMPLEX)
        return report_error(ARGAND_ARGUMENT,
                            "--bids: BIDS has no complex images: give --part real,imaginary or another part");
    if (s->report && !*s->report)
        return report_error(ARGAND_ARGUMENT, "--bids: BIDS has no place for a report: give it a name "
                                             "elsewhere, --report FILE.html");
    return ARGAND_OK;
}

argand_status bids_find(output_settings *s, const argand_scan *scan, report *out)
{
    bids_name name;
    char *to = s->bids_path;
    if (!s->bids) return ARGAND_OK;
    TRY(read_name(&name, s->bids_name));
    find_entity(&name, SUBJECT, scan, "patientID", out);
    find_entity(&name, SESSION, scan, "studyID", out);
    if (!name.values[SUBJECT][0])
        return report_error(ARGAND_ARGUMENT, "--bids: the scan's header has no patientID with letters or "
                                             "digits: give the subject, such as --bids-name sub-01");
    TRY(find_suffix(&name, scan, out));
    const char *folder = kinds[kind_of(name.suffix)].folder;
    if (!strcmp(folder, "func")) find_task(&name, scan, out);
    if (!strcmp(folder, "func") && !name.values[TASK][0])
        return report_error(ARGAND_ARGUMENT,
                            "--bids: the header has no protocol to name the task of _%s: "
                            "give the task, such as --bids-name task-rest",
                            name.suffix);
    const bool has_session = name.values[SESSION][0];
    int used = snprintf(to, sizeof s->bids_path, "%s/sub-%s/%s%s%s%s/", s->bids, name.values[SUBJECT],
                        has_session ? "ses-" : "", name.values[SESSION], has_session ? "/" : "", folder);
    for (int i = 0; i < ENTITIES; i++)
        if (name.values[i][0])
            used += snprintf(to + used, sizeof s->bids_path - (size_t)used, "%s%s-%s", i ? "_" : "",
                             entities[i], name.values[i]);
    snprintf(to + used, sizeof s->bids_path - (size_t)used, ".nii.gz");
    s->bids_suffix = name.suffix;
    snprintf(s->bids_task, sizeof s->bids_task, "%s", strcmp(folder, "func") ? "" : name.values[TASK]);
    s->path = s->bids_path;
    return ARGAND_OK;
}

void bids_label(char *label, size_t size, const output *o, int image, int part)
{
    static const char *const parts[OUTPUT_PARTS + OUTPUT_PIXEL_MAPS] = {"mag", "phase", "real",   "imag",
                                                                        "",    "noise", "gfactor"};
    const int all = o->run.settings->parts;
    const bool plain = !all || all == OUTPUT_MAGNITUDE || part >= OUTPUT_PARTS;
    char rest[96] = "", echo[32] = "";
    /* "_contrast-2_set-1" becomes echo-2 and desc-set1 */
    for (const char *at = o->images[image].label; *at;) {
        const size_t length = strcspn(at + 1, "_") + 1;
        const char *dash = strchr(at, '-');
        if (!strncmp(at, "_contrast-", 10))
            snprintf(echo, sizeof echo, "_echo-%.*s", (int)(length - 10), at + 10);
        else
            snprintf(rest + strlen(rest), sizeof rest - strlen(rest), "%.*s%.*s", (int)(dash - at - 1),
                     at + 1, (int)(at + length - dash - 1), dash + 1);
        at += length;
    }
    snprintf(label, size, "%s%s%s%s%s%s_%s", echo, plain ? "" : "_part-", plain ? "" : parts[part],
             *rest || part >= OUTPUT_PARTS ? "_desc-" : "", rest, part >= OUTPUT_PARTS ? parts[part] : "",
             o->run.settings->bids_suffix);
}

/* ------------------------------------------------------------------------------------ folders */

static argand_status make_folder(bids_folders *made, const char *path)
{
    if (!mkdir(path, 0777)) {
        snprintf(made->paths[made->count++], sizeof *made->paths, "%s", path);
        return ARGAND_OK;
    }
    if (errno == EEXIST) return ARGAND_OK;
    return report_error(ARGAND_FILE, "%s: the folder cannot be made: %s", path, strerror(errno));
}

argand_status bids_make_folders(bids_folders *made, const output_settings *s)
{
    char path[4200];
    *made = (bids_folders){0};
    if (!s->bids) return ARGAND_OK;
    TRY(make_folder(made, s->bids));
    snprintf(path, sizeof path, "%s", s->path);
    for (char *at = path + strlen(s->bids) + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = 0;
        TRY(make_folder(made, path));
    }
    return ARGAND_OK;
}

void bids_remove_folders(const bids_folders *made)
{
    for (int i = made->count; i--;) rmdir(made->paths[i]);
}

argand_status bids_describe(output *o)
{
    const output_settings *s = o->run.settings;
    char path[4200];
    json_writer j;
    if (!s->bids) return ARGAND_OK;
    snprintf(path, sizeof path, "%s/dataset_description.json", s->bids);
    if (!access(path, F_OK)) return ARGAND_OK;
    TRY(json_begin(&j));
    json_text(&j, "Name", "Images reconstructed by Argand");
    json_text(&j, "BIDSVersion", "1.10.0");
    json_text(&j, "DatasetType", "derivative");
    json_key(&j, "GeneratedBy");
    fputs("[{\"Name\": \"Argand\", \"Version\": ", j.to);
    json_put_string(&j, argand_version());
    fputs("}]", j.to);
    return output_note_file(o, path, json_end(&j, path));
}
