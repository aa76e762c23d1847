/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a cubin: sections of an ELF file, and the attributes (EIATTR of cuobjdump) in .nv.info. */
#include <elf.h>
#include <string.h>
#include "offline.h"

enum { STACK = 0x12, REGISTERS = 0x2f, PAIR_OF_WORDS = 4 };

/* Reads the attributes of .nv.info: format, number, count of bytes that follow. The wanted attributes hold
 * a symbol and its value. */
static void read_info(const unsigned char *at, size_t count, kernel_needs *needs)
{
    for (size_t i = 0; i + 4 <= count;) {
        uint16_t size;
        uint32_t value = 0;
        memcpy(&size, at + i + 2, sizeof size);
        const unsigned char format = at[i], number = at[i + 1];
        if (format != PAIR_OF_WORDS) size = 0; /* the size field holds the value itself */
        if (format == PAIR_OF_WORDS && size >= 8 && i + 12 <= count) memcpy(&value, at + i + 8, sizeof value);
        if (number == REGISTERS && (int)value > needs->registers) needs->registers = (int)value;
        if (number == STACK && value > needs->spilled) needs->spilled = value;
        i += 4 + (size_t)size;
    }
}

/* Reads a section header; false if its numbers point outside the file. */
static bool section(const unsigned char *bytes, size_t count, const Elf64_Ehdr *head, int i, Elf64_Shdr *s)
{
    const uint64_t at = head->e_shoff + (uint64_t)i * sizeof *s;
    if (head->e_shoff > count || at + sizeof *s > count) return false;
    memcpy(s, bytes + at, sizeof *s);
    return s->sh_type == SHT_NOBITS || (s->sh_offset <= count && s->sh_size <= count - s->sh_offset);
}

argand_status cubin_needs(const unsigned char *bytes, size_t count, kernel_needs *needs)
{
    Elf64_Ehdr head;
    Elf64_Shdr names, s;
    *needs = (kernel_needs){0};
    CHECK(count > sizeof head && !memcmp(bytes, ELFMAG, SELFMAG), ARGAND_FORMAT,
          "not machine code: no ELF file");
    memcpy(&head, bytes, sizeof head);
    CHECK(section(bytes, count, &head, head.e_shstrndx, &names) && names.sh_size, ARGAND_FORMAT,
          "the machine code's ELF file is damaged");
    const char *strings = (const char *)bytes + names.sh_offset;
    for (int i = 0; i < head.e_shnum; i++) {
        if (!section(bytes, count, &head, i, &s) || s.sh_name >= names.sh_size) continue;
        const char *name = strings + s.sh_name;
        if (!strcmp(name, ".nv.info")) read_info(bytes + s.sh_offset, s.sh_size, needs);
        if (!strncmp(name, ".nv.shared.", 11) && strncmp(name, ".nv.shared.reserved", 19))
            needs->shared += s.sh_size;
    }
    CHECK(needs->registers, ARGAND_FORMAT, "the machine code does not tell of registers");
    return ARGAND_OK;
}
