#include "store/scope_views.h"

#include <fmt/format.h>

#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "knowledge/case_fold.h"

namespace precedent {
namespace {

// 'it''s'
std::string literal(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted.append(c == '\'' ? "''" : std::string(1, c));
  return quoted + "'";
}

std::string list(const std::vector<std::string>& values) {
  std::vector<std::string> quoted;
  for (const std::string& value : values) quoted.push_back(literal(value));
  return "(" + join(quoted, ", ") + ")";
}

std::string visible(const Scope& scope) {
  std::vector<std::string> conditions = {"1"};
  if (!scope.kinds.empty()) {
    std::vector<std::string> kinds;
    for (const Kind kind : scope.kinds) kinds.emplace_back(name(kind));
    conditions.push_back("d.kind IN " + list(kinds));
  }
  if (!scope.services.empty()) {
    std::vector<std::string> folded, spelled;
    for (const std::string& service : scope.services) {
      folded.push_back(case_fold(service));
      spelled.push_back(service);
      spelled.push_back(ascii_lower(service));
    }
    conditions.push_back(
        fmt::format("(d.application_folded IN {} OR EXISTS (SELECT 1 FROM json_each(d.services) s "
                    "WHERE s.value IN {} OR lower(s.value) IN {}))",
                    list(folded), list(spelled), list(spelled)));
  }
  return join(conditions, " AND ");
}

}  // namespace

std::string scope_views(const Scope& scope) {
  // A golden example is of no service.
  const bool golden = scope.services.empty() && scope.sees(Kind::kGolden);
  return fmt::format(
      "CREATE TEMP VIEW documents AS SELECT * FROM main.documents d WHERE {};"
      "CREATE TEMP VIEW golden_examples AS SELECT * FROM main.golden_examples WHERE {};"
      "CREATE TEMP VIEW feedback AS SELECT * FROM main.feedback WHERE {};"
      "CREATE TEMP VIEW removals AS SELECT * FROM main.removals WHERE 0;",
      visible(scope), golden ? 1 : 0, scope.everything() ? 1 : 0);
}

}  // namespace precedent
