/* SPDX-License-Identifier: BSD-3-Clause */
/* A client of `argand serve`, for machines without the ismrmrd package. Plain sockets and bytes:
 *   mrd_client PORT send SCAN.h5 OUT.npy   a scan, as 4-D trajectories; complex images {nx, ny, nz, images}
 *   mrd_client PORT die SCAN.h5            gone in the middle of an acquisition
 *   mrd_client PORT half SCAN.h5 OUT.npy   as send, but that nothing more can be sent is said at once
 *   mrd_client PORT name SCAN.h5 OUT.npy   as send, with a name that would forge lines of a log
 *   mrd_client PORT leave SCAN.h5          gone when all is sent
 *   mrd_client PORT drip                   a byte of a header now and then, until the server ends it
 *   mrd_client PORT claim SCAN.h5          its header claims a matrix of 8192 x 8192
 *   mrd_client PORT garbage | huge | long | order | silent | header
 * The latter print the text that the server answers; exit code 0 where it answered as it should. */
#include <argand/argand.h>
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEADER = 3, CLOSE = 4, TEXT = 5, ACQUISITION = 1008, IMAGE = 1022, IMAGE_HEAD = 198 };

static int connection;

static void fail(const char *text)
{
    fprintf(stderr, "mrd_client: %s\n", text);
    exit(1);
}

static void put(const void *bytes, size_t count)
{
    for (const char *at = bytes; count;) {
        const ssize_t put_now = send(connection, at, count, MSG_NOSIGNAL);
        if (put_now <= 0) return; /* the server has refused and gone: its text is read next */
        at += put_now;
        count -= (size_t)put_now;
    }
}

static bool get(void *bytes, size_t count)
{
    for (char *at = bytes; count;) {
        const ssize_t got = recv(connection, at, count, 0);
        if (got <= 0) return false;
        at += got;
        count -= (size_t)got;
    }
    return true;
}

static void put_number(uint64_t value, int bytes)
{
    uint8_t raw[8];
    for (int i = 0; i < bytes; i++) raw[i] = (uint8_t)(value >> (8 * i));
    put(raw, (size_t)bytes);
}

static uint64_t number_at(const uint8_t *raw, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)raw[i] << (8 * i);
    return value;
}

static void put_header(const char *text)
{
    put_number(HEADER, 2);
    put_number(strlen(text), 4);
    put(text, strlen(text));
}

/* A head of ARGAND_SCAN_MESSAGE_HEAD bytes, little-endian hosts only. */
static void put_head(const argand_acquisition *a, uint64_t flags)
{
    uint8_t head[ARGAND_SCAN_MESSAGE_HEAD] = {1};
    const uint16_t sizes[3] = {(uint16_t)a->samples, (uint16_t)a->channels, (uint16_t)a->channels};
    const uint16_t middle[5] = {0, 0, (uint16_t)a->centre_sample, (uint16_t)a->encoding, a->k[0] ? 4 : 0};
    const float step = (float)(a->sample_time * 1e6);
    const uint16_t counters[9] = {a->counters.shot,       a->counters.partition, a->counters.average,
                                  a->counters.slice,      a->counters.contrast,  a->counters.phase,
                                  a->counters.repetition, a->counters.set,       a->counters.segment};
    memcpy(head + 2, &flags, 8);
    memcpy(head + 34, sizes, sizeof sizes);
    memcpy(head + 168, middle, sizeof middle);
    memcpy(head + 178, &step, 4);
    memcpy(head + 182, a->position, 12);
    memcpy(head + 194, a->read_dir, 12);
    memcpy(head + 206, a->phase_dir, 12);
    memcpy(head + 218, a->slice_dir, 12);
    memcpy(head + 242, counters, sizeof counters);
    put_number(ACQUISITION, 2);
    put(head, sizeof head);
}

static void put_acquisition(const argand_acquisition *a, uint64_t flags)
{
    put_head(a, flags);
    for (int64_t i = 0; i < a->samples && a->k[0]; i++) {
        const float point[4] = {a->k[0][i], a->k[1][i], a->k[2] ? a->k[2][i] : 0, a->t ? a->t[i] : 0};
        put(point, sizeof point);
    }
    put(a->data, (size_t)a->samples * (size_t)a->channels * 8);
}

static argand_scan *scan_of(const char *path)
{
    argand_scan *scan;
    if (argand_scan_read(&scan, path, NULL)) fail(argand_message());
    return scan;
}

/* With another number in each element of that name; to be freed. */
static char *claiming(const char *header, const char *element, int number)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    for (const char *at = header, *next; *at; at = next) {
        next = strstr(at, element);
        if (!next) next = at + strlen(at);
        fwrite(at, 1, (size_t)(next - at), to);
        if (!*next) break;
        fprintf(to, "%s%d", element, number);
        next += strlen(element);
        next += strspn(next, "0123456789");
    }
    fclose(to);
    return text;
}

static void send_scan(const char *path, bool claims)
{
    argand_scan *scan = scan_of(path);
    char *wide = claiming(scan->header, "<x>", 8192), *both = claiming(wide, "<y>", 8192);
    put_header(claims ? both : scan->header);
    free(wide);
    free(both);
    for (int64_t i = 0; i < scan->noise_count; i++) put_acquisition(&scan->noise[i], ARGAND_FLAG_NOISE);
    for (int64_t i = 0; i < scan->acquisition_count; i++) put_acquisition(&scan->acquisitions[i], 0);
    put_number(CLOSE, 2);
    argand_scan_destroy(scan);
}

/* Dies within the samples of the first acquisition. */
static void die(const char *path)
{
    argand_scan *scan = scan_of(path);
    put_header(scan->header);
    put_head(&scan->acquisitions[0], 0);
    put(scan->acquisitions[0].data, 100);
    argand_scan_destroy(scan);
}

/* The server's text; NULL where something else comes. */
static char *get_text(void)
{
    uint8_t raw[4];
    static char text[4096];
    if (!get(raw, 2) || number_at(raw, 2) != TEXT || !get(raw, 4)) return NULL;
    const size_t length = (size_t)number_at(raw, 4);
    if (length >= sizeof text || !get(text, length)) return NULL;
    text[length] = 0;
    if (!get(raw, 2) || number_at(raw, 2) != CLOSE) return NULL;
    return text;
}

/* Complex floats of one image, appended to `all`. */
static float *get_image(float *all, int64_t n[3], int64_t *count)
{
    uint8_t head[IMAGE_HEAD + 8];
    char attributes[4096];
    if (!get(head, sizeof head)) fail("an image's head is cut off");
    const size_t length = (size_t)number_at(head + IMAGE_HEAD, 8);
    if (number_at(head + 2, 2) != 7 || number_at(head + 34, 2) != 1) fail("no complex floats of one channel");
    if (length >= sizeof attributes || !get(attributes, length)) fail("attributes are cut off");
    int64_t pixels = 1;
    for (int d = 0; d < 3; d++) pixels *= n[d] = (int64_t)number_at(head + 16 + 2 * d, 2);
    all = realloc(all, (size_t)(pixels * 2 * (*count + 1)) * sizeof *all);
    if (!all || !get(all + 2 * pixels * *count, (size_t)pixels * 8)) fail("an image is cut off");
    ++*count;
    return all;
}

static void keep_images(const char *path)
{
    uint8_t raw[2];
    int64_t n[4] = {0}, count = 0;
    float *all = NULL;
    while (get(raw, 2) && number_at(raw, 2) == IMAGE) all = get_image(all, n, &count);
    if (number_at(raw, 2) != CLOSE || !count) fail("the images do not end in a close");
    argand_device *device;
    argand_array *array;
    n[3] = count;
    if (argand_device_open(&device, "cpu") || argand_array_create(&array, device, ARGAND_C32, 4, n) ||
        argand_array_upload(array, all) || argand_array_write(path, array))
        fail(argand_message());
    argand_array_destroy(array);
    argand_device_close(device);
    free(all);
}

static void put_name(void)
{
    char name[1024] = "x\nargand serve: forged\x1b[31m \xE2\x80\xAE";
    put_number(1, 2);
    put(name, sizeof name);
}

/* A slow client, and one that says "drips" when the server has begun to listen to it. */
static void drip(void)
{
    uint8_t byte = 0;
    put_number(HEADER, 2);
    put_number(1 << 20, 4);
    puts("drips");
    fflush(stdout);
    while (send(connection, "<", 1, MSG_NOSIGNAL) == 1 && recv(connection, &byte, 1, MSG_DONTWAIT) < 0)
        usleep(20000);
}

/* What no client sends. */
static void misbehave(const char *how)
{
    if (!strcmp(how, "garbage")) {
        for (int i = 0; i < 1000; i++) put("\x9f\x13 this is no message at all", 28);
    } else if (!strcmp(how, "huge")) { /* 65535 samples of 20000 channels: 10 GB */
        put_header("<ismrmrdHeader/>");
        put_head(&(argand_acquisition){.samples = 65535, .channels = 20000}, 0);
    } else if (!strcmp(how, "long")) {
        put_number(HEADER, 2);
        put_number(0xfffffff0, 4);
    } else if (!strcmp(how, "order")) {
        put_head(&(argand_acquisition){.samples = 4, .channels = 1}, 0);
    } else if (!strcmp(how, "header")) {
        const float zeros[8] = {0};
        put_header("<this is & no header");
        put_head(&(argand_acquisition){.samples = 4, .channels = 1}, 0);
        put(zeros, sizeof zeros);
        put_number(CLOSE, 2);
    } else if (strcmp(how, "silent") != 0) {
        fail("unknown way");
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) fail("PORT WHAT");
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection, (struct sockaddr *)&to, sizeof to)) fail("nobody listens");
    if (!strcmp(argv[2], "send") && argc == 5) {
        send_scan(argv[3], false);
        keep_images(argv[4]);
    } else if (!strcmp(argv[2], "name") && argc == 5) {
        put_name();
        send_scan(argv[3], false);
        keep_images(argv[4]);
    } else if (!strcmp(argv[2], "half") && argc == 5) {
        send_scan(argv[3], false);
        shutdown(connection, SHUT_WR);
        keep_images(argv[4]);
    } else if (!strcmp(argv[2], "leave") && argc == 4) {
        send_scan(argv[3], false);
    } else if (!strcmp(argv[2], "die") && argc == 4) {
        die(argv[3]);
    } else if (!strcmp(argv[2], "drip")) {
        drip();
    } else {
        if (!strcmp(argv[2], "claim") && argc == 4)
            send_scan(argv[3], true);
        else
            misbehave(argv[2]);
        const char *text = get_text();
        if (!text) fail("the server did not say what is wrong");
        printf("%s\n", text);
    }
    close(connection);
    return 0;
}
