#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# scan_crash.sh WRITER TOOL: on files that bring HDF5 itself down, the tool ends with words that name the file and an exit code.
set -uo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder" || { echo "the files could not be made"; exit 1; }
for file in "$folder"/crash-*.h5; do
    words=$("$2" info "$file" 2>&1 > /dev/null)
    code=$?
    echo "$(basename "$file"): exit $code: $words"
    if [ $code -ge 126 ]; then echo "ended by a signal"; exit 1; fi
    if [ $code -ne 0 ] && [[ $words != *"$(basename "$file")"* ]]; then echo "the words do not name the file"; exit 1; fi
done
