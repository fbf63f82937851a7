// Secrets that are known by their form: keys of well-known services, JSON web tokens, private keys,
// bearer tokens, webhooks, and card numbers (Luhn). Part of redact.cc.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include "base/secret_text.h"

namespace precedent::secrets {

// The secret that begins with the byte at `i`, or right behind what begins there ("Bearer ").
Found secret_of_form(std::string_view text, size_t i);

}  // namespace precedent::secrets
