#include "tools/incident_tools.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ids.h"
#include "base/strings.h"
#include "tools/conditioned_list.h"
#include "tools/incident_lists.h"
#include "tools/incident_scope.h"
#include "tools/present.h"
#include "tools/record_words.h"

namespace precedent {
namespace {

constexpr int64_t kMaxLimit = static_cast<int64_t>(Limits{}.max_tool_limit);

// What is offered instead of what was asked for is a hint, never a long list, whatever the limit.
constexpr size_t kMostOffered = 5;

// Whether something of its record was written later than the moment that is asked about.
Result<bool> is_told_as_of(const IncidentItem& item, ToolContext& context) {
  const std::optional<Document> whole = TRY(context.store.find(item.incident.incident_id));
  return whole && incident_of(*whole) != item.incident;
}

// Of a list: by how long it lasted, rather than newest first.
Param order_param() {
  return {.name = "order",
          .type = Param::Type::kStringList,
          .description =
              "By how long they lasted instead of newest first: only incidents whose "
              "beginning and end are known",
          .allowed = {"longest", "shortest"}};
}

// The `limit` that lasted longest, or shortest; the note says what they were chosen from.
Result<IncidentsResult> ranked(const std::vector<Payload>& payloads, const Args& args,
                               ToolContext& context) {
  const bool longest = args.list("order").front() == "longest";
  IncidentsResult result;
  TRY(fill(result, payloads, context));
  restrict_records(result, args);
  auto& items = result.incidents;
  const size_t all = items.size();
  std::erase_if(items, [](const IncidentItem& item) { return !lasted(item.incident); });
  std::ranges::stable_sort(items, [&](const IncidentItem& a, const IncidentItem& b) {
    const auto x = lasted(a.incident), y = lasted(b.incident);
    return longest ? x > y : x < y;
  });
  result.total = items.size();
  if (result.total < all) {
    result.note += fmt::format(
        "{}Of {} incidents, {}: the others do not say both when they began and when they ended.",
        result.note.empty() ? "" : " ", all,
        result.total == 0 ? std::string("none can be compared")
                          : fmt::format("these {} were compared", result.total));
  }
  const auto limit = static_cast<size_t>(args.integer("limit"));
  if (items.size() > limit) items.resize(limit);
  return result;
}

// All incidents that match, newest first: `limit` of them as items, and how many there are.
Result<IncidentsResult> list_incidents(const Filter& filter, const Args& args,
                                       ToolContext& context) {
  const auto limit = static_cast<size_t>(args.integer("limit"));
  if (!args.list("order").empty())
    return ranked(TRY(listed(filter, kAllIncidents, context)).page, args, context);
  const bool restricted = restricts_records(args);
  const ListedIncidents list = TRY(listed(filter, restricted ? kAllIncidents : limit, context));
  IncidentsResult result;
  result.total = list.total;
  TRY(fill(result, list.page, context));
  if (!restricted) return result;
  restrict_records(result, args);
  result.total = result.incidents.size();
  if (result.total > limit) result.incidents.resize(limit);
  return result;
}

// As list_incidents(), for applications that may be spelled in several ways: those spelled as
// `written` win, and the note tells of the others.
Result<IncidentsResult> list_of_application(const Filter& filter, std::string_view written,
                                            const Args& args, ToolContext& context) {
  if (!args.list("order").empty() || restricts_records(args))
    return list_incidents(filter, args, context);
  const auto limit = static_cast<size_t>(args.integer("limit"));
  std::vector<Payload> payloads = TRY(listed(filter, kAllIncidents, context)).page;
  const auto others = std::stable_partition(
      payloads.begin(), payloads.end(), [&](const Payload& p) { return p.application == written; });
  IncidentsResult result;
  if (others != payloads.begin() && others != payloads.end()) {
    result.note = fmt::format("{} more under the spelling '{}'.", payloads.end() - others,
                              others->application);
    payloads.erase(others, payloads.end());
  }
  result.total = payloads.size();
  if (payloads.size() > limit) payloads.resize(limit);
  TRY(fill(result, payloads, context));
  return result;
}

// The primary search path and its fallback: filters read off the query first, then plain hybrid
// search. Where the caller restricts the search, nothing is read off the query.
Result<IncidentsResult> similar_incidents(const std::string& query, const Filter& scope,
                                          size_t limit, ToolContext& context,
                                          std::vector<std::string>& explain) {
  SearchRequest request;
  request.text = query;
  request.filter = scope;
  request.self_query = scope == incidents_only();
  request.limit = limit;
  request.now = context.clock.now();
  request.reader = context.reader;
  const SearchResponse response = TRY(context.search.search(request));
  if (response.widened) context.events.status("Expanding search...");
  IncidentsResult result;
  result.fallback = response.widened;
  if (response.widened) {
    result.note =
        fmt::format("No incident matches the restriction ({}); these are the nearest without it.",
                    join(response.self_query.cues, ", "));
  }
  for (const Hit& hit : response.hits) {
    if (result.fallback && result.incidents.size() == kMostOffered) break;
    auto item = TRY(item_of(hit.payload.doc_id, context));
    if (!item) continue;
    item->relevance = hit.relevance;
    // A passage of what was written later is not told.
    const bool was_known =
        !context.clock.is_fixed() || to_document(item->incident).body.contains(hit.payload.text);
    if (was_known) item->preview = hit.snippet.text;
    result.incidents.push_back(std::move(*item));
  }
  result.total = result.incidents.size();
  explain = explain_search(response);
  return result;
}

std::string last_days(int64_t count) {
  return count == 1 ? "last day" : fmt::format("last {} days", count);
}

}  // namespace

// ----------------------------------------------------------------------------------
// lookup_incident_by_id

LookupIncidentById::LookupIncidentById()
    : Tool({"lookup_incident_by_id",
            "Look up one incident by its identifier. Use it whenever the user names an incident id "
            "such as "
            "INC-2025-08-24-001. Any hyphen and any case will do.",
            {{.name = "incident_id",
              .type = Param::Type::kString,
              .description = "The incident id, for example INC-2025-08-24-001",
              .required = true}}}) {}

Result<Tool::Outcome> LookupIncidentById::run(const Args& args, ToolContext& context) const {
  const std::string id = normalize_id(args.text("incident_id"));
  if (id.empty())
    return fail(ErrorCode::kInvalidArgument,
                "'incident_id' is blank; give an id such as INC-2025-08-24-001");
  context.events.status(fmt::format("Searching for {}...", id));
  Outcome outcome;
  IncidentsResult result;
  if (auto item = TRY(item_of(id, context))) {
    context.events.status("Found 1 relevant incidents...");
    if (TRY(is_told_as_of(*item, context))) {
      result.note = fmt::format("Told as known at {}: what was written later is left out.",
                                format_time(context.clock.now()));
    }
    result.total = 1;
    result.incidents.push_back(std::move(*item));
  } else {
    outcome.empty = true;
    result.note = fmt::format("There is no incident {} in the knowledge base.", id);
    const auto other = TRY(context.store.find(id));
    if (other && other->kind == Kind::kIncident && other->opened_at) {
      result.note = fmt::format("{} began at {}, after {}, the moment that is asked about.", id,
                                format_time(*other->opened_at), format_time(context.clock.now()));
    } else if (other) {
      result.note += fmt::format(" {} is a {}: \"{}\".", id, name(other->kind), other->title);
    } else if (const std::optional<TimePoint> date = date_in_id(id)) {
      // The nearest help is what happened on that day.
      Filter day = incidents_only();
      day.opened.from = date;
      day.opened.to = *date + std::chrono::days(1);
      std::vector<std::string> same_day;
      for (const Payload& p :
           TRY(context.search.index().list(day, KnowledgeIndex::Order::kNewest, 5)))
        same_day.push_back(p.doc_id);
      if (!same_day.empty())
        result.note += fmt::format(" Incidents of that day: {}.", join(same_day, ", "));
    }
    context.events.status(fmt::format("No incident found for {}", id));
  }
  outcome.text = present(result);
  outcome.result = std::move(result);
  return outcome;
}

// -------------------------------------------------------------------------------
// search_similar_incidents

SearchSimilarIncidents::SearchSimilarIncidents()
    : Tool({"search_similar_incidents",
            "Search past incidents by a problem description, error message or symptom, when the "
            "user gives no id.",
            with_incident_scope(
                {{.name = "query",
                  .type = Param::Type::kString,
                  .description = "Problem description, error message or search words",
                  .required = true},
                 {.name = "limit",
                  .type = Param::Type::kInteger,
                  .description = "Most incidents to return",
                  .default_value = 5,
                  .minimum = 1,
                  .maximum = kMaxLimit},
                 {.name = "app_name",
                  .description = "Only incidents of this application or service"}})}) {}

Result<Tool::Outcome> SearchSimilarIncidents::run(const Args& args, ToolContext& context) const {
  const std::string& query = args.text("query");
  if (trim(query).empty())
    return fail(ErrorCode::kInvalidArgument,
                "'query' is blank; describe the problem in a few words");
  const Filter scope = TRY(incident_scope(args));
  const Named named = TRY(name_scope(args.text("app_name"), scope, context));
  context.events.status("Searching for Similar Incidents...");
  Outcome outcome;
  IncidentsResult result = TRY(similar_incidents(
      query, named.filter, static_cast<size_t>(args.integer("limit")), context, outcome.explain));
  result.matched_names = named.names;
  outcome.empty = result.incidents.empty();
  if (outcome.empty) {
    result.note = "No incidents found matching the query.";
    if (const std::string restricted = describe_scope(scope); !restricted.empty())
      result.note += fmt::format(" It was restricted to: {}.", restricted);
    context.events.status("No similar incidents found");
  } else {
    if (const std::string more = TRY(more_under(named.longer, scope, context)); !more.empty())
      result.note += (result.note.empty() ? "" : " ") + more;
    context.events.status(fmt::format("Found {} relevant incidents...", result.incidents.size()));
  }
  outcome.text = present(result);
  outcome.result = std::move(result);
  return outcome;
}

// ----------------------------------------------------------------------------
// get_incidents_by_application

GetIncidentsByApplication::GetIncidentsByApplication()
    : Tool({"get_incidents_by_application",
            "List the incidents of one application, service or system, newest first.",
            with_incident_scope(with_record_words(
                {{.name = "app_name",
                  .type = Param::Type::kString,
                  .description = "Application, service or system, for example PayU Core",
                  .required = true},
                 order_param(),
                 {.name = "limit",
                  .type = Param::Type::kInteger,
                  .description = "Most incidents to return",
                  .default_value = 5,
                  .minimum = 1,
                  .maximum = kMaxLimit}}))}) {}

// Primary: impacted_application equals the name (case, '&' and hyphens fold); the note tells of
// those under longer names. Then: incidents that list it as a service, applications whose name
// holds all words of it. Fallback, for a name that
// does not exist: search by meaning, which says that it is one.
Result<Tool::Outcome> GetIncidentsByApplication::run(const Args& args, ToolContext& context) const {
  const std::string app(trim(args.text("app_name")));
  if (app.empty())
    return fail(ErrorCode::kInvalidArgument,
                "'app_name' is blank; give the name of an application");
  const Filter scope = TRY(incident_scope(args));
  const size_t limit = static_cast<size_t>(args.integer("limit"));
  context.events.status(fmt::format("Searching for incidents of {}...", app));
  Outcome outcome;
  IncidentsResult result;
  const Result<Named> named = name_scope(app, scope, context);
  if (named) {
    const bool by_service = !named->filter.services.empty();
    if (auto conditioned = TRY(list_by_conditions(scope, &*named, args, context))) {
      result = std::move(*conditioned);
    } else {
      result = by_service ? TRY(list_incidents(named->filter, args, context))
                          : TRY(list_of_application(named->filter, app, args, context));
      result.matched_names = named->names;
    }
    outcome.explain.push_back(fmt::format("{} taken as meant: {}",
                                          by_service ? "service" : "applications",
                                          join(named->names, ", ")));
    if (result.incidents.empty() && result.note.empty()) {
      const std::string restricted = describe_scope(scope);
      result.note =
          fmt::format("The knowledge base has no incident of {}{}.", join(named->names, ", "),
                      restricted.empty() ? "" : fmt::format(" ({})", restricted));
    } else if (const std::string more = TRY(more_under(named->longer, scope, context));
               !more.empty()) {
      result.note += (result.note.empty() ? "" : " ") + more;
    }
  } else if (named.error().code != ErrorCode::kNotFound) {
    return std::unexpected(named.error());
  } else if (auto conditioned = TRY(list_by_conditions(scope, nullptr, args, context, app))) {
    result = std::move(*conditioned);
  } else {
    context.events.status("Expanding search...");
    result = TRY(similar_incidents(app + " incidents", scope, std::min(limit, kMostOffered),
                                   context, outcome.explain));
    result.fallback = true;
    result.note = named.error().message;
  }
  outcome.empty = result.incidents.empty() || result.fallback;
  context.events.status(result.incidents.empty() ? std::string("No similar incidents found")
                                                 : fmt::format("Found {} relevant incidents...",
                                                               result.incidents.size()));
  outcome.text = present(result);
  outcome.result = std::move(result);
  return outcome;
}

// ------------------------------------------------------------------------------------
// get_recent_incidents

GetRecentIncidents::GetRecentIncidents()
    : Tool({"get_recent_incidents",
            "List the incidents of the last N days, or of a window given by `since` and `until`, "
            "newest first.",
            with_incident_scope(
                with_record_words({order_param(),
                                   {.name = "days",
                                    .type = Param::Type::kInteger,
                                    .description = "How many days to look back; not used beside "
                                                   "`since` or `until`",
                                    .default_value = 7,
                                    .minimum = 1,
                                    .maximum = 36500},
                                   {.name = "limit",
                                    .type = Param::Type::kInteger,
                                    .description = "Most incidents to return",
                                    .default_value = 10,
                                    .minimum = 1,
                                    .maximum = kMaxLimit}}))}) {}

Result<Tool::Outcome> GetRecentIncidents::run(const Args& args, ToolContext& context) const {
  using std::chrono::days;
  using std::chrono::seconds;
  const int64_t count = args.integer("days");
  const TimePoint now = context.clock.now();
  Filter filter = TRY(incident_scope(args));
  const std::string restricted = describe_scope(filter);
  const bool by_days = filter.opened.unbounded();
  // after now - days, and not after now; TimeRange is half-open the other way round.
  if (by_days) filter.opened = {now - days(count) + seconds(1), now + seconds(1)};
  const std::string window = by_days ? "the " + last_days(count) : "that window";
  std::vector<std::string> exactly;
  if (by_days) {
    exactly.push_back(
        fmt::format("after {}, up to {}", format_time(now - days(count)), format_time(now)));
  }
  if (!restricted.empty()) exactly.push_back(restricted);
  context.events.status(fmt::format("Searching for incidents of {}...", window));
  auto conditioned = TRY(list_by_conditions(filter, nullptr, args, context));
  IncidentsResult result =
      conditioned ? std::move(*conditioned) : TRY(list_incidents(filter, args, context));
  Outcome outcome;
  outcome.explain.push_back(join(exactly, ", "));
  outcome.empty = result.incidents.empty();
  if (outcome.empty && result.note.empty()) {
    result.note = fmt::format("No incidents were opened in {} ({}).", window, join(exactly, ", "));
    Filter before = filter;
    before.opened = {std::nullopt, filter.opened.from.value_or(now)};
    const auto latest = TRY(context.search.index().list(before, KnowledgeIndex::Order::kNewest, 1));
    if (!latest.empty() && latest.front().opened_at) {
      result.note += fmt::format(" The latest before that is {} of {}.", latest.front().doc_id,
                                 format_time(*latest.front().opened_at));
    }
    context.events.status("No recent incidents found");
  } else {
    context.events.status(fmt::format("Found {} relevant incidents...", result.incidents.size()));
  }
  outcome.text = present(result);
  outcome.result = std::move(result);
  return outcome;
}

}  // namespace precedent
