// What --version prints: version, commit, compiler, kind of build.
#pragma once

namespace precedent {

const char* version_text();

}  // namespace precedent
