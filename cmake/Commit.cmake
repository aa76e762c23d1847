# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE=folder -DOUT=commit.c -P Commit.cmake: the commit that is built, written where it changed alone.
set(commit "")
find_program(git git)
if(git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${git} -C ${SOURCE} diff --quiet HEAD ERROR_QUIET RESULT_VARIABLE modified)
  if(commit AND modified EQUAL 1)
    string(APPEND commit "-modified")
  endif()
endif()
set(text "#include \"common/origin.h\"\n\nconst char origin_commit_text[] = \"${commit}\";\n")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUT} "${text}")
endif()
