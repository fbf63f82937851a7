// Secrets that are known by what stands before them: the name of a setting, an option of a command,
// the user of a connection string, a sentence about a password. Part of redact.cc.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include "base/secret_text.h"

namespace precedent::secrets {

// The secret behind what ends, or begins, with the byte at `i`: the ':' or '=' after a name, the
// '-' of an option, the first letter of what leads to a password in prose.
Found secret_of_name(std::string_view text, size_t i);

}  // namespace precedent::secrets
