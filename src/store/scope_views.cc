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

// "All of them" and "none", for both.
constexpr std::string_view kAll = "1 = 1", kNone = "1 = 0";

// What turns the JSON list of a document's services into rows `s(value)`.
std::string_view services_of(db::Engine engine) {
  return engine == db::Engine::kSqlite ? "json_each(d.services) s"
                                       : "json_array_elements_text(d.services::json) s(value)";
}

// ASCII letters alone, whatever the database's language.
std::string_view lower(db::Engine engine) {
  return engine == db::Engine::kSqlite ? "lower(s.value)" : "lower(s.value COLLATE \"C\")";
}

std::string visible(const Scope& scope, db::Engine engine) {
  std::vector<std::string> conditions = {std::string(kAll)};
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
    conditions.push_back(fmt::format(
        "(d.application_folded IN {} OR EXISTS (SELECT 1 FROM {} "
        "WHERE s.value IN {} OR {} IN {}))",
        list(folded), services_of(engine), list(spelled), lower(engine), list(spelled)));
  }
  return join(conditions, " AND ");
}

}  // namespace

std::string scope_views(const Scope& scope, db::Engine engine) {
  // A golden example is of no service.
  const bool golden = scope.services.empty() && scope.sees(Kind::kGolden);
  // Temporary views come before tables in both: SQLite looks into "temp" first, PostgreSQL into
  // pg_temp.
  const std::string_view tables = engine == db::Engine::kSqlite ? "main" : "precedent";
  std::string views;
  const auto add = [&](std::string_view table, std::string_view condition) {
    views += fmt::format("CREATE TEMP VIEW {1} AS SELECT * FROM {0}.{1} d WHERE {2};", tables,
                         table, condition);
  };
  add("documents", visible(scope, engine));
  add("golden_examples", golden ? kAll : kNone);
  add("feedback", scope.everything() ? kAll : kNone);
  add("removals", kNone);
  // By text, of whatever document: not even their number is told.
  add("vectors", kNone);
  return views;
}

}  // namespace precedent
