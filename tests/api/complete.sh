#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# complete.sh SOURCE: which public functions calls.inc lacks. tests/api/api_null.c calls those that it has.
set -eu
cd "$1"
missing=0
for name in $(cat include/argand/*.h | tr '\n' ' ' | sed 's|/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/||g; s/;/\n/g' |
              sed -n 's/.*ARGAND_API.*[ *]\(argand_[a-z0-9_]*\)(.*/\1/p' | sort -u); do
    grep -q "($name," tests/api/calls.inc || { echo "$name is not in tests/api/calls.inc"; missing=1; }
done
exit $missing
