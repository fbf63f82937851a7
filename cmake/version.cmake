# Writes OUTPUT, the definition of version_text(): version, commit, compiler. Touches it only if it changes.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=10 OUTPUT_VARIABLE commit
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit "unknown commit")
endif()
set(text "// Made by cmake/version.cmake.
#include \"cli/command/version.h\"

namespace precedent {

const char* version_text() { return \"precedent ${VERSION} (${commit}, ${COMPILER}, ${BUILD})\"; }

}  // namespace precedent
")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
