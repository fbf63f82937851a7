#include "server/knowledge/knowledge_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/ids.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/without_place.h"
#include "knowledge/incident.h"
#include "server/http/problem.h"
#include "server/http/request_body.h"
#include "tools/receipt.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMostAtOnce = 200;
constexpr size_t kMostOffset = 1'000'000;
// What a search ranks; who wants more asks more narrowly.
constexpr size_t kMostFound = 200;
constexpr size_t kMaxSearchBytes = 4096;

std::vector<std::string> parameters(const ServedRequest& request, std::string_view name) {
  std::vector<std::string> values;
  for (const auto& [key, value] : request.query)
    if (key == name && !value.empty()) values.push_back(value);
  return values;
}

Result<std::vector<Kind>> read_kinds(const ServedRequest& request) {
  std::vector<Kind> kinds;
  for (const std::string& text : parameters(request, "kind")) {
    const auto kind = parse_kind(text);
    if (!kind) {
      std::vector<std::string> names;
      for (const Kind known : kAllKinds) names.emplace_back(name(known));
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'kind' is '{}'; the kinds are {}", text, join(names, ", ")));
    }
    kinds.push_back(*kind);
  }
  return kinds;
}

Result<std::string> read_search(const ServedRequest& request, std::string_view name) {
  std::string text(trim(request.parameter(name)));
  if (text.size() > kMaxSearchBytes)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' has more than {} bytes", name, kMaxSearchBytes));
  return text;
}

json time_or_null(const std::optional<TimePoint>& time) {
  return time ? json(format_time(*time)) : json();
}

json range(const LineRange& lines) {
  return lines.begin == 0 ? json() : json::array({lines.begin, lines.end});
}

// The last line of a text that begins on `begin`.
uint32_t last_line(std::string_view text, uint32_t begin) {
  const auto ends = std::ranges::count(text, '\n');
  const bool ended = text.ends_with('\n');
  return begin + static_cast<uint32_t>(ends) - (ended ? 1 : 0);
}

// What a list says of a document, also of one that is shown.
template <typename Listed>
json listed(const Listed& d, std::string_view id, const std::string& source) {
  return {{"id", id},
          {"kind", name(d.kind)},
          {"title", redact(d.title)},
          {"path", d.path},
          {"source", without_place(source)},
          {"services", d.services},
          {"application", d.application},
          {"severity", d.severity},
          {"status", d.status},
          {"tags", d.tags},
          {"opened_at", time_or_null(d.opened_at)}};
}

// The index does not keep where a document came from.
Result<json> listed(const Payload& payload, const KnowledgeStore& store) {
  const auto document = TRY(store.find(payload.doc_id));
  return listed(payload, payload.doc_id, document ? document->source : "");
}

void add_hit(json& to, const Hit& hit) {
  to["relevance"] = hit.relevance;
  to["snippet"] = hit.snippet.text;
  to["lines"] = range(hit.payload.lines);
  to["heading"] = hit.payload.heading;
}

// --- Lists

struct Listing {
  Filter filter;
  std::string search;
  KnowledgeIndex::Order order = KnowledgeIndex::Order::kNewest;
  size_t limit = 0, offset = 0;
};

Result<Listing> read_listing(const ServedRequest& request) {
  constexpr size_t kUsual = 50;
  Listing listing;
  listing.filter.kinds = TRY(read_kinds(request));
  listing.filter.services = parameters(request, "service");
  listing.filter.applications = parameters(request, "application");
  listing.filter.severities = parameters(request, "severity");
  listing.filter.statuses = parameters(request, "status");
  listing.filter.tags = parameters(request, "tag");
  listing.search = TRY(read_search(request, "search"));
  listing.limit = TRY(read_count(request, "limit", kUsual, kMostAtOnce));
  listing.offset = TRY(read_count(request, "offset", 0, kMostOffset));
  const std::string_view order = request.parameter("order");
  if (order == "title") {
    listing.order = KnowledgeIndex::Order::kTitle;
  } else if (!order.empty() && order != "newest") {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'order' is '{}'; it must be newest or title", order));
  }
  return listing;
}

json counts(const std::vector<FacetCount>& values) {
  json list = json::array();
  for (const FacetCount& value : values)
    list.push_back({{"value", value.value}, {"documents", value.documents}});
  return list;
}

std::vector<Kind> all_but_golden() {
  std::vector<Kind> kinds(kAllKinds.begin(), kAllKinds.end());
  std::erase(kinds, Kind::kGolden);
  return kinds;
}

// What could be chosen instead of each field's own choice.
Result<json> facets(const KnowledgeIndex& index, const Filter& filter) {
  const auto of = [&](Facet facet, auto without) -> Result<json> {
    Filter others = filter;
    without(others);
    return counts(TRY(index.facet(facet, others)));
  };
  return json{
      {"kind", TRY(of(Facet::kKind, [](Filter& f) { f.kinds = all_but_golden(); }))},
      {"service", TRY(of(Facet::kService, [](Filter& f) { f.services.clear(); }))},
      {"application", TRY(of(Facet::kApplication, [](Filter& f) { f.applications.clear(); }))},
      {"severity", TRY(of(Facet::kSeverity, [](Filter& f) { f.severities.clear(); }))},
      {"status", TRY(of(Facet::kStatus, [](Filter& f) { f.statuses.clear(); }))}};
}

json page(json documents, size_t total, const Listing& listing, json facets) {
  const size_t next = listing.offset + documents.size();
  return {{"documents", std::move(documents)},
          {"total", total},
          {"next_offset", next < total && listing.limit > 0 ? json(next) : json()},
          {"facets", std::move(facets)}};
}

Result<json> browse(const KnowledgeView& view, Listing listing) {
  const KnowledgeIndex& index = view.search.index();
  if (listing.filter.kinds.empty())
    listing.filter.kinds.assign(ordinary_kinds().begin(), ordinary_kinds().end());
  const auto payloads =
      TRY(index.list(listing.filter, listing.order, listing.offset + listing.limit));
  json documents = json::array();
  for (size_t i = listing.offset; i < payloads.size(); ++i)
    documents.push_back(TRY(listed(payloads[i], view.store)));
  return page(std::move(documents), TRY(index.count_documents(listing.filter)), listing,
              TRY(facets(index, listing.filter)));
}

Result<json> ranked(const KnowledgeView& view, const Listing& listing, TimePoint now) {
  const SearchResponse found = TRY(view.search.search(
      {.text = listing.search, .filter = listing.filter, .limit = kMostFound, .now = now}));
  json documents = json::array();
  Filter ids;
  for (size_t i = 0; i < found.hits.size(); ++i) {
    const Hit& hit = found.hits[i];
    ids.ids.push_back(hit.payload.doc_id);
    if (i < listing.offset || i - listing.offset >= listing.limit) continue;
    json document = TRY(listed(hit.payload, view.store));
    add_hit(document, hit);
    documents.push_back(std::move(document));
  }
  json of_hits = {{"kind", json::array()},
                  {"service", json::array()},
                  {"application", json::array()},
                  {"severity", json::array()},
                  {"status", json::array()}};
  if (!ids.ids.empty()) of_hits = TRY(facets(view.search.index(), ids));
  json out = page(std::move(documents), found.hits.size(), listing, std::move(of_hits));
  out["notes"] = found.notes;
  return out;
}

Result<json> documents(const KnowledgeServices& knowledge, const ServedRequest& request,
                       TimePoint now) {
  Listing listing = TRY(read_listing(request));
  const KnowledgeView view = knowledge.view();
  return listing.search.empty() ? browse(view, std::move(listing)) : ranked(view, listing, now);
}

Result<json> search(const KnowledgeServices& knowledge, const ServedRequest& request,
                    TimePoint now) {
  constexpr size_t kUsual = 10;
  SearchRequest asked;
  asked.text = TRY(read_search(request, "q"));
  if (asked.text.empty())
    return fail(ErrorCode::kInvalidArgument, "'q' is missing; say what to search for");
  asked.filter.kinds = TRY(read_kinds(request));
  asked.filter.services = parameters(request, "service");
  asked.limit = TRY(read_count(request, "limit", kUsual, kMostFound));
  asked.now = now;
  const KnowledgeView view = knowledge.view();
  const SearchResponse found = TRY(view.search.search(asked));
  json hits = json::array();
  for (const Hit& hit : found.hits) {
    std::string path = hit.payload.path;
    // Of a record of a dataset version only the store knows it.
    if (path.empty())
      if (const auto document = TRY(view.store.find(hit.payload.doc_id))) path = document->path;
    json shown = {{"id", hit.payload.doc_id},
                  {"kind", name(hit.payload.kind)},
                  {"title", redact(hit.payload.title)},
                  {"path", std::move(path)}};
    add_hit(shown, hit);
    hits.push_back(std::move(shown));
  }
  return json{{"hits", std::move(hits)}, {"notes", found.notes}};
}

// --- One document

Result<Document> document_of(const KnowledgeView& view, const ServedRequest& request) {
  const std::string id(request.parameter("id"));
  if (id.empty())
    return fail(ErrorCode::kInvalidArgument, "'id' is missing; /documents lists the ids");
  auto found = TRY(view.store.find(id));
  if (!found) found = TRY(view.store.find(normalize_id(id)));
  if (found) return std::move(*found);
  return fail(ErrorCode::kNotFound,
              fmt::format("there is no document '{}'; /documents lists the ids", id));
}

json fields_of(const Document& document) {
  if (document.kind == Kind::kIncident) return to_json(incident_of(document));
  json fields = json::object();
  for (const auto& [key, value] : document.attributes) fields[key] = redact(value);
  if (!document.symptoms.empty()) fields["symptoms"] = document.symptoms;
  if (document.updated_at) fields["updated_at"] = format_time(*document.updated_at);
  if (document.resolved_at) fields["resolved_at"] = format_time(*document.resolved_at);
  return fields;
}

Result<json> document(const KnowledgeServices& knowledge, const ServedRequest& request) {
  const KnowledgeView view = knowledge.view();
  const Document d = TRY(document_of(view, request));
  json shown = listed(d, d.id, d.source);
  shown["text"] = redact(d.body);
  shown["fields"] = fields_of(d);
  shown["lines"] = d.body_line == 0 || d.body.empty()
                       ? json()
                       : range({d.body_line, last_line(d.body, d.body_line)});
  return shown;
}

Result<json> remove(const KnowledgeServices& knowledge, const ServedRequest& request) {
  std::string id;
  {
    const KnowledgeView view = knowledge.view();
    const Document d = TRY(document_of(view, request));
    if (d.kind == Kind::kGolden)
      return fail(ErrorCode::kConflict,
                  fmt::format("'{0}' is a golden example; DELETE /golden/{0} removes it", d.id));
    id = d.id;
  }
  const CancelToken never;
  const auto removed = TRY(knowledge.desk.remove(id, never));
  return json{{"removed", removed}, {"id", id}};
}

}  // namespace

void add_knowledge_routes(Router& router, const KnowledgeServices& knowledge, const Clock& clock) {
  router.add_now("GET", "/documents", [knowledge, &clock](const Routed& routed) {
    return json_or_problem(documents(knowledge, routed.request, clock.now()));
  });
  router.add_now("GET", "/search", [knowledge, &clock](const Routed& routed) {
    return json_or_problem(search(knowledge, routed.request, clock.now()));
  });
  router.add_now("GET", "/document", [knowledge](const Routed& routed) {
    return json_or_problem(document(knowledge, routed.request));
  });
  router.add_now("DELETE", "/document", [knowledge](const Routed& routed) {
    return json_or_problem(remove(knowledge, routed.request));
  });
}

}  // namespace precedent
