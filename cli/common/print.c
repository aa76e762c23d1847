/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/print.h"
#include "common/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the length in bytes of the UTF-8 character at s, and the character; 0: not valid UTF-8. */
static size_t character_at(const unsigned char *s, unsigned *character)
{
    const size_t length = s[0] < 0x80   ? 1
                          : s[0] < 0xC2 ? 0
                          : s[0] < 0xE0 ? 2
                          : s[0] < 0xF0 ? 3
                          : s[0] < 0xF5 ? 4
                                        : 0;
    *character = length == 1 ? s[0] : s[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80) return 0;
        *character = *character << 6 | (s[i] & 0x3F);
    }
    const bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    const bool beyond = (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F);
    return overlong || beyond ? 0 : length;
}

/* Returns true for control characters: C0, DEL, C1, and marks of direction, of lines and of zero width. */
static bool is_control(unsigned c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || c == 0x180E ||
           (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
           c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

const char *json_string(char *text, size_t size, const char *from)
{
    const unsigned char *s = (const unsigned char *)from;
    size_t used = 0;
    text[used++] = '"';
    while (*s && used + (*s < 0xF0 ? 8 : 14) < size) {
        unsigned c;
        const size_t length = character_at(s, &c);
        if (length == 4 && is_control(c))
            used += (size_t)snprintf(text + used, size - used, "\\u%04x\\u%04x", 0xD7C0 + (c >> 10),
                                     0xDC00 + (c & 0x3FF));
        else if (!length || is_control(c))
            used += (size_t)snprintf(text + used, size - used, "\\u%04x", length ? c : 0xfffd);
        else if (c == '"' || c == '\\')
            used += (size_t)snprintf(text + used, size - used, "\\%c", (char)c);
        else
            for (size_t i = 0; i < length; i++) text[used++] = (char)s[i];
        s += length ? length : 1;
    }
    text[used++] = '"';
    text[used] = 0;
    return text;
}

/* Prints a text with controls made visible, except those in `passes`. */
static void print_visible(FILE *to, const char *from, const char *passes)
{
    const unsigned char *s = (const unsigned char *)from, *plain = s;
    while (*s) {
        unsigned c;
        const size_t length = character_at(s, &c);
        if (length && (!is_control(c) || (c < 0x80 && strchr(passes, (int)c)))) {
            s += length;
            continue;
        }
        fwrite(plain, 1, (size_t)(s - plain), to);
        fprintf(to, length > 1 ? "\\u%04x" : "\\x%02x", length > 1 ? c : *s);
        plain = s += length ? length : 1;
    }
    fwrite(plain, 1, (size_t)(s - plain), to);
}

void print_text(FILE *to, const char *from)
{
    print_visible(to, from, "\n\t");
}

const char *visible_text(char *text, size_t size, const char *from)
{
    FILE *to = size ? fmemopen(text, size, "w") : NULL;
    if (size) text[0] = 0;
    if (!to) return text;
    print_visible(to, from, "");
    fclose(to);
    text[size - 1] = 0;
    return text;
}

/* ---- lines, printed completely or not at all ---- */

static struct {
    bool is_on, is_cut; /* is_cut: only the first part of a line was written */
    long long lost;
} pipes[3]; /* by descriptor; standard output and standard error are used */

/* Opens the pipe again for a file description of its own: the flag O_NONBLOCK must not reach other holders
 * of the pipe. */
void print_never_wait(void)
{
    for (int descriptor = STDOUT_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        char name[32];
        struct stat found;
        if (fstat(descriptor, &found) || !S_ISFIFO(found.st_mode)) continue;
        system_descriptor_path(name, sizeof name, descriptor);
        fflush(descriptor == STDOUT_FILENO ? stdout : stderr);
        const int own = open(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        pipes[descriptor].is_on = own >= 0 && dup2(own, descriptor) >= 0;
        if (own >= 0) close(own);
    }
}

/* Writes a line. A pipe accepts up to PIPE_BUF bytes completely or not at all. */
static bool goes_out(int descriptor, const char *line, size_t length)
{
    const ssize_t put = write(descriptor, line, length);
    if (put > 0 && (size_t)put < length) pipes[descriptor].is_cut = true;
    return put == (ssize_t)length;
}

static void put_to_pipe(int descriptor, const char *line, size_t length)
{
    char before[96] = "";
    const long long lost = pipes[descriptor].lost;
    const char *end = pipes[descriptor].is_cut ? "\n" : "";
    if (lost)
        snprintf(before, sizeof before,
                 *line == '{' ? "%s{\"event\":\"lost\",\"lines\":%lld}\n"
                              : "%s%lld lines were left out: nobody read them\n",
                 end, lost);
    if (!lost || goes_out(descriptor, before, strlen(before))) {
        pipes[descriptor].lost = 0;
        if (lost) pipes[descriptor].is_cut = false;
        if (goes_out(descriptor, line, length)) return;
    }
    pipes[descriptor].lost++;
}

static void put_line(FILE *to, const char *line, size_t length)
{
    const int descriptor = fileno(to);
    if (descriptor >= 0 && descriptor <= STDERR_FILENO && pipes[descriptor].is_on)
        put_to_pipe(descriptor, line, length);
    else
        fwrite(line, 1, length, to);
    fflush(to);
}

void print_whole(FILE *to, const char *prefix, const char *text)
{
    char *line = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&line, &length);
    if (!memory) return;
    fputs(prefix, memory);
    for (const char *end = strchr(text, '\n'); end; text = end + 1, end = strchr(text, '\n')) {
        char *first = strndup(text, (size_t)(end - text));
        print_visible(memory, first ? first : "", "\t");
        fputs("\n  ", memory);
        free(first);
    }
    print_visible(memory, text, "\t");
    fputc('\n', memory);
    if (!fclose(memory)) put_line(to, line, length);
    free(line);
}

/* Prints a JSON line with numbers that are not finite replaced: outside strings, printf writes nan, -nan,
 * inf and -inf. */
static void print_finite(FILE *to, const char *line)
{
    bool string = false;
    for (const char *s = line; *s; s++) {
        const char *word = s + (*s == '-');
        if (string && *s == '\\' && s[1]) {
            fputc(*s++, to);
        } else if (*s == '"') {
            string = !string;
        } else if (!string && (!strncmp(word, "nan", 3) || !strncmp(word, "inf", 3))) {
            fputs("null", to);
            s = word + 2;
            continue;
        }
        fputc(*s, to);
    }
}

#define PRINTED(chars, format)                                      \
    do {                                                            \
        va_list arguments;                                          \
        va_start(arguments, format);                                \
        if (vasprintf(&chars, format, arguments) < 0) chars = NULL; \
        va_end(arguments);                                          \
    } while (0)

void print(const char *format, ...)
{
    char *chars;
    PRINTED(chars, format);
    const size_t length = chars ? strlen(chars) : 0;
    const bool ends = length && chars[length - 1] == '\n';
    if (ends) chars[length - 1] = 0;
    print_visible(stdout, chars ? chars : "out of memory", "\t");
    if (ends) fputc('\n', stdout);
    free(chars);
}

void print_json_line(const char *format, ...)
{
    char *chars, *line = NULL;
    size_t length = 0;
    PRINTED(chars, format);
    FILE *memory = open_memstream(&line, &length);
    if (memory) {
        print_finite(memory,
                     chars ? chars
                           : "{\"event\":\"error\",\"status\":\"memory\",\"message\":\"out of memory\"}");
        fputc('\n', memory);
        if (!fclose(memory)) put_line(stdout, line, length);
    }
    free(line);
    free(chars);
}
