#include "investigate/ownership.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <set>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "investigate/brief.h"
#include "investigate/words.h"
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
// depends on (ingest/attribute_text.h).
constexpr std::string_view kFields = "Details";
constexpr std::string_view kDependencies = "Dependencies:";

using Chunks = std::vector<std::pair<uint64_t, Payload>>;

bool same_name(std::string_view a, std::string_view b) { return bare_name(a) == bare_name(b); }

bool lists(const Payload& document, std::string_view service) {
  return std::ranges::any_of(document.services,
                             [&](const std::string& each) { return same_name(each, service); });
}

bool lists_nearly(const Payload& document, std::string_view service) {
  const std::string stem = stem_of_service(service);
  return std::ranges::any_of(
      document.services, [&](const std::string& each) { return stem_of_service(each) == stem; });
}

bool names(std::string_view text, std::string_view service) {
  return names_whole(ascii_lower(text), ascii_lower(service));
}

bool is_fields(const Payload& chunk) {
  return chunk.heading.size() == 1 && chunk.heading.front() == kFields && chunk.lines.begin == 0;
}

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

std::string add_receipt(const Payload& chunk, const std::string& text, TimePoint now,
                        std::vector<Receipt>& receipts) {
  Receipt receipt;
  receipt.id = fmt::format("R{}", receipts.size() + 1);
  receipt.tool = "knowledge";
  nlohmann::json args = {{"document", chunk.doc_id}, {"path", chunk.path}};
  if (chunk.lines.begin > 0) args["lines"] = {chunk.lines.begin, chunk.lines.end};
  receipt.args = dump_json(args);
  receipt.at = now;
  receipt.text = text;
  receipts.push_back(std::move(receipt));
  return receipts.back().id;
}

// What the document says: its fields, or else the first paragraph that names the service, or its
// first one.
const Payload* telling(const Chunks& chunks, std::string_view service) {
  for (const auto& [id, chunk] : chunks)
    if (is_fields(chunk)) return &chunk;
  for (const auto& [id, chunk] : chunks)
    if (names(chunk.text, service)) return &chunk;
  return chunks.empty() ? nullptr : &chunks.front().second;
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

Result<std::vector<Payload>> owning(const Searcher& search, std::string_view service) {
  Filter filter;
  filter.kinds = {Kind::kOwnership};
  const auto all =
      TRY(search.index().list(filter, KnowledgeIndex::Order::kTitle, kMaxOwnershipDocuments));
  std::vector<Payload> found, near;
  for (const Payload& document : all) {
    if (lists(document, service)) found.push_back(document);
    if (lists_nearly(document, service)) near.push_back(document);
  }
  if (!found.empty()) return found;
  for (const Payload& document : all) {
    const Chunks chunks = TRY(search.index().chunks_of(document.doc_id));
    if (std::ranges::any_of(chunks,
                            [&](const auto& chunk) { return names(chunk.second.text, service); }))
      found.push_back(document);
  }
  return found.empty() ? near : found;
}

Result<void> add_owners(const Searcher& search, std::string_view service, TimePoint now,
                        std::vector<Receipt>& receipts, Ownership& out) {
  for (const Payload& document : TRY(owning(search, service))) {
    if (out.owners.size() >= kMaxOwners) break;
    const Chunks chunks = TRY(search.index().chunks_of(document.doc_id));
    const Payload* chunk = telling(chunks, service);
    if (chunk == nullptr) continue;
    const std::string says = on_one_line(chunk->text);
    out.owners.push_back({std::string(service), document.doc_id, shown_text(document.title, 120),
                          document.path, says, add_receipt(*chunk, says, now, receipts)});
  }
  return {};
}

Result<void> add_dependants(const Searcher& search, std::string_view service, TimePoint now,
                            std::vector<Receipt>& receipts, Ownership& out) {
  SearchRequest request;
  request.text = service;
  request.filter.kinds = {Kind::kArchitecture, Kind::kOwnership, Kind::kEnvironment, Kind::kDoc};
  request.limit = kMaxSystemDocuments;
  request.self_query = false;
  request.now = now;
  const SearchResponse response = TRY(search.search(request));
  for (const Hit& hit : response.hits) {
    for (const auto& [id, chunk] : TRY(search.index().chunks_of(hit.payload.doc_id))) {
      if (!is_fields(chunk)) continue;
      const std::vector<std::string> all = dependencies_in(chunk.text);
      const auto own = std::ranges::find_if(
          all, [&](const std::string& each) { return same_name(each, service); });
      if (own == all.end() || hit.payload.services.empty()) continue;
      const std::string title = shown_text(hit.payload.title, 120);
      const std::string why = fmt::format("{} lists {} among the dependencies", title, *own);
      const std::string receipt = add_receipt(
          chunk, fmt::format("{} {}", kDependencies, shown_text(join(all, ", "), kMaxSaid)), now,
          receipts);
      for (const std::string& dependant : hit.payload.services)
        if (!same_name(dependant, service) && out.downstream.size() < kMaxDownstream &&
            std::ranges::find(out.downstream, dependant, &DownstreamService::service) ==
                out.downstream.end())
          out.downstream.push_back({dependant, std::string(service), why, receipt});
    }
  }
  return {};
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

Result<Ownership> find_ownership(const Searcher& search, std::string_view service, TimePoint now,
                                 std::vector<Receipt>& receipts) {
  Ownership out;
  if (service.empty()) return out;
  TRY(add_owners(search, service, now, receipts, out));
  TRY(add_dependants(search, service, now, receipts, out));
  return out;
}

}  // namespace precedent
