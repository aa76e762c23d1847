// probe SIZE[;SIZE...] lines on stdin: "N words..." ; "@pad K" first: groups of pass k at most that many at a time... 
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <argand/argand.h>
#include "fft/device/box.h"
#include "device/device.h"
#include "base/status.h"
#include "base/memory.h"
#define DO(x) do { if (x) { printf("  ! %s\n", argand_message()); goto out; } } while (0)
enum { MOST = 300, ROUNDS = 5 };
static int TIMES = 100;
typedef struct { int n[3], rank, pad; double bytes; char words[120]; char line[160]; box_limits l; fft_problem p; fft_geometry g; box_program b; int made; } conf;
static conf c[MOST];
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static int asc(const void *a, const void *b) { double x=*(const double*)a,y=*(const double*)b; return (x>y)-(x<y); }
static argand_device *dev; static argand_timer *timer; static argand_fft *big; static argand_array *ba, *bb;
static storage *side[3], *tables, *counters;
static int launches(const box_program *b, int *first) { int n = 0; for (int i = 0, done; i < b->count; i += done) { first[n++] = i; done = b->wave.count && i == b->wave.begin ? b->wave.count : b->pass[i].cross.groups ? b->pass[i].cross.passes : 1; } return n; }
#include "array/layout.h"
static argand_status go(conf *k, int i, void *const *kernels, int in_place)
{
    box_program *b = &k->b;
    kernel_run run = {.key = program_launch_key(b, i), .kernel = kernels[i], .overlaps = k->l.overlaps};
    if (b->wave.count && i == b->wave.begin) {
        struct wave_params q = b->wave.params;
        for (int j = 0; j < b->wave.count; j++) q.pass[j].factor = layout_scalar(1e-3, 0);
        storage *const memory[5] = {side[1], side[in_place], side[2] ? side[2] : side[1], tables, counters};
        run.groups = b->wave.groups; run.memory = memory; run.memory_count = 5; run.params = &q; run.params_bytes = sizeof q; run.shared_bytes = b->wave.shared_bytes;
        return kernel_start(dev, &run);
    }
    const box_pass *pass = &b->pass[i];
    const int passes = pass->cross.groups ? pass->cross.passes : 1;
    struct cluster_convolved_params q;
    storage *const memory[3] = {side[pass[passes - 1].to], side[pass->from], tables};
    for (int j = 0; j < passes; j++) { q.pass[j] = pass[j].params; q.pass[j].factor = layout_scalar(1e-3, 0); }
    run.groups = pass->groups; run.memory = memory; run.memory_count = 3; run.params = &q; run.params_bytes = passes * sizeof q.pass[0]; run.shared_bytes = pass->shared_bytes;
    if (passes == 1) run.shared_bytes = pass_shared_bytes(pass, &k->l);
    return kernel_start(dev, &run);
}
static argand_status timed(double *us, double *host, conf *k, int only, int *first, int n, void *const *kernels, int prefill)
{
    double t[ROUNDS], h[ROUNDS], ms;
    for (int r = 0; r < ROUNDS; r++) {
        if (prefill) for (int i = 0; i < prefill; i++) TRY(argand_fft_apply(big, bb, ba, ARGAND_FORWARD));
        TRY(argand_timer_start(timer));
        double s = now();
        for (int x = 0; x < TIMES; x++)
            for (int i = 0; i < n; i++) if (only < 0 || only == i) TRY(go(k, first[i], kernels, 0));
        h[r] = (now() - s) / TIMES * 1e6;
        TRY(argand_timer_stop(timer));
        TRY(argand_timer_milliseconds(timer, &ms));
        t[r] = ms * 1e3 / TIMES;
    }
    qsort(t, ROUNDS, sizeof *t, asc); qsort(h, ROUNDS, sizeof *h, asc);
    *us = t[ROUNDS/2]; *host = h[ROUNDS/2];
    return ARGAND_OK;
}
int main(int argc, char **argv)
{
    int count = 0; char line[200];
    int dry = getenv("PROBE_DRY") != NULL;
    if (argand_device_open(&dev, dry ? "cpu" : "cuda:0")) { puts(argand_message()); return 1; }
    while (fgets(line, sizeof line, stdin) && count < MOST) {
        conf *k = &c[count]; int used = 0;
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#' || !line[0]) continue;
        snprintf(k->line, sizeof k->line, "%s", line);
        char size[40]; if (sscanf(line, "%39s %n", size, &used) != 1) continue;
        long n[3] = {1,1,1}, batch = 1; int isd = size[0] == 'd', rank; char *c0 = size + isd, *colon = strchr(size, ':');
        if (colon) { batch = atol(colon + 1); *colon = 0; }
        rank = sscanf(c0, "%ldx%ldx%ld", &n[0], &n[1], &n[2]);
        if (rank == 1 && !colon) { n[1] = n[2] = n[0]; rank = 3; }
        snprintf(k->words, sizeof k->words, "%s", line + used);
        k->p = (fft_problem){.type = isd ? ARGAND_C64 : ARGAND_C32, .rank = rank, .batch = batch, .points = (int64_t)n[0]*n[1]*n[2]};
        for (int i = 0; i < rank; i++) k->p.n[i] = n[i];
        k->bytes = (double)k->p.points * batch * (isd ? 16 : 8);
        k->n[0] = (int)n[0];
        setenv("ARGAND_FFT_BOX", k->words, 1);
        if (dry) { box_tuning t; if (!tuning_parse(&t, "")) { printf("%s: words?\n", k->line); continue; }
            k->l = (box_limits){.device=dev,.tuning=t,.is_double=isd,.item_bytes=isd?16:8,.items=isd?512:1024,.values=16,.waves=true,.cluster=t.cluster,.units=132,.shared_bytes=224*1024,.overlaps=t.pdl,.apart=true}; }
        else if (box_find_limits(&k->l, &k->p, dev, "")) { printf("%s: %s\n", k->line, argand_message()); continue; }
        problem_contiguous(&k->g, &k->p, ARGAND_FORWARD);
        k->p.axes_given = 0;
        if (program_make(&k->b, &k->p, &k->g, ARGAND_FORWARD, &k->l, false)) { printf("%s: %s\n", k->line, argand_message()); continue; }
        count++;
    }
    unsetenv("ARGAND_FFT_BOX");
    if (dry) { box_kernels all={.count=0}; int total=0; char *seen[1000];
      for (int i = 0; i < count; i++) { int f[BOX_PASSES], n = launches(&c[i].b, f); printf("%s:", c[i].line); for (int j=0;j<n;j++) { const char*key=program_launch_key(&c[i].b,f[j]); int old=0; for(int s=0;s<total;s++) old|=!strcmp(seen[s],key); if(!old) seen[total++]=(char*)key; box_shape*s=&c[i].b.pass[f[j]].shape; printf(" [%dx%dx%d", s->size[0],s->size[1],s->size[2]); for(int q=0;q<s->stages;q++)printf(" %d@%d",s->stage[q].radix,s->stage[q].axis); printf(" i%d g%lld%s]", s->items,(long long)c[i].b.pass[f[j]].groups, old?"":"*"); if(getenv("KEYS")&&!old)printf("\nKEY %zu %s\n",c[i].b.pass[f[j]].shared_bytes,key);} puts(""); } printf("%d kernels\n", total); return 0; }
    double began = now();
    box_kernels all = {.count = 0};
    for (int i = 0; i < count; i++) {
        if (!kernels_gather(&all, &c[i].b) || i == count - 1) { if (kernels_build(dev, all.key, all.count)) printf("! %s\n", argand_message()); all.count = 0; kernels_gather(&all, &c[i].b); }
    }
    { double t0 = now(); void *stream; for (int i = 0; i < 100000; i++) { if (device_enter(dev, &stream)) break; device_leave(dev); } printf("enter and leave %.3f us\n", (now() - t0) * 10); }
    fprintf(stderr, "%d configurations, built in %.1f s\n", count, now() - began);
    storage *s[2];
    if (argand_timer_create(&timer, dev) || storage_new(&s[0], dev, (size_t)1100 << 20) || storage_new(&s[1], dev, (size_t)1100 << 20)) { puts(argand_message()); return 1; }
    int64_t d[2] = {1024, 1 << 17};
    const int64_t *dims = d;
    argand_fft_options o; memset(&o, 0, sizeof o);
    {
        argand_status st = ARGAND_OK;
        st = argand_array_create(&ba, dev, ARGAND_C32, 2, dims); if (!st) st = argand_array_create(&bb, dev, ARGAND_C32, 2, dims);
        (void)o;
        o.type = ARGAND_C32; o.rank = 1; o.n[0] = 1024; o.batch = 1 << 17;
        if (!st) st = argand_fft_create(&big, dev, &o);
        if (st) { puts(argand_message()); return 1; }
    }
    for (int i = 0; i < count; i++) {
        conf *k = &c[i]; int first[BOX_PASSES]; void *kernels[BOX_PASSES] = {0}; double us, host, pre, x;
        const int n = launches(&k->b, first);
        TIMES = k->bytes > 5e8 ? 3 : k->bytes > 5e7 ? 20 : 100;
        printf("%-44s", k->line);
        DO(program_kernels(kernels, &k->b, dev));
        DO(box_upload_tables(&tables, &k->b, &k->l, dev));
        DO(box_make_counters(&counters, &k->b, dev));
        side[0] = s[0]; side[1] = s[1]; side[2] = NULL;
        if (k->b.work) DO(storage_new(&side[2], dev, (size_t)k->b.work * (size_t)k->l.item_bytes));
        DO(timed(&us, &host, k, -1, first, n, kernels, 0));
        DO(timed(&us, &host, k, -1, first, n, kernels, 0));
        DO(timed(&pre, &x, k, -1, first, n, kernels, 3));
        printf(" %7.2f pre %7.2f host %5.2f |", us, pre, host);
        for (int j = 0; j < n && n > 1; j++) { DO(timed(&pre, &x, k, j, first, n, kernels, 3)); printf(" %6.2f", pre); }
        for (int j = 0; j < n; j++) { const box_shape *q = &k->b.pass[first[j]].shape; printf(" [%dx%dx%d", q->size[0], q->size[1], q->size[2]);
            for (int m = 0; m < q->stages; m++) printf(" %d%s", q->stage[m].radix, q->stage[m].axis ? "'" : ""); printf(" i%d g%lld]", q->items, (long long)k->b.pass[first[j]].groups); }
    out:
        puts(""); fflush(stdout);
        storage_release(tables); storage_release(counters); storage_release(side[2]); tables = counters = side[2] = NULL;
    }
    return 0;
}
