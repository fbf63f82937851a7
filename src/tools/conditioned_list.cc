#include "tools/conditioned_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
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

Result<std::optional<ConditionedRecords>> records_by_conditions(const Filter& scope,
                                                                const Named* named,
                                                                const Args& args,
                                                                ToolContext& context,
                                                                std::string_view unknown) {
  std::optional<ConditionedRecords> none;
  const std::string& restriction = args.text("restriction");
  if (context.conditions == nullptr || trim(restriction).empty()) return none;
  // Which values there are does not depend on the time that is asked about.
  Filter everything = scope;
  everything.severities.clear(), everything.statuses.clear(), everything.opened = {};
  IncidentsResult filled;
  const ListedIncidents list = TRY(listed(everything, kAllIncidents, context));
  TRY(fill(filled, list.page, context));
  // A reader that fails leaves the words.
  auto read = read_conditions(restriction, filled.incidents, *context.conditions);
  if (!read) return none;
  // What is open is whatever has not ended, not the records of the status that is called so.
  if (args.flag("open")) read->forget_wanted("status");
  if (read->empty()) return none;
  ConditionedRecords out{.items = std::move(filled.incidents), .conditions = *std::move(read)};
  const RecordConditions& conditions = out.conditions;
  constexpr ptrdiff_t kMostSpaces = 2;
  if (std::ranges::count(unknown, ' ') <= kMostSpaces && !conditions.understands(unknown))
    return none;
  Filter wide = everything;
  wide.opened = scope.opened;
  if (wide != everything) TRY(keep_matching(wide, context, out.items));
  out.of = out.items.size();
  if (out.items.empty()) return none;  // the time has none, whatever else is asked
  Filter narrow = scope;
  if (named != nullptr && !is_not_meant(*named, conditions, restriction)) {
    narrow = named->filter;
    out.names = named->names;
  }
  const bool of_end = conditions.of("status") || conditions.of("closed");
  if (conditions.of("severity")) narrow.severities.clear();
  if (of_end) narrow.statuses.clear();
  if (!narrow.severities.empty())
    out.said.push_back("severity is " + join(narrow.severities, " or "));
  if (!narrow.statuses.empty()) out.said.push_back("status is " + join(narrow.statuses, " or "));
  if (narrow != wide) TRY(keep_matching(narrow, context, out.items));
  conditions.keep(out.items);
  std::ranges::move(conditions.said(), std::back_inserter(out.said));
  if (args.flag("open") && !of_end) {
    keep_open(out.items);
    out.said.emplace_back("not over yet");
  }
  out.words = args.list("saying");
  // A negation is of a condition, not a word that records must say.
  std::erase_if(out.words, [&](const std::string& word) {
    return conditions.understands(word) || iequals(word, "not") || iequals(word, "no");
  });
  return out;
}

Result<std::optional<IncidentsResult>> list_by_conditions(const Filter& scope, const Named* named,
                                                          const Args& args, ToolContext& context,
                                                          std::string_view unknown) {
  std::optional<IncidentsResult> out;
  auto records = TRY(records_by_conditions(scope, named, args, context, unknown));
  if (!records) return out;
  const RecordConditions& conditions = records->conditions;
  IncidentsResult result;
  result.incidents = std::move(records->items);
  result.matched_names = std::move(records->names);
  result.conditions = std::move(records->said);
  restrict_by_words(result, records->words, !conditions.conditions.empty());
  conditions.sort(result.incidents);
  result.order = conditions.order;
  result.total = result.incidents.size();
  if (result.incidents.empty())
    result.note = fmt::format("None of {} incidents meets all of this: {}.", records->of,
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
