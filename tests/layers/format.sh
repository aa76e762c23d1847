#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# format.sh SOURCE: clang-format changes no source and no kernel; no line of one is longer than 110 columns. In the first tier
# (ARGAND_TEST_FIRST), clang-format reads what the last commit and the working tree changed, and a quarter of the others.
set -euo pipefail
cd "$1"
format=${CLANG_FORMAT:-clang-format}
command -v "$format" > /dev/null || { echo "skipped: there is no $format (version 14)"; exit 77; }
version=$("$format" --version | grep -oE '[0-9]+' | head -1)
[ "$version" = 14 ] || { echo "skipped: $format has version $version; the sources are formatted by 14"; exit 77; }
list=$(git ls-files '*.c' '*.cc' '*.h' '*.krn' 2> /dev/null || find bench cli examples include src tests -name '*.[ch]' -o -name '*.cc' -o -name '*.krn')
failures=0
some=$list
if [ -n "${ARGAND_TEST_FIRST:-}" ]; then
    seed=${ARGAND_TEST_SEED:-$RANDOM}
    echo "ARGAND_TEST_SEED=$seed"
    changed=$(git diff --name-only --diff-filter=d HEAD~1 -- '*.c' '*.cc' '*.h' '*.krn' 2> /dev/null || true)
    some=$( { echo "$changed"; echo "$list" | awk -v seed="$seed" 'NR % 4 == seed % 4'; } | grep . | sort -u)
fi
echo "$some" | tr '\n' '\0' | xargs -0 "$format" --dry-run -Werror || failures=1
long=$(echo "$list" | tr '\n' '\0' | xargs -0 awk 'length > 110 { print FILENAME ":" FNR ": " length " columns" }')
[ -z "$long" ] || { echo "$long"; failures=1; }
[ $failures = 0 ] && echo "$(echo "$some" | wc -l) files are formatted"
exit $failures
