// Documents that were found, in the groups that people look for.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "investigate/verdict/investigation.h"

namespace precedent {

struct KnownGroup {
  std::string_view key, heading;
  std::vector<const KnownDocument*> documents;  // best first, at least one
};
// Runbooks, known issues, post-mortems, similar incidents. Lifetime: that of `known`.
std::vector<KnownGroup> groups_of(const std::vector<KnownDocument>& known);
// The one whose procedure is quoted; null if there is none.
const KnownDocument* quoted_runbook(const std::vector<KnownDocument>& known);
// "runbooks/label.md:12-40".
std::string lines_place_of(const KnownDocument& document);

// The quoted one: where its steps stand, and each of them.
nlohmann::json runbook_json(const KnownDocument& runbook);
nlohmann::json known_documents_json(const std::vector<KnownDocument>& known);
// "What to do" and "What is known", where there is something to say.
std::string known_markdown(const Investigation& investigation);
std::string todo_markdown(const Investigation& investigation);

}  // namespace precedent
