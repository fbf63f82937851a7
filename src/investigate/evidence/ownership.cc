#include "investigate/evidence/ownership.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <set>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "investigate/alerts/brief.h"
#include "investigate/symptoms/words.h"
#include "search/searcher.h"

namespace precedent {
namespace {

constexpr size_t kMaxOwners = 2;
constexpr size_t kMaxDownstream = 20;
// Documents that are looked at: a company has fewer teams, and more documents than help.
constexpr size_t kMaxOwnershipDocuments = 500;
constexpr size_t kMaxSystemDocuments = 12;
constexpr size_t kMaxSaid = 400;
// The section that an ingest makes of a document's fields, and of those the one that names what it
// depends on (ingest/fields/attribute_text.h).
constexpr std::string_view kFields = "Details";
constexpr std::string_view kDependencies = "Dependencies:";

bool same_name(std::string_view a, std::string_view b) { return bare_name(a) == bare_name(b); }

bool names(std::string_view text, std::string_view service) {
  return names_whole(ascii_lower(text), ascii_lower(service));
}

bool is_fields(const Payload& chunk) {
  return chunk.heading.size() == 1 && chunk.heading.front() == kFields && chunk.lines.begin == 0;
}

bool lists(const ServiceDocument& document, std::string_view service) {
  return std::ranges::any_of(document.services,
                             [&](const std::string& each) { return same_name(each, service); });
}

bool lists_nearly(const ServiceDocument& document, std::string_view service) {
  const std::string stem = stem_of_service(service);
  return std::ranges::any_of(
      document.services, [&](const std::string& each) { return stem_of_service(each) == stem; });
}

bool names_in_text(const ServiceDocument& document, std::string_view service) {
  return std::ranges::any_of(document.parts,
                             [&](const ServicePart& part) { return names(part.text, service); });
}

// Those of the first rule that any of them keeps.
constexpr auto kOwning = {lists, names_in_text, lists_nearly};

// Without headings and the signs of lists: "## Details", "- Team: Parcels".
std::vector<std::string_view> lines_of(std::string_view text) {
  constexpr std::string_view kItem = "- ";
  std::vector<std::string_view> out;
  for (std::string_view line : split_lines(text)) {
    // "#parcels" is where a team is reached.
    const size_t heading = line.find_first_not_of('#');
    if (heading > 0 && heading < line.size() && line[heading] == ' ') continue;
    if (line.starts_with(kItem)) line.remove_prefix(kItem.size());
    if (!trim(line).empty()) out.push_back(trim(line));
  }
  return out;
}

// One line, with a "; " where a line ended.
std::string on_one_line(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : lines_of(text)) lines.emplace_back(line);
  return shown_text(squeeze(join(lines, "; ")), kMaxSaid);
}

std::string add_receipt(const ServiceDocument& document, const ServicePart& part,
                        const std::string& text, TimePoint now, std::vector<Receipt>& receipts) {
  Receipt receipt;
  receipt.id = fmt::format("R{}", receipts.size() + 1);
  receipt.tool = "knowledge";
  nlohmann::json args = {{"document", document.id}, {"path", document.path}};
  if (part.from > 0) args["lines"] = {part.from, part.to};
  receipt.args = dump_json(args);
  receipt.at = now;
  receipt.text = text;
  receipts.push_back(std::move(receipt));
  return receipts.back().id;
}

// What the document says: its fields, or else the first paragraph that names the service, or its
// first one.
const ServicePart* telling(const ServiceDocument& document, std::string_view service) {
  const std::vector<ServicePart>& parts = document.parts;
  auto found = std::ranges::find(parts, true, &ServicePart::fields);
  if (found == parts.end())
    found = std::ranges::find_if(
        parts, [&](const ServicePart& part) { return names(part.text, service); });
  if (found != parts.end()) return &*found;
  return parts.empty() ? nullptr : &parts.front();
}

// What stands behind "Dependencies:", once or as an item of a list each.
std::vector<std::string> dependencies_in(std::string_view fields) {
  std::vector<std::string> out;
  for (std::string_view line : lines_of(fields)) {
    if (!line.starts_with(kDependencies)) continue;
    line.remove_prefix(kDependencies.size());
    for (const std::string_view each : split(line, ','))
      if (!trim(each).empty()) out.emplace_back(trim(each));
  }
  return out;
}

ServiceDocument named(const Payload& document, bool owns) {
  return {
      document.doc_id, shown_text(document.title, 120), document.path, document.services, owns, {}};
}

Result<void> read_parts(const Searcher& search, ServiceDocument& document) {
  for (const auto& [id, chunk] : TRY(search.index().chunks_of(document.id)))
    document.parts.push_back({chunk.text, is_fields(chunk), chunk.lines.begin, chunk.lines.end});
  return {};
}

// What nobody would read of it goes.
void keep_telling(ServiceDocument& document, std::string_view service) {
  const ServicePart* told = telling(document, service);
  std::vector<ServicePart> kept;
  for (const ServicePart& part : document.parts)
    if (&part == told || part.fields || names(part.text, service)) kept.push_back(part);
  document.parts = std::move(kept);
}

Result<void> add_owning(const Searcher& search, std::string_view service,
                        std::vector<ServiceDocument>& out) {
  Filter filter;
  filter.kinds = {Kind::kOwnership};
  std::vector<ServiceDocument> all;
  for (const Payload& document :
       TRY(search.index().list(filter, KnowledgeIndex::Order::kTitle, kMaxOwnershipDocuments)))
    all.push_back(named(document, true));
  size_t found = 0;
  for (const auto rule : kOwning) {
    // Only a rule that reads texts needs those of all.
    if (rule == names_in_text)
      for (ServiceDocument& document : all) TRY(read_parts(search, document));
    for (ServiceDocument& document : all) {
      if (found >= kMaxOwners) break;
      if (!rule(document, service)) continue;
      if (document.parts.empty()) TRY(read_parts(search, document));
      keep_telling(document, service);
      if (!document.parts.empty()) out.push_back(document), ++found;
    }
    if (found > 0) break;
  }
  return {};
}

Result<void> add_depending(const Searcher& search, std::string_view service, TimePoint now,
                           std::vector<ServiceDocument>& out) {
  SearchRequest request;
  request.text = service;
  request.filter.kinds = {Kind::kArchitecture, Kind::kOwnership, Kind::kEnvironment, Kind::kDoc};
  request.limit = kMaxSystemDocuments;
  request.self_query = false;
  request.now = now;
  for (const Hit& hit : TRY(search.search(request)).hits) {
    ServiceDocument document = named(hit.payload, false);
    TRY(read_parts(search, document));
    std::erase_if(document.parts, [&](const ServicePart& part) {
      return !part.fields || std::ranges::none_of(
                                 dependencies_in(part.text),
                                 [&](const std::string& each) { return same_name(each, service); });
    });
    if (!document.parts.empty() && !document.services.empty()) out.push_back(std::move(document));
  }
  return {};
}

void read_owners(const std::vector<ServiceDocument>& documents, std::string_view service,
                 TimePoint now, std::vector<Receipt>& receipts, Ownership& out) {
  for (const auto rule : kOwning) {
    for (const ServiceDocument& document : documents) {
      if (!document.owns || out.owners.size() >= kMaxOwners || !rule(document, service)) continue;
      const ServicePart* part = telling(document, service);
      if (part == nullptr) continue;
      const std::string says = on_one_line(part->text);
      out.owners.push_back({std::string(service), document.id, document.title, document.path, says,
                            add_receipt(document, *part, says, now, receipts)});
    }
    if (!out.owners.empty()) return;
  }
}

void read_dependants(const ServiceDocument& document, const ServicePart& part,
                     std::string_view service, TimePoint now, std::vector<Receipt>& receipts,
                     Ownership& out) {
  // One about the service itself and others says what they all need, not who needs the service.
  if (lists(document, service)) return;
  const std::vector<std::string> all = dependencies_in(part.text);
  const auto own =
      std::ranges::find_if(all, [&](const std::string& each) { return same_name(each, service); });
  if (own == all.end()) return;
  const std::string why = fmt::format("{} lists {} among the dependencies", document.title, *own);
  const std::string receipt = add_receipt(
      document, part, fmt::format("{} {}", kDependencies, shown_text(join(all, ", "), kMaxSaid)),
      now, receipts);
  for (const std::string& dependant : document.services)
    if (out.downstream.size() < kMaxDownstream &&
        std::ranges::find(out.downstream, dependant, &DownstreamService::service) ==
            out.downstream.end())
      out.downstream.push_back({dependant, std::string(service), why, receipt});
}

}  // namespace

std::vector<DownstreamService> downstream_of(const ServiceGraph& graph, std::string_view service,
                                             const std::vector<std::string>& affected) {
  std::vector<DownstreamService> out;
  std::set<std::string, std::less<>> seen = {std::string(service)};
  std::deque<std::string> next = {std::string(service)};
  while (!next.empty()) {
    const std::string callee = next.front();
    next.pop_front();
    for (const CallEdge& edge : graph.edges()) {
      if (edge.callee != callee || out.size() >= kMaxDownstream) continue;
      if (!seen.insert(edge.caller).second) continue;
      out.push_back({edge.caller, callee, edge.why, edge.receipt,
                     std::ranges::find(affected, edge.caller) != affected.end()});
      next.push_back(edge.caller);
    }
  }
  return out;
}

Result<std::vector<ServiceDocument>> documents_about(const Searcher& search,
                                                     std::string_view service, TimePoint now) {
  std::vector<ServiceDocument> out;
  if (service.empty()) return out;
  TRY(add_owning(search, service, out));
  TRY(add_depending(search, service, now, out));
  return out;
}

Ownership read_ownership(const std::vector<ServiceDocument>& documents, std::string_view service,
                         TimePoint now, std::vector<Receipt>& receipts) {
  Ownership out;
  if (service.empty()) return out;
  read_owners(documents, service, now, receipts, out);
  for (const ServiceDocument& document : documents)
    for (const ServicePart& part : document.parts)
      if (!document.owns && part.fields)
        read_dependants(document, part, service, now, receipts, out);
  return out;
}

}  // namespace precedent
