# SPDX-License-Identifier: BSD-3-Clause
# cmake -DFOLDER=<folder> "-DFILES=<a.krn b.h ...>" -DOUT=<file.c> [-DLIST=name] [-DTYPE=type -DHEADER=header] -P embed.cmake:
# text files as NUL-ended C arrays, listed by name in kernel_texts (kernels/texts.h), or in a list of another name, type and header.
# Bytes instead of string literals: their length is not limited, nothing is escaped.

if(NOT LIST)
  set(LIST kernel_texts)
endif()
if(NOT TYPE)
  set(TYPE kernel_text)
  set(HEADER kernels/texts.h)
endif()
string(REPLACE " " ";" FILES "${FILES}")
set(code "/* Made by embed.cmake. */\n#include \"${HEADER}\"\n\n#include <stddef.h>\n")
set(list "")
set(number 0)
foreach(file ${FILES})
  file(READ "${FOLDER}/${file}" hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "0x([89a-f][0-9a-f])" "(char)0x\\1" bytes "${bytes}") # beyond ASCII
  string(APPEND code "\n/* ${file} */\nstatic const char text_${number}[] = {\n${bytes}0};\n")
  string(APPEND list "    {\"${file}\", text_${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUT}" "${code}\nconst ${TYPE} ${LIST}[] = {\n${list}    {NULL, NULL},\n};\n")
