#include "index/sparse_encoder.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"

namespace precedent {
namespace {

// Averages below this are noise: a field that nearly no point has.
constexpr float kNegligibleLength = 0.1f;
// Any number with about as many ones as zeros: what matters is that the ids differ.
constexpr uint32_t kCodeTerms = 0x9e3779b9;

float drift(const AverageLengths& built, const AverageLengths& now) {
  float largest = 0;
  for (size_t f = 0; f < kFieldCount; ++f) {
    const float low = std::min(built[f], now[f]), high = std::max(built[f], now[f]);
    if (high < kNegligibleLength) continue;
    largest = std::max(largest, built[f] > 0 ? std::abs(now[f] - built[f]) / built[f]
                                : low > 0    ? 0.0f
                                             : 1.0f);
  }
  return largest;
}

// Merges runs that are each ascending by key, and adds up the values of equal keys. `bounds`: where
// each run begins, and the end.
template <typename Value>
void add_up(std::vector<std::pair<uint32_t, Value>>& entries, std::vector<ptrdiff_t> bounds) {
  const auto at = entries.begin();
  while (bounds.size() > 2) {
    for (size_t i = 0; i + 2 < bounds.size(); ++i) {
      std::ranges::inplace_merge(at + bounds[i], at + bounds[i + 1], at + bounds[i + 2], {},
                                 &std::pair<uint32_t, Value>::first);
      bounds.erase(bounds.begin() + static_cast<ptrdiff_t>(i) + 1);
    }
  }
  size_t kept = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (kept > 0 && entries[kept - 1].first == entries[i].first) {
      entries[kept - 1].second += entries[i].second;
    } else {
      entries[kept++] = entries[i];
    }
  }
  entries.resize(kept);
}

}  // namespace

float drift(const CorpusStats& built, const CorpusStats& now) {
  return std::max(drift(built.chunks, now.chunks), drift(built.documents, now.documents));
}

uint32_t term_id(std::string_view term, Population population) {
  const auto id = static_cast<uint32_t>(hash64(term));
  return population == Population::kCode ? id ^ kCodeTerms : id;
}

TermCounts count_terms(std::span<const std::string> terms, Population population) {
  TermCounts out;
  out.length = static_cast<uint32_t>(terms.size());
  std::vector<uint32_t> ids(terms.size());
  std::ranges::transform(terms, ids.begin(),
                         [&](const std::string& term) { return term_id(term, population); });
  std::ranges::sort(ids);
  out.counts.reserve(ids.size());
  for (const uint32_t id : ids) {
    if (out.counts.empty() || out.counts.back().first != id) out.counts.emplace_back(id, 0);
    ++out.counts.back().second;
  }
  return out;
}

TermCounts sum(std::span<const TermCounts* const> parts) {
  TermCounts out;
  std::vector<ptrdiff_t> bounds = {0};
  for (const TermCounts* part : parts) {
    out.counts.insert(out.counts.end(), part->counts.begin(), part->counts.end());
    out.length += part->length;
    bounds.push_back(std::ssize(out.counts));
  }
  add_up(out.counts, std::move(bounds));
  return out;
}

SparseVector encode(const FieldCounts& fields, const AverageLengths& averages,
                    const Bm25Params& params) {
  std::vector<std::pair<uint32_t, float>> frequencies;
  std::vector<ptrdiff_t> bounds = {0};
  for (size_t f = 0; f < kFieldCount; ++f) {
    if (fields[f] == nullptr || fields[f]->length == 0) continue;
    const auto [weight, b] = params.fields[f];
    // Without an average (the first point that has this field), the point itself is the average.
    const float relative =
        averages[f] > 0 ? static_cast<float>(fields[f]->length) / averages[f] : 1.0f;
    const float factor = weight / (1 - b + b * relative);
    for (const auto& [term, count] : fields[f]->counts) {
      frequencies.emplace_back(term, factor * static_cast<float>(count));
    }
    bounds.push_back(std::ssize(frequencies));
  }
  add_up(frequencies, std::move(bounds));
  SparseVector out;
  out.terms.reserve(frequencies.size());
  out.weights.reserve(frequencies.size());
  for (const auto& [term, frequency] : frequencies) {
    // A field of weight 0 is switched off; the index holds positive weights only.
    if (!(frequency > 0)) continue;
    out.terms.push_back(term);
    out.weights.push_back(frequency / (params.k1 + frequency));
  }
  return out;
}

SparseVector encode_query(std::span<const std::string> terms) {
  SparseVector out;
  for (const auto& [term, count] : count_terms(terms).counts) {
    out.terms.push_back(term);
    out.weights.push_back(static_cast<float>(count));
  }
  return out;
}

}  // namespace precedent
