# SPDX-License-Identifier: BSD-3-Clause
# cmake -DFILE=<file.txt> -DOUT=<file.c> -DLIST=name -DHEADER=header -P embed_lines.cmake:
# the lines of a text file as an array of strings, ended by NULL; lines that begin with # are comments.

file(STRINGS "${FILE}" lines)
set(code "/* Made by embed_lines.cmake. */\n#include \"${HEADER}\"\n\n#include <stddef.h>\n\nconst char *const ${LIST}[] = {\n")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^#" AND NOT line STREQUAL "")
    string(APPEND code "    \"${line}\",\n")
  endif()
endforeach()
file(WRITE "${OUT}" "${code}    NULL,\n};\n")
