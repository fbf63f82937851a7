#include "search/two_readings.h"

#include <algorithm>
#include <map>

namespace precedent {
namespace {

// The constant of the paper: how much less a place further down counts.
constexpr double kRankOffset = 60;

struct Ranked {
  double score = 0;
  float relevance = 0;
  std::vector<Hit> passages;
};

// In the order of their first hits.
std::vector<Ranked> by_document(std::vector<Hit> hits, std::map<std::string, size_t>& place_of) {
  std::vector<Ranked> documents;
  for (Hit& hit : hits) {
    const auto [place, is_new] = place_of.emplace(hit.payload.doc_id, documents.size());
    if (is_new) {
      const double rank = static_cast<double>(documents.size()) + 1;
      documents.push_back({1 / (kRankOffset + rank), hit.relevance, {}});
    }
    documents[place->second].passages.push_back(std::move(hit));
  }
  return documents;
}

}  // namespace

std::vector<Hit> fuse_readings(std::vector<Hit> own, std::vector<Hit> other, size_t limit) {
  std::map<std::string, size_t> places, other_places;
  std::vector<Ranked> documents = by_document(std::move(own), places);
  for (Ranked& ranked : by_document(std::move(other), other_places)) {
    const auto found = places.find(ranked.passages.front().payload.doc_id);
    if (found == places.end()) {
      documents.push_back(std::move(ranked));
    } else {
      Ranked& known = documents[found->second];
      known.score += ranked.score;
      known.relevance = std::max(known.relevance, ranked.relevance);
    }
  }
  std::ranges::stable_sort(documents, std::greater(), &Ranked::score);
  std::vector<Hit> hits;
  float highest = 1;
  for (Ranked& ranked : documents) {
    highest = std::min(highest, ranked.relevance);
    for (Hit& hit : ranked.passages) {
      if (hits.size() == limit) return hits;
      hit.relevance = highest;
      hits.push_back(std::move(hit));
    }
  }
  return hits;
}

}  // namespace precedent
