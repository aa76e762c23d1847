/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests and the fake Objective-C runtime with its Metal share. */
#ifndef TESTS_FAKE_OBJC_H
#define TESTS_FAKE_OBJC_H

struct fake_objc {
    int alive;                /* objects that were not released, but the device */
    int faults;               /* what Metal forbids: see last_fault */
    const char *last_fault;   /* NULL: none */
    const char *fail_message; /* "newCommandQueue" fails after fail_after further messages of that name */
    long fail_after;
    long messages, launches, command_buffers, wraps;
    unsigned long most_items; /* that pipelines allow; 0: 1024 */
    const char *watched;      /* a kernel; while it is set, functions are counted and no pipeline is made */
    int functions, watched_functions;
};

#endif
