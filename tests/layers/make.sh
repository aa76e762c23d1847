#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# make.sh SOURCE: `make test` hands TESTS to ctest as the shell reads it. .ci/run ends its expressions with a $, which make would expand.
set -euo pipefail
command -v make >/dev/null || exit 77
line=$(MAKEFLAGS= make -n -C "$1" test TESTS="-L more -R '^(site/html|wheel/aarch64)\$'" 2>&1 | grep '^ctest')
printf '%s\n' "$line"
[[ $line == *" -L more -R '^(site/html|wheel/aarch64)\$'" ]]
