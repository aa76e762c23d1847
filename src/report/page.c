/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the page: page.html with each {{name}} replaced. Scripts and style are listed by digest in the
 * content security policy, which forbids all requests: the file is self-contained. */
#include <string.h>
#include "base/hash.h"
#include "report/inside.h"
#include "report/parts.h"

static const char *part(const char *file)
{
    for (const report_part *p = report_parts; p->file; p++)
        if (!strcmp(p->file, file)) return p->text;
    return "";
}

static void add_script(text *t, const argand_report *r)
{
    (void)r;
    static const char *const files[] = {"decode.js",    "colours.js",  "view.js",
                                        "histogram.js", "controls.js", "main.js"};
    text_add(t, "\"use strict\";\n");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) text_add(t, "%s", part(files[i]));
}

static void add_style(text *t, const argand_report *r)
{
    (void)r;
    text_add(t, "%s", part("style.css"));
}

/* Writes the digest 'sha256-...' of the text that a function writes. */
static void add_digest(text *t, const argand_report *r, void (*add)(text *, const argand_report *))
{
    text content = {0};
    unsigned char digest[HASH_BYTES];
    hash_state state;
    add(&content, r);
    hash_begin(&state);
    hash_add(&state, text_chars(&content), content.length);
    hash_end(&state, digest);
    text_add(t, "'sha256-");
    add_base64(t, digest, sizeof digest);
    text_add(t, "'");
    if (content.status != ARGAND_OK) t->status = content.status;
    text_free(&content);
}

static void add_policy(text *t, const argand_report *r)
{
    text_add(t, "default-src 'none'; img-src data: blob:; base-uri 'none'; form-action 'none'; script-src ");
    add_digest(t, r, add_script);
    text_add(t, "; style-src ");
    add_digest(t, r, add_style);
}

static void add_data(text *t, const argand_report *r)
{
    text_add(t, "[%s]", text_chars(&r->images));
}

static void add_title(text *t, const argand_report *r)
{
    add_html(t, r->title);
}

static void add_version(text *t, const argand_report *r)
{
    (void)r;
    add_html(t, argand_version());
}

static void add_pixels(text *t, const argand_report *r)
{
    text_add_bytes(t, text_chars(&r->pixels), r->pixels.length);
}

static void add_convergence(text *t, const argand_report *r)
{
    const argand_status status = add_chart(t, r);
    if (status != ARGAND_OK) t->status = status;
}

static const struct {
    const char *name;
    void (*add)(text *, const argand_report *);
} pieces[] = {{"title", add_title},     {"version", add_version}, {"policy", add_policy},
              {"style", add_style},     {"figures", add_figures}, {"convergence", add_convergence},
              {"timings", add_timings}, {"notes", add_notes},     {"facts", add_facts},
              {"texts", add_texts},     {"data", add_data},       {"pixels", add_pixels},
              {"script", add_script}};

static void add_named(text *t, const argand_report *r, const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (strlen(pieces[i].name) == length && !strncmp(pieces[i].name, name, length)) pieces[i].add(t, r);
}

static void add_page(text *t, const argand_report *r)
{
    const char *at = part("page.html");
    for (const char *mark; (mark = strstr(at, "{{"));) {
        const char *end = strstr(mark, "}}");
        text_add_bytes(t, at, (size_t)(mark - at));
        add_named(t, r, mark + 2, (size_t)(end - mark) - 2);
        at = end + 2;
    }
    text_add_bytes(t, at, strlen(at));
}

argand_status argand_report_write(const argand_report *r, const char *path)
{
    CHECK(r && path, ARGAND_ARGUMENT, "argand_report_write: no %s", r ? "file name" : "report");
    text page = {0};
    add_page(&page, r);
    argand_status status = page.status;
    if (status == ARGAND_OK) status = argand_bytes_write(path, page.chars, page.length);
    text_free(&page);
    return status;
}
