#include "investigate/knowledge.h"

#include <algorithm>

namespace precedent {

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
}

}  // namespace precedent
