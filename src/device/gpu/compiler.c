/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles kernels with a vendor's run-time compiler. */
#include "device/gpu/compiler.h"

#include <stdio.h>
#include "base/memory.h"
#include "device/drivers/report.h"

void gpu_open_compiler(gpu_compiler *compiler, const char *const *names, foreign_place place,
                       const foreign_function *functions, const char *remedy)
{
    char reason[320] = "its version cannot be read";
    compiler->there = foreign_open(names, place, functions, compiler, reason, sizeof reason) &&
                      !compiler->version(&compiler->major, &compiler->minor);
    if (!compiler->there)
        snprintf(compiler->reason, sizeof compiler->reason,
                 "%s, the compiler of kernels, cannot be used: %s; %s", compiler->title, reason, remedy);
}

static argand_status refuse(const gpu_compiler *c, gpu_program program, const kernel_source *source,
                            const char *target, int result)
{
    size_t size = 0;
    char *log = NULL;
    const bool told = !c->log_size(program, &size) && size && memory_new(&log, size + 1, 1) == ARGAND_OK &&
                      !c->log(program, log);
    const argand_status status =
        status_set(ARGAND_BUILD, "kernel \"%s\" for %s: %s %d.%d: %s\n%.1500s", source->key, target, c->title,
                   c->major, c->minor, c->error_text(result), told ? report_first_error(log) : "");
    memory_free(log);
    return status;
}

static argand_status take(const gpu_compiler *c, gpu_program program, const kernel_source *source,
                          const gpu_output *out)
{
    CHECK(!out->size(program, out->count) && *out->count, ARGAND_BUILD, "kernel \"%s\": %s made nothing",
          source->key, c->title);
    TRY(memory_new(out->to, *out->count, 1));
    const int result = out->bytes(program, (char *)*out->to);
    if (!result) return ARGAND_OK;
    return status_set(ARGAND_BUILD, "kernel \"%s\": %s: %s", source->key, c->title, c->error_text(result));
}

argand_status gpu_compile(const gpu_compiler *compiler, const kernel_source *source, const char *target,
                          const char *const *options, int option_count, const gpu_output *outputs,
                          int output_count)
{
    char name[80];
    gpu_program program = NULL;
    for (int i = 0; i < output_count; i++) *outputs[i].to = NULL;
    CHECK(compiler->there, ARGAND_BUILD, "kernel \"%s\": %s", source->key, compiler->reason);
    snprintf(name, sizeof name, "%s.cu", source->name);
    int result = compiler->create(&program, source->text, name, 0, NULL, NULL);
    CHECK(!result, ARGAND_BUILD, "kernel \"%s\": %s: %s", source->key, compiler->title,
          compiler->error_text(result));
    result = compiler->compile(program, option_count, options);
    argand_status status = result ? refuse(compiler, program, source, target, result) : ARGAND_OK;
    for (int i = 0; i < output_count && status == ARGAND_OK; i++)
        status = take(compiler, program, source, &outputs[i]);
    for (int i = 0; i < output_count && status != ARGAND_OK; i++) {
        memory_free(*outputs[i].to);
        *outputs[i].to = NULL;
    }
    compiler->destroy(&program);
    return status;
}
