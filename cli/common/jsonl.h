/* SPDX-License-Identifier: BSD-3-Clause */
/* The display protocol of forge and PowerGrid (--progress jsonl): one event a line on standard error, which
 * their viewer reads from a pipe:
 *   {"type":"start","app":"argand sense","version":"0.1.0"}
 *   {"type":"log","ts":"2026-11-24T15:00:00.000Z","level":"info","file":"argand","line":0,"msg":...}
 *   {"type":"progress","action":"add","id":0,"label":"PCG","max":10}, "tick" with current and postfix, "done"
 *   {"type":"metrics","bar_id":0,"iter":3,"error_norm":2.9e-02,"penalty":0}
 *   {"type":"image_preview","bar_id":0,"iter":10,"planes":[{"label":"Image","nx":64,"ny":64,"data":...}]}
 *   {"type":"exit","code":0}
 * A volume is a bar that is called PCG, by which that viewer counts images and iterations. */
#ifndef CLI_JSONL_H
#define CLI_JSONL_H

#include <stdbool.h>
#include <stdint.h>

void jsonl_start(const char *command);
/* Returns false without --progress jsonl; then all other functions do nothing. */
bool jsonl_is_on(void);
void jsonl_log(const char *level, const char *text);
/* Shows a step in the bar of the current volume; the first step opens the bar. */
void jsonl_step(const char *postfix, int step, int steps, double residual, double penalty);
void jsonl_done(void);
/* Shows the magnitude {nx, ny, nz} of the volume whose bar is open: one plane, or three through the
 * centre. */
void jsonl_preview(const float *magnitude, const int64_t n[3]);
void jsonl_exit(int code);

#endif
