/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of the page's process (RFC 9110 and 9112, as far as one page needs them). Only names of this
 * computer are served: a page elsewhere whose name was made to lead here (DNS rebinding) has another Host,
 * and a script of another page has another Origin. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "serve/view.h"
#include "serve/view_page.h"

bool view_put(view_client *c, const void *bytes, size_t count)
{
    if (c->out_at == c->out_end) c->out_at = c->out_end = 0;
    if (count > VIEW_MOST_OUT - c->out_end) return false;
    if (c->out_size - c->out_end < count) {
        const size_t size = c->out_end + count;
        uint8_t *more = realloc(c->out, size);
        if (!more) return false;
        c->out = more;
        c->out_size = size;
    }
    memcpy(c->out + c->out_end, bytes, count);
    c->out_end += count;
    return true;
}

static const char *const names[] = {"127.0.0.1", "localhost"};

/* Sends an answer; the connection ends with it. */
static void answer(view_client *c, int port, const char *status, const char *type, const char *text)
{
    char head[1024];
    const int length =
        snprintf(head, sizeof head,
                 "HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\nContent-Length: %zu\r\n"
                 "Connection: close\r\nCache-Control: no-store\r\n"
                 "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
                 "Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n"
                 "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; "
                 "script-src 'unsafe-inline'; img-src data:; "
                 "connect-src ws://%s:%d ws://%s:%d; frame-ancestors 'none'\r\n\r\n",
                 status, type, strlen(text), names[0], port, names[1], port);
    (void)!(view_put(c, head, (size_t)length) && view_put(c, text, strlen(text)));
    c->ends = true;
}

static void refuse(view_client *c, int port, const char *status, const char *why)
{
    char text[256];
    snprintf(text, sizeof text, "argand serve: %s\n", why);
    answer(c, port, status, "text/plain", text);
}

/* Returns true if the text is a name of this computer with the port. */
static bool is_own(const char *text, int port)
{
    char own[64];
    for (int i = 0; i < 2; i++) {
        snprintf(own, sizeof own, "%s:%d", names[i], port);
        if (!strcasecmp(text, own)) return true;
    }
    return false;
}

/* Fields of a request that matter; NULL: not given. */
typedef struct request {
    char *path, *host, *origin, *upgrade, *connection, *version, *key;
    bool bad; /* malformed, or with a body */
} request;

static void take_field(request *r, const char *name, char *value)
{
    const struct {
        const char *name;
        char **to;
    } fields[] = {{"host", &r->host},
                  {"origin", &r->origin},
                  {"upgrade", &r->upgrade},
                  {"connection", &r->connection},
                  {"sec-websocket-version", &r->version},
                  {"sec-websocket-key", &r->key}};
    if (!strcasecmp(name, "transfer-encoding") || (!strcasecmp(name, "content-length") && strcmp(value, "0")))
        r->bad = true;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcasecmp(name, fields[i].name)) continue;
        if (*fields[i].to) r->bad = true;
        *fields[i].to = value;
    }
}

/* Takes a head apart, whose lines end with \r\n. Changes it. */
static void parse(request *r, char *head)
{
    char *line = strstr(head, "\r\n"), *space = strchr(head, ' ');
    *line = 0;
    r->path = space ? space + 1 : NULL;
    space = r->path ? strchr(r->path, ' ') : NULL;
    if (!space || strcmp(space, " HTTP/1.1")) {
        r->bad = true;
        return;
    }
    *space = 0;
    for (line += 2; *line && !r->bad;) {
        char *end = strstr(line, "\r\n"), *colon = strchr(line, ':');
        if (end) *end = 0;
        if (!colon || colon == line || strpbrk(line, " \t") == line ||
            memchr(line, ' ', (size_t)(colon - line))) {
            r->bad = true;
            return;
        }
        *colon++ = 0;
        colon += strspn(colon, " \t");
        for (char *last = colon + strlen(colon); last > colon && strchr(" \t", last[-1]);) *--last = 0;
        take_field(r, line, colon);
        line = end ? end + 2 : colon + strlen(colon);
    }
}

/* Returns true if a list such as "keep-alive, Upgrade" has the word. */
static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    while (list && *list) {
        list += strspn(list, " \t,");
        const size_t item = strcspn(list, " \t,");
        if (item == length && !strncasecmp(list, word, length)) return true;
        list += item;
    }
    return false;
}

static bool is_key(const char *key)
{
    if (!key || strlen(key) != VIEW_KEY || strcmp(key + VIEW_KEY - 2, "==")) return false;
    for (int i = 0; i < VIEW_KEY - 2; i++)
        if (!isalnum((unsigned char)key[i]) && key[i] != '+' && key[i] != '/') return false;
    return true;
}

/* Begins a WebSocket. */
static void begin_stream(view_client *c, int port, const request *r)
{
    char accept[VIEW_ACCEPT + 1], head[256];
    if (!has_word(r->upgrade, "websocket") || !has_word(r->connection, "upgrade") || !r->version ||
        strcmp(r->version, "13") != 0) {
        refuse(c, port, "426 Upgrade Required\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13",
               "this address speaks WebSocket, version 13");
        return;
    }
    if (!is_key(r->key)) {
        refuse(c, port, "400 Bad Request", "the key of the WebSocket is not 16 bytes of base64");
        return;
    }
    view_accept_key(accept, r->key);
    const int length = snprintf(head, sizeof head,
                                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                                accept);
    c->is_stream = view_put(c, head, (size_t)length);
    c->ends = !c->is_stream;
}

static void serve_request(view_client *c, int port, char *head)
{
    request r = {0};
    const bool gets = !strncmp(head, "GET ", 4);
    parse(&r, head);
    if (r.bad || !r.host)
        refuse(c, port, "400 Bad Request", "the request is malformed");
    else if (!is_own(r.host, port))
        refuse(c, port, "403 Forbidden",
               "open this page as http://127.0.0.1 or http://localhost with the port");
    else if (r.origin && (strncasecmp(r.origin, "http://", 7) || !is_own(r.origin + 7, port)))
        refuse(c, port, "403 Forbidden", "another page asked");
    else if (!gets)
        refuse(c, port, "405 Method Not Allowed\r\nAllow: GET", "only GET is answered");
    else if (!strcmp(r.path, "/"))
        answer(c, port, "200 OK", "text/html", view_page[0].text);
    else if (!strcmp(r.path, "/stream"))
        begin_stream(c, port, &r);
    else
        refuse(c, port, "404 Not Found", "there is only one page, /");
}

void view_http_take(view_client *c, int port)
{
    static const char end[] = "\r\n\r\n";
    char head[VIEW_REQUEST + 1];
    memcpy(head, c->in, c->in_used);
    head[c->in_used] = 0;
    char *last = strstr(head, end);
    if (memchr(c->in, 0, c->in_used)) {
        refuse(c, port, "400 Bad Request", "the request is malformed");
    } else if (last) {
        const size_t used = (size_t)(last - head) + strlen(end);
        last[2] = 0;
        serve_request(c, port, head);
        memmove(c->in, c->in + used, c->in_used - used);
        c->in_used -= used;
    } else if (c->in_used == VIEW_REQUEST) {
        refuse(c, port, "431 Request Header Fields Too Large", "the request is too long");
    }
}
