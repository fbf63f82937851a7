// Incident ids: `INC-YYYY-MM-DD-NNN` in the company's own spelling, and whatever people paste.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace precedent {

// Every hyphen and dash that word processors and chats substitute becomes '-':
// U+2010–U+2015, U+2212, U+FE58, U+FE63, U+FF0D. Nothing else changes.
std::string fold_hyphens(std::string_view text);

// The one spelling under which an id is stored and looked up: hyphens folded, upper case (ASCII),
// white space, quotes, brackets and sentence punctuation around it trimmed. "“inc‑2025‑01‑20‑005”,"
// → "INC-2025-01-20-005". Any other id (`PD-12345`, `4711`) is treated alike.
std::string normalize_id(std::string_view id);

// The ids mentioned in running text, normalised, in order, each once: a word of letters, a hyphen,
// then digits and hyphens ("INC-2025-01-20-005", "PD-12345", "OPS-77"). Words such as "HTTP-403" or
// "UTF-8" match the form too: the caller decides by asking whether they exist. `begin`, `end` are
// byte offsets in `text`.
struct IdMention {
  std::string id;
  size_t begin, end;
  bool operator==(const IdMention&) const = default;
};
std::vector<IdMention> find_ids(std::string_view text);

// The date inside `INC-YYYY-MM-DD-NNN`, if the id has that form and the date exists.
std::optional<TimePoint> date_in_id(std::string_view normalized_id);

}  // namespace precedent
