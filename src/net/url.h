// The parts of an address that messages and rules need.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace precedent {

struct Url {
  std::string scheme;     // http or https
  std::string host;       // lower case, without brackets
  std::string port;       // "" for the scheme's own
  bool has_user = false;  // or a password: neither is kept here
  // "host" or "host:port": all of an address that a message may show.
  std::string shown() const;
};

// Errors: kInvalidArgument, which shows no user, password or query. Only http and https.
Result<Url> parse_url(std::string_view text);

// localhost, *.localhost, 127.0.0.0/8 and ::1, by their spelling; nothing is resolved.
bool is_loopback(std::string_view host);

// "a b/c" → "a%20b%2Fc": all but the unreserved characters of RFC 3986, for one segment or one
// value.
std::string percent_encoded(std::string_view text);

}  // namespace precedent
