/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes figures, facts, timings and notes as HTML without scripts. */
#include <stdio.h>
#include <string.h>
#include "report/inside.h"

void add_figures(text *t, const argand_report *r)
{
    if (!r->figures.count) return;
    text_add(t, "<dl class=\"figures\">\n");
    for (int64_t i = 0; i < r->figures.count; i++) {
        text_add(t, "<div><dt>");
        add_html(t, r->figures.rows[i].name);
        text_add(t, "</dt><dd>");
        add_html(t, r->figures.rows[i].value);
        text_add(t, "</dd></div>\n");
    }
    text_add(t, "</dl>\n");
}

static void add_section(text *t, const argand_report *r, const char *section)
{
    text_add(t, "<section class=\"facts\"><h3>");
    add_html(t, section);
    text_add(t, "</h3><table>\n");
    for (int64_t i = 0; i < r->facts.count; i++) {
        const report_row *row = &r->facts.rows[i];
        if (strcmp(row->section, section)) continue;
        text_add(t, "<tr><th scope=\"row\">");
        add_html(t, row->name);
        text_add(t, "</th><td>");
        add_html(t, row->value);
        text_add(t, "</td></tr>\n");
    }
    text_add(t, "</table></section>\n");
}

static bool is_first_of_section(const argand_report *r, int64_t row)
{
    for (int64_t i = 0; i < row; i++)
        if (!strcmp(r->facts.rows[i].section, r->facts.rows[row].section)) return false;
    return true;
}

void add_facts(text *t, const argand_report *r)
{
    if (!r->facts.count) return;
    text_add(t, "<section id=\"facts\"><h2>What was done</h2><div class=\"columns\">\n");
    for (int64_t i = 0; i < r->facts.count; i++)
        if (is_first_of_section(r, i)) add_section(t, r, r->facts.rows[i].section);
    text_add(t, "</div></section>\n");
}

static void add_seconds(text *t, double seconds)
{
    if (seconds < 0.0995)
        text_add(t, "%.3g ms", 1e3 * seconds);
    else if (seconds < 100)
        text_add(t, "%.3g s", seconds);
    else
        text_add(t, "%lld:%02lld min", (long long)(seconds / 60), (long long)seconds % 60);
}

static void add_bar(text *t, double share)
{
    text_add(t, "<svg class=\"bar\" viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\" "
                "aria-hidden=\"true\"><rect width=\"");
    add_number(t, 100 * share);
    text_add(t, "\" height=\"1\"/></svg>");
}

void add_timings(text *t, const argand_report *r)
{
    double sum = 0;
    if (!r->timings.count) return;
    for (int64_t i = 0; i < r->timings.count; i++) sum += r->timings.rows[i].number;
    text_add(t, "<section id=\"timings\"><h2>Time</h2><table class=\"timings\">\n");
    for (int64_t i = 0; i < r->timings.count; i++) {
        const double seconds = r->timings.rows[i].number, share = sum > 0 ? seconds / sum : 0;
        text_add(t, "<tr><th scope=\"row\">");
        add_html(t, r->timings.rows[i].name);
        text_add(t, "</th><td>");
        add_seconds(t, seconds);
        text_add(t, "</td><td>%.0f %%</td><td>", 100 * share);
        add_bar(t, share);
        text_add(t, "</td></tr>\n");
    }
    text_add(t, "<tr class=\"sum\"><th scope=\"row\">together</th><td>");
    add_seconds(t, sum);
    text_add(t, "</td><td></td><td></td></tr>\n</table></section>\n");
}

/* Writes each line between `open` and `close`. */
static void add_lines(text *t, const char *at, const char *open, const char *close)
{
    while (*at) {
        const size_t length = strcspn(at, "\n");
        text line = {0};
        if (length) {
            text_add_bytes(&line, at, length);
            text_add(t, "%s", open);
            add_html(t, text_chars(&line));
            text_add(t, "%s", close);
        }
        if (line.status != ARGAND_OK) t->status = line.status;
        text_free(&line);
        at += length + (at[length] == '\n');
    }
}

void add_notes(text *t, const argand_report *r)
{
    const char *at = text_chars(&r->notes);
    if (!*at) return;
    text_add(t, "<section id=\"notes\"><h2>Notes</h2><ul>\n");
    add_lines(t, at, "<li>", "</li>\n");
    text_add(t, "</ul></section>\n");
}

void add_texts(text *t, const argand_report *r)
{
    for (int64_t i = 0; i < r->texts.count; i++) {
        text_add(t, "<section class=\"prose\"><h2>");
        add_html(t, r->texts.rows[i].name);
        text_add(t, "</h2>\n");
        add_lines(t, r->texts.rows[i].value, "<p>", "</p>\n");
        text_add(t, "</section>\n");
    }
}
