/* SPDX-License-Identifier: BSD-3-Clause */
/* argand stream: sends a scan to a server as a scanner does, and measures the latency of its images. */
#include <stdlib.h>
#include <string.h>

#include "stream/stream.h"

static const char description[] =
    "Sends a scan to a server of the MRD streaming protocol (argand serve, Gadgetron, "
    "python-ismrmrd-server), each acquisition at\n"
    "the time of its time stamp, and measures when images come back. The latency of an image is the time "
    "from its last readout\n"
    "sent to the image received. Prints median, 99th percentile and largest latency, and the number of "
    "images that did not come.\n"
    "OUT receives the images, {nx, ny, nz, images}.";

static const char examples[] = "  argand serve & argand stream scan.h5\n"
                               "  argand stream scan.h5 --rate 10 --loop 20 --json\n"
                               "  argand stream scan.h5 images.npy --rate max --port 9100\n";

/* Reads --rate: real, max or how many times faster. */
static argand_status read_rate(stream_settings *s)
{
    char *end;
    s->times = !strcmp(s->rate, "real") ? 1 : 0;
    if (s->times > 0 || !strcmp(s->rate, "max")) return ARGAND_OK;
    s->times = strtod(s->rate, &end);
    if (*end || !(s->times > 0) || s->times > 1e9)
        return report_error(ARGAND_ARGUMENT,
                            "--rate %s: give real, max, or how many times faster to send, such as 10",
                            s->rate);
    return ARGAND_OK;
}

static argand_status write_images(const stream_run *r)
{
    const int64_t dims[4] = {r->n[0], r->n[1], r->n[2], r->kept_count};
    argand_device *device;
    argand_array *array = NULL;
    if (!r->settings->output) return ARGAND_OK;
    if (!r->kept_count)
        return report_error(ARGAND_FORMAT, "%s: the server sent no image to write", r->settings->output);
    TRY(argand_device_open(&device, "cpu"));
    argand_status status =
        argand_array_create(&array, device, r->kept_complex ? ARGAND_C32 : ARGAND_R32, 4, dims);
    if (!status) status = argand_array_upload(array, r->kept);
    if (!status) status = argand_array_write(r->settings->output, array);
    argand_array_destroy(array);
    argand_device_close(device);
    return status;
}

static void show(stream_run *r)
{
    const latency_summary sum = latency_sum(&r->latencies), start = latency_sum(&r->start);
    const int64_t named = r->named_before + r->highest + 1,
                  wanted = named > 0 ? named : r->prepared->volumes * r->settings->loops,
                  lost = wanted > r->frames ? wanted - r->frames : 0,
                  starts = r->steady_before + r->steady - r->start_frames;
    latency_report(r->out, "last readout sent to image received", &sum, true);
    if (*r->said) report_note(r->out, "The server answered: %s", r->said);
    if (r->unknown)
        report_note(r->out, "%lld image%s could not be matched with a readout.", (long long)r->unknown,
                    plural_s(r->unknown));
    if (r->late > 0.001)
        report_note(r->out, "A readout was sent %.1f ms late: this computer or the server was busy.",
                    1e3 * r->late);
    report_note(r->out, "%lld frame%s received, %lld lost.", (long long)r->frames, plural_s(r->frames),
                (long long)lost);
    if (r->steady_before + r->steady)
        report_note(
            r->out,
            "Start-up, not in the table: %lld frame%s received, %lld lost while the server calibrated; "
            "latency %.0f ms at most.",
            (long long)r->start_frames, plural_s(r->start_frames), (long long)starts, 1e3 * start.largest);
    report_result(
        r->out,
        "\"frames\":%lld,\"lost\":%lld,\"images\":%lld,\"median\":%.6f,\"p99\":%.6f,\"largest\":%.6f,"
        "\"jitter\":%.6f,\"start_up_frames\":%lld,\"start_up_lost\":%lld,\"retries\":%d",
        (long long)r->frames, (long long)lost, (long long)r->images, sum.median, sum.p99, sum.largest,
        sum.jitter, (long long)r->start_frames, (long long)starts, r->retries);
}

static argand_status stream_scan(const stream_settings *s, report *out)
{
    stream_prepared prepared = {0};
    stream_run r = {
        .settings = s, .prepared = &prepared, .out = out, .socket = -1, .highest = -1, .last = -1};
    argand_status status = stream_prepare(&prepared, s, out);
    if (!status && (int64_t)s->loops * prepared.repetitions > 65536)
        status = report_error(ARGAND_ARGUMENT,
                              "--loop %d: the protocol counts to 65535 repetitions, the scan has %d",
                              s->loops, prepared.repetitions);
    if (!status) {
        r.sent = calloc((size_t)(prepared.acquisitions * s->loops) + 1, sizeof *r.sent);
        if (!r.sent) status = report_error(ARGAND_MEMORY, "no memory for the times of acquisitions");
    }
    if (!status) status = stream_connect(&r);
    if (!status) status = write_images(&r);
    if (!status) show(&r);
    latency_free(&r.latencies);
    latency_free(&r.start);
    free((void *)r.sent);
    free(r.kept);
    stream_prepared_free(&prepared);
    return status;
}

static bool parse(stream_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        text_option("host", 0, &s->host, "ADDRESS", "address of the server"),
        int_option("port", 0, &s->port, "N", 1, 65535, "TCP port of the server"),
        text_option("rate", 0, &s->rate, "RATE",
                    "real sends each acquisition at the time of its time stamp; N sends N times faster; max "
                    "sends without waiting"),
        double_option("tick", 0, &s->tick, "MS", 0.000001, 1000,
                      "length in ms of a tick of the time stamps; 2.5 on Siemens scanners"),
        double_option(
            "interval", 0, &s->interval, "MS", 0, 100000,
            "time in ms from acquisition to acquisition; 0 uses the time stamps, or the header's TR "
            "if there are none"),
        int_option("loop", 0, &s->loops, "N", 1, 65535,
                   "send the acquisitions N times; the repetition counter goes on"),
        text_option("config", 0, &s->config, "NAME",
                    "name of a configuration to send first, for servers that need one"),
        int_option("patience", 0, &s->patience, "S", 1, 86400,
                   "end after S seconds without a byte from the server"),
        int_option(
            "retry", 0, &s->retry, "N", 0, 1 << 20,
            "connect again up to N times, a second later each, if there is no server or the connection "
            "is lost; acquisitions that were due meanwhile are not sent"),
        SCAN_OPTIONS(s->reading),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand stream SCAN [OUT] [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .files = {&s->scan, &s->output},
                         .positional_least = 1,
                         .positional_most = 2};
    return command_parse(&line, argc, argv, exit_code);
}

static int run(int argc, char **argv)
{
    stream_settings s = {.host = "127.0.0.1",
                         .port = 9002,
                         .rate = "real",
                         .loops = 1,
                         .patience = 600,
                         .tick = 2.5,
                         .reading = {.group = "dataset", .pipes = true}};
    int exit_code;
    report out;
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "stream", &s.common);
    interrupt_watch();
    argand_status status = read_rate(&s);
    if (!status && s.output) status = array_name_check(s.output);
    if (!status) status = stream_scan(&s, &out);
    if (!status && interrupted()) status = ARGAND_STOPPED;
    return status ? report_failure(&out, status) : 0;
}

const command command_stream = {
    .name = "stream", .summary = "send a scan to a server and measure the latency of its images", .run = run};
