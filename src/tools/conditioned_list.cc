#include "tools/conditioned_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "tools/record_conditions.h"
#include "tools/record_words.h"

namespace precedent {
namespace {

// Whether the applications are not what is asked about: just these are excluded, or a word of
// something else was taken for their name.
bool is_not_meant(const Named& named, const RecordConditions& conditions,
                  std::string_view question) {
  return std::ranges::any_of(named.names, [&](const std::string& name) {
    return conditions.excludes("application", name) || conditions.explains(name, question);
  });
}

// Those that match, as they were known at the moment that is asked about.
Result<void> keep_matching(const Filter& filter, ToolContext& context,
                           std::vector<IncidentItem>& items) {
  std::set<std::string> ids;
  for (const Payload& payload : TRY(listed(filter, kAllIncidents, context)).page)
    ids.insert(payload.doc_id);
  std::erase_if(items,
                [&](const IncidentItem& item) { return !ids.contains(item.incident.incident_id); });
  return {};
}

}  // namespace

Result<std::optional<IncidentsResult>> list_by_conditions(const Filter& scope, const Named* named,
                                                          const Args& args, ToolContext& context,
                                                          std::string_view unknown) {
  std::optional<IncidentsResult> out;
  const std::string& restriction = args.text("restriction");
  if (context.conditions == nullptr || trim(restriction).empty()) return out;
  Filter wide = scope;
  wide.severities.clear(), wide.statuses.clear();
  IncidentsResult result;
  const ListedIncidents list = TRY(listed(wide, kAllIncidents, context));
  TRY(fill(result, list.page, context));
  // A reader that fails leaves the words.
  const auto read = read_conditions(restriction, result.incidents, *context.conditions);
  if (!read || read->empty()) return out;
  const RecordConditions& conditions = *read;
  constexpr ptrdiff_t kMostSpaces = 2;
  if (std::ranges::count(unknown, ' ') <= kMostSpaces && !conditions.understands(unknown))
    return out;
  const size_t all = result.incidents.size();
  Filter narrow = scope;
  if (named != nullptr && !is_not_meant(*named, conditions, restriction)) {
    narrow = named->filter;
    result.matched_names = named->names;
  }
  const bool of_end = conditions.of("status") || conditions.of("closed");
  if (conditions.of("severity")) narrow.severities.clear();
  if (of_end) narrow.statuses.clear();
  if (!narrow.severities.empty())
    result.conditions.push_back("severity is " + join(narrow.severities, " or "));
  if (!narrow.statuses.empty())
    result.conditions.push_back("status is " + join(narrow.statuses, " or "));
  if (narrow != wide) TRY(keep_matching(narrow, context, result.incidents));
  conditions.keep(result.incidents);
  std::ranges::move(conditions.said(), std::back_inserter(result.conditions));
  if (args.flag("open") && !of_end) {
    keep_open(result.incidents);
    result.conditions.emplace_back("not over yet");
  }
  std::vector<std::string> words = args.list("saying");
  // A negation is of a condition, not a word that records must say.
  std::erase_if(words, [&](const std::string& word) {
    return conditions.understands(word) || iequals(word, "not") || iequals(word, "no");
  });
  restrict_by_words(result, words, !conditions.conditions.empty());
  conditions.sort(result.incidents);
  result.order = conditions.order;
  result.total = result.incidents.size();
  if (result.incidents.empty())
    result.note = fmt::format("None of {} incidents meets all of this: {}.", all,
                              join(result.conditions, "; "));
  // "More than 20" is no limit, whoever took it for one.
  const int64_t given = args.integer("limit");
  const bool compared = std::ranges::find(conditions.compared, static_cast<double>(given)) !=
                        conditions.compared.end();
  const size_t limit = conditions.limit.value_or(compared ? context.limits.max_tool_limit
                                                          : static_cast<size_t>(given));
  if (result.incidents.size() > limit) result.incidents.resize(limit);
  out = std::move(result);
  return out;
}

}  // namespace precedent
