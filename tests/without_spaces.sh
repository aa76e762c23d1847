# SPDX-License-Identifier: BSD-3-Clause
# Cases write $files and $tests without quotes, and LD_PRELOAD has spaces between names: without_spaces NAME... gives these variables
# another path to the same, by a link in $links, where they have spaces. Remove $links afterwards.
links=
without_spaces() {
    local name
    for name in "$@"; do
        case ${!name} in *[[:space:]]*) ;; *) continue ;; esac
        [ -n "$links" ] || links=$(mktemp -d /tmp/argand-links.XXXXXX)
        ln -s "${!name}" "$links/$name"
        printf -v "$name" %s "$links/$name"
    done
}
