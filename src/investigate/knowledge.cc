#include "investigate/knowledge.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace precedent {
namespace {

const std::string& asked_of(const Investigation& investigation) {
  return investigation.verdict.first_failing_service.empty()
             ? investigation.evidence.brief.service
             : investigation.verdict.first_failing_service;
}

}  // namespace

void search_known(const Searcher& search, TimePoint now, Investigation& investigation) {
  for (const std::string& query : investigation.queries) {
    SearchRequest request;
    request.text = query;
    request.filter.kinds = {Kind::kRunbook, Kind::kPostmortem, Kind::kKnownIssue, Kind::kIncident};
    request.limit = kMaxKnown;
    request.self_query = false;
    request.now = now;
    const auto response = search.search(request);
    if (!response) {
      investigation.evidence.missing.push_back("the knowledge base: " + response.error().text());
      return;
    }
    for (const Hit& hit : response->hits) {
      const auto known =
          std::ranges::find(investigation.known, hit.payload.doc_id, &KnownDocument::id);
      if (known != investigation.known.end()) {
        known->relevance = std::max(known->relevance, static_cast<double>(hit.relevance));
        continue;
      }
      investigation.known.push_back({hit.payload.doc_id, shown_text(hit.payload.title),
                                     std::string(name(hit.payload.kind)), hit.payload.path,
                                     shown_text(hit.snippet.text, 300), hit.relevance});
    }
  }
  std::ranges::stable_sort(investigation.known, std::greater<>(), &KnownDocument::relevance);
  if (investigation.known.size() > kMaxKnown) investigation.known.resize(kMaxKnown);
  auto documents = documents_about(search, asked_of(investigation), now);
  if (!documents) {
    investigation.evidence.missing.push_back("who owns it: " + documents.error().text());
    return;
  }
  investigation.documents = std::move(*documents);
  add_ownership(now, investigation);
}

void add_ownership(TimePoint now, Investigation& investigation) {
  const CaseVerdict& verdict = investigation.verdict;
  Ownership found = read_ownership(investigation.documents, asked_of(investigation), now,
                                   investigation.evidence.receipts);
  investigation.owners = std::move(found.owners);
  for (DownstreamService& each : found.downstream) {
    const auto is_same = [&](const DownstreamService& other) {
      return bare_name(other.service) == bare_name(each.service);
    };
    if (std::ranges::any_of(investigation.downstream, is_same)) continue;
    each.fails =
        std::ranges::find(verdict.blast_radius, each.service) != verdict.blast_radius.end();
    investigation.downstream.push_back(std::move(each));
  }
}

}  // namespace precedent
