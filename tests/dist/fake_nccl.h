/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests and the fake NCCL share. */
#ifndef TESTS_FAKE_NCCL_H
#define TESTS_FAKE_NCCL_H

struct fake_nccl {
    int alive, aborted, sums, sends; /* alive: communicators that were not given back */
    const char *fail_function;       /* "Send": all its calls fail with fail_with */
    int fail_with;
    int async_error; /* what ncclCommGetAsyncError says */
};

#endif
