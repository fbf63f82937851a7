// Passwords in commands and statements: options (curl -u, sshpass -p, redis-cli -a, --passphrase),
// SQL, and settings whose value stands behind a space (Dockerfile, .netrc). Part of redact.cc.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include "base/secret_text.h"

namespace precedent::secrets {

// The password of the option that begins with the '-' at `i`.
Found secret_of_option(std::string_view text, size_t i);
// The secret of the statement or setting whose name begins at `i`, where a word begins.
Found secret_of_statement(std::string_view text, size_t i);

}  // namespace precedent::secrets
