/* SPDX-License-Identifier: BSD-3-Clause */
/* objc_msgSend of the fake Objective-C runtime: keeps the registers of arguments over the search for the
 * method, and jumps to it. */

#ifdef __x86_64__
__asm__(".text\n.globl objc_msgSend\n.type objc_msgSend, @function\nobjc_msgSend:\n"
        "push %rbp\nmov %rsp, %rbp\nsub $48, %rsp\n"
        "mov %rdi, -8(%rbp)\nmov %rsi, -16(%rbp)\nmov %rdx, -24(%rbp)\n"
        "mov %rcx, -32(%rbp)\nmov %r8, -40(%rbp)\nmov %r9, -48(%rbp)\n"
        "call fake_method\nmov %rax, %r11\n"
        "mov -8(%rbp), %rdi\nmov -16(%rbp), %rsi\nmov -24(%rbp), %rdx\n"
        "mov -32(%rbp), %rcx\nmov -40(%rbp), %r8\nmov -48(%rbp), %r9\n"
        "leave\njmp *%r11\n.size objc_msgSend, . - objc_msgSend\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl objc_msgSend\n.type objc_msgSend, %function\nobjc_msgSend:\n"
        "stp x29, x30, [sp, #-80]!\nstp x0, x1, [sp, #16]\nstp x2, x3, [sp, #32]\n"
        "stp x4, x5, [sp, #48]\nstp x6, x7, [sp, #64]\n"
        "bl fake_method\nmov x16, x0\n"
        "ldp x0, x1, [sp, #16]\nldp x2, x3, [sp, #32]\nldp x4, x5, [sp, #48]\nldp x6, x7, [sp, #64]\n"
        "ldp x29, x30, [sp], #80\nbr x16\n.size objc_msgSend, . - objc_msgSend\n");
#endif
