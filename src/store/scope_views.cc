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

// The columns of documents but its path.
constexpr std::string_view kColumns =
    "d.point, d.id, d.hash, d.version, d.chunk_count, d.model, d.kind, d.began_at, d.source, "
    "d.title_terms, d.meta_terms, d.heading_terms, d.chunk_heading_terms, d.body_terms, d.title, "
    "d.body_line, d.services, d.symptoms, d.tags, d.application, d.application_folded, "
    "d.severity, d.status, d.opened_at, d.updated_at, d.resolved_at, d.attributes";

// The path below its source; of one that was named by another way, as through a link, and of a
// source that is a file itself, its last part. What is not absolute stays as it is.
std::string shown_path(std::string_view tables) {
  const std::string root =
      fmt::format("(SELECT s.path FROM {}.sources s WHERE s.id = d.source)", tables);
  return fmt::format(
      "CASE WHEN substr(d.path, 1, 1) <> '/' THEN d.path "
      "WHEN substr(d.path, 1, length({0}) + 1) = {0} || '/' "
      "THEN substr(d.path, length({0}) + 2) "
      "ELSE substr(d.path, length(rtrim(d.path, replace(d.path, '/', ''))) + 1) END",
      root);
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
  views += fmt::format(
      "CREATE TEMP VIEW documents AS SELECT {}, {} AS path FROM {}.documents d "
      "WHERE {};",
      kColumns, shown_path(tables), tables, visible(scope, engine));
  add("golden_examples", golden ? kAll : kNone);
  add("feedback", scope.everything() ? kAll : kNone);
  add("removals", kNone);
  // By text, of whatever document: not even their number is told.
  add("vectors", kNone);
  return views;
}

}  // namespace precedent
