/* SPDX-License-Identifier: BSD-3-Clause */
/* Peers of `argand bench field`: the plain kernel, run by argand_bench_plain, and the measured ceilings of
 * chips. */
#include "field/field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Finds the program in the folder of this one. */
static bool find_program(char *path, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0) return false;
    path[length] = 0;
    char *slash = strrchr(path, '/');
    if (!slash || (size_t)(slash + 1 - path) + sizeof "argand_bench_plain" > size) return false;
    memcpy(slash + 1, "argand_bench_plain", sizeof "argand_bench_plain");
    return access(path, X_OK) == 0;
}

static bool is_name(const char *device)
{
    return device && device[strspn(device, "abcdefghijklmnopqrstuvwxyz0123456789:")] == 0;
}

bool field_plain_kernel(plain_figures *figures, const field_case *c, const char *device, int repeat)
{
    char path[4096], shell_line[5000];
    int found = 0;
    if (!is_name(device) || strchr(find_program(path, sizeof path) ? path : "'", '\'')) return false;
    snprintf(shell_line, sizeof shell_line, "'%s' %s %lldx%lldx%lld %lld %d %d", path, device,
             (long long)c->n[0], (long long)c->n[1], (long long)c->n[2], (long long)c->samples,
             c->model == MODEL_GRADIENTS, repeat);
    FILE *program = popen(shell_line, "r");
    if (!program) return false;
    for (int i = 0; i < 2; i++)
        found += fscanf(program, i ? " adjoint %lf %lf" : " forward %lf %lf", &figures->seconds[i],
                        &figures->error[i]) == 2;
    return pclose(program) == 0 && found == 2;
}

/* Rates that were measured on a chip with loops that do nothing else. special: sines or cosines per
 * second. fused: multiply-adds per second in single precision. matrix: coil-pairs per second of a complex
 * matrix product in three half-precision products (hi hi, hi lo, lo hi). */
static const struct chip {
    const char *name;
    double special, fused, matrix;
} chips[] = {{"H200", 4.14e12, 30.35e12, 33e12}};

/* Returns the lower of two bounds, as both units work at the same time. A phase needs a sine and a cosine,
 * a decay an exponential, a sinc another sine; without a field, k . r comes from tables. Each coil needs
 * four multiply-adds per pair; from 8 coils on, matrix units can do them. */
bool field_ceiling(const field_case *c, double *coil_pairs, const char **limit)
{
    argand_device_info info;
    if (argand_device_describe(c->device, &info) || c->type != ARGAND_C32) return false;
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        if (!strstr(info.name, chips[i].name)) continue;
        const int functions = c->model == MODEL_PLAIN ? 0
                                                      : 2 + (c->model == MODEL_DECAY) +
                                                            (c->model == MODEL_GRADIENTS ? c->rank : 0);
        const bool matrix = c->coils >= 8;
        const double phases = functions / chips[i].special,
                     sums = (double)c->coils / (matrix ? chips[i].matrix : chips[i].fused / 4);
        *coil_pairs = (double)c->coils / fmax(phases, sums);
        *limit = phases > sums ? "special functions" : matrix ? "matrix units" : "multiply-adds";
        return true;
    }
    return false;
}
