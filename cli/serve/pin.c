/* SPDX-License-Identifier: BSD-3-Clause */
/* Processors of a connection's threads (--pin): one for those that receive and send, which are short but must
 * not wait, all others for those that make frames. */
#include "common/system.h"
#include "serve/serve.h"

/* Splits the processors. Returns false if there is only one. */
static bool split(system_processors *messages, system_processors *frames, const system_processors *all,
                  int slot)
{
    int count = 0, at = 0;
    for (int p = 0; p < SYSTEM_PROCESSORS; p++) count += (int)(all->words[p / 64] >> p % 64 & 1);
    for (int p = 0; p < SYSTEM_PROCESSORS; p++) {
        const uint64_t bit = all->words[p / 64] & UINT64_C(1) << p % 64;
        if (!bit) continue;
        system_processors *to = at++ == slot % count ? messages : frames;
        to->words[p / 64] |= bit;
    }
    return count > 1;
}

bool pin_thread(pin_role role, const system_processors *all, int slot)
{
    system_processors sets[2] = {0};
    return split(&sets[PIN_MESSAGES], &sets[PIN_FRAMES], all, slot) && system_pin(&sets[role]);
}
