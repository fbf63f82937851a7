#include "index/qdrant_terms.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/json_access.h"
#include "index/qdrant_points.h"

namespace precedent {
namespace {

using nlohmann::json;

// Some 700 KB of JSON.
constexpr size_t kTermsInRecord = 20'000;
// Beyond any number of points that an index can have; keeps sums of foreign numbers from
// overflowing.
constexpr int64_t kMaxCount = 10'000'000'000;

}  // namespace

size_t TermTable::df(uint32_t term, Level level) const {
  const auto found = std::ranges::lower_bound(terms_, term, {}, &TermCount::term);
  if (found == terms_.end() || found->term != term) return 0;
  return static_cast<size_t>(std::max<int64_t>(0, found->points[static_cast<size_t>(level)]));
}

int64_t TermTable::sum() const {
  int64_t sum = 0;
  for (const TermCount& count : terms_) sum += count.points[0] + count.points[1];
  return sum;
}

void TermTable::count(const SparseVector& sparse, Level level, int64_t by) {
  for (const uint32_t term : sparse.terms) {
    terms_.push_back({term, {}});
    terms_.back().points[static_cast<size_t>(level)] = by;
  }
}

void TermTable::settle() {
  std::ranges::stable_sort(terms_, {}, &TermCount::term);
  std::vector<TermCount> settled;
  for (const TermCount& count : terms_) {
    if (settled.empty() || settled.back().term != count.term) settled.push_back({count.term, {}});
    for (size_t level = 0; level < 2; ++level) settled.back().points[level] += count.points[level];
  }
  std::erase_if(
      settled, [](const TermCount& count) { return count.points[0] == 0 && count.points[1] == 0; });
  terms_ = std::move(settled);
}

TermTable TermTable::plus(const TermTable& other) const {
  TermTable both = *this;
  both.terms_.insert(both.terms_.end(), other.terms_.begin(), other.terms_.end());
  both.settle();
  return both;
}

std::vector<json> TermTable::records() const {
  std::vector<json> made;
  for (size_t begin = 0; begin == 0 || begin < terms_.size(); begin += kTermsInRecord) {
    json terms = json::array(), chunks = json::array(), documents = json::array();
    for (size_t i = begin; i < std::min(terms_.size(), begin + kTermsInRecord); ++i) {
      terms.push_back(terms_[i].term);
      chunks.push_back(terms_[i].points[0]);
      documents.push_back(terms_[i].points[1]);
    }
    made.push_back({{"terms", terms}, {"in_chunks", chunks}, {"in_documents", documents}});
  }
  return made;
}

Result<void> TermTable::add_record(const json& record) {
  const json& terms = foreign::member(record, "terms");
  const json& chunks = foreign::member(record, "in_chunks");
  const json& documents = foreign::member(record, "in_documents");
  if (!terms.is_array() || !chunks.is_array() || !documents.is_array() ||
      terms.size() != chunks.size() || terms.size() != documents.size())
    return foreign_answer("a record of terms that is none");
  const auto is_count = [](const json& value) {
    return value.is_number_integer() && std::abs(value.get<double>()) < kMaxCount;
  };
  for (size_t i = 0; i < terms.size(); ++i) {
    if (!terms[i].is_number_unsigned() ||
        terms[i].get<uint64_t>() > std::numeric_limits<uint32_t>::max() || !is_count(chunks[i]) ||
        !is_count(documents[i]))
      return foreign_answer("a record of terms that is none");
    terms_.push_back(
        {terms[i].get<uint32_t>(), {chunks[i].get<int64_t>(), documents[i].get<int64_t>()}});
  }
  return {};
}

}  // namespace precedent
