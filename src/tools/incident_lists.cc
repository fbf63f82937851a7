#include "tools/incident_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "knowledge/case_fold.h"
#include "tools/known_at.h"

namespace precedent {
namespace {

// More of them than this would bury the list that they stand beside.
constexpr size_t kMostBeside = 10;

// Newest first. Of several that began in the same moment, as far as is known, the one with the
// greater id was recorded later.
void sort_newest(std::vector<Payload>& payloads) {
  std::ranges::sort(payloads, [](const Payload& a, const Payload& b) {
    if (a.opened_at != b.opened_at) return b.opened_at < a.opened_at;
    return a.doc_id > b.doc_id;
  });
}

// The `limit` newest that match, in the order of sort_newest(). The index breaks ties in another
// way, so that one of them must not end in the middle of what it is asked for.
Result<std::vector<Payload>> newest(const Filter& filter, size_t limit, ToolContext& context) {
  for (size_t asked = limit + 16;; asked *= 4) {
    std::vector<Payload> page =
        TRY(context.search.index().list(filter, KnowledgeIndex::Order::kNewest, asked));
    const bool cut_tie = page.size() == asked && page[limit - 1].opened_at == page.back().opened_at;
    if (cut_tie) continue;
    sort_newest(page);
    if (page.size() > limit) page.resize(limit);
    return page;
  }
}

// The status that it had at the moment asked about, which a record that was touched later does not
// say: what was not over yet then had one of those that are open.
bool had_status(const Incident& incident, const std::vector<std::string>& statuses) {
  return statuses.empty() || std::ranges::any_of(statuses, [&](const std::string& status) {
           return case_fold(incident.status) == case_fold(status) ||
                  (incident.status == kOpenThen && !is_closed_status(status));
         });
}

}  // namespace

Filter incidents_only() {
  Filter filter;
  filter.kinds = {Kind::kIncident};
  return filter;
}

Result<std::optional<IncidentItem>> item_of(std::string_view id, ToolContext& context) {
  std::optional<Document> document = TRY(context.store.find(id));
  if (!document || document->kind != Kind::kIncident) return std::optional<IncidentItem>();
  if (context.clock.is_fixed()) document = known_at(*std::move(document), context.clock.now());
  if (!document) return std::optional<IncidentItem>();
  return IncidentItem{incident_of(*document), document->path};
}

Result<ListedIncidents> listed(const Filter& filter, size_t limit, ToolContext& context) {
  if (!context.clock.is_fixed()) {
    const size_t total = TRY(context.search.index().count_documents(filter));
    if (total == 0 || limit == 0) return ListedIncidents{{}, total};
    return ListedIncidents{TRY(newest(filter, std::min(limit, total), context)), total};
  }
  Filter then = filter;
  then.statuses.clear();
  const size_t all = TRY(context.search.index().count_documents(then));
  ListedIncidents known;
  if (all == 0) return known;
  for (Payload& payload : TRY(newest(then, all, context))) {
    const auto item = TRY(item_of(payload.doc_id, context));
    if (item && had_status(item->incident, filter.statuses))
      known.page.push_back(std::move(payload));
  }
  known.total = known.page.size();
  if (known.page.size() > limit) known.page.resize(limit);
  return known;
}

Result<void> fill(IncidentsResult& result, const std::vector<Payload>& payloads,
                  ToolContext& context) {
  for (const Payload& payload : payloads) {
    if (auto item = TRY(item_of(payload.doc_id, context)))
      result.incidents.push_back(std::move(*item));
  }
  return {};
}

namespace {

Result<size_t> count(const Filter& filter, ToolContext& context) {
  return TRY(listed(filter, 0, context)).total;
}

// The applications that a name may mean.
struct Alike {
  std::vector<std::string> exact;
  std::vector<std::string> longer;  // whose words include every word of it: "payu" → PayU Core
};

Alike applications_like(std::string_view name, const Catalogue& catalogue) {
  Alike alike;
  const std::string wanted = name_key(name);
  if (wanted.empty()) return alike;
  const auto words = split(wanted, ' ');
  // "&" alone would be part of half the names.
  if (std::ranges::all_of(words, [](std::string_view word) { return word == "and"; })) return alike;
  for (const std::string& application : catalogue.applications) {
    const std::string folded = name_key(application);
    if (folded == wanted) {
      alike.exact.push_back(application);
      continue;
    }
    const auto has = split(folded, ' ');
    const bool all = std::ranges::all_of(words, [&](std::string_view word) {
      return word == "and" || std::ranges::find(has, word) != has.end();
    });
    if (all) alike.longer.push_back(application);
  }
  return alike;
}

// Those of the names that an incident of the scope has as its application.
Result<std::vector<std::string>> names_in(const Filter& scope,
                                          const std::vector<std::string>& names,
                                          ToolContext& context) {
  std::vector<std::string> found;
  for (const std::string& name : names) {
    Filter one = scope;
    one.applications = {name};
    if (TRY(count(one, context)) > 0) found.push_back(name);
  }
  return found;
}

}  // namespace

Result<std::string> more_under(const std::vector<std::string>& longer, const Filter& scope,
                               ToolContext& context) {
  const std::vector<std::string> names = TRY(names_in(scope, longer, context));
  if (names.empty()) return "";
  Filter filter = scope;
  filter.applications = names;
  const ListedIncidents list = TRY(listed(filter, kMostBeside, context));
  const size_t total = list.total;
  std::string note =
      fmt::format("{} more under {}", total, names.size() == 1 ? "a longer name" : "longer names");
  if (total > kMostBeside) return fmt::format("{}: {}.", note, join(names, "; "));
  note += ":";
  for (const Payload& payload : list.page) {
    const auto item = TRY(item_of(payload.doc_id, context));
    if (!item) continue;
    const auto at = opened(item->incident);
    note += fmt::format("\n- {}: {} ({}{})", item->incident.incident_id, item->incident.title,
                        at ? format_date(*at) + ", " : "", item->incident.impacted_application);
  }
  return note;
}

Result<Named> name_scope(std::string_view written, const Filter& scope, ToolContext& context) {
  const std::string app(trim(written));
  if (app.empty()) return Named{scope, {}};
  const Catalogue& catalogue = context.search.catalogue();
  Alike alike = applications_like(app, catalogue);
  const bool exactly = !alike.exact.empty();
  Named by_application{scope, exactly ? alike.exact : alike.longer};
  by_application.filter.applications = by_application.names;
  if (exactly) by_application.longer = alike.longer;
  if (!by_application.names.empty() && TRY(count(by_application.filter, context)) > 0)
    return by_application;
  const std::string service = known_name(app, catalogue.services);
  if (std::ranges::find(catalogue.services, service) != catalogue.services.end()) {
    Named by_service{scope, {service}};
    by_service.filter.services = {service};
    if (by_application.names.empty() || TRY(count(by_service.filter, context)) > 0)
      return by_service;
  }
  if (!by_application.longer.empty()) {
    Named by_longer{scope, TRY(names_in(scope, by_application.longer, context))};
    by_longer.filter.applications = by_longer.names;
    if (!by_longer.names.empty()) return by_longer;
  }
  if (!by_application.names.empty()) return by_application;
  const auto close = nearest(app, catalogue.applications);
  return fail(ErrorCode::kNotFound,
              fmt::format("No application or service called '{}' is in the knowledge base{}.", app,
                          close ? fmt::format(" (nearest name: '{}')", *close) : ""));
}

}  // namespace precedent
