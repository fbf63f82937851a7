// Terms → sparse vectors with BM25F weights: the saturation and length half of BM25. The idf half
// is the index's.
//
// For a term t of a point with fields f (title, heading, meta, body):
//   tf'(t)    = Σ_f  w_f · tf_f(t) / (1 − b_f + b_f · len_f / avg_f)
//   weight(t) = tf'(t) / (k1 + tf'(t))
// after Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009),
// §3.6, without the constant factor k1 + 1, which changes no order. A weight is below 1, so that a
// sparse score is below Σ idf.
//
// Knows no document and no analyser: it counts what a tokenizer gives.
// ingest/publish/point_builder.h says which text is which field. Thread safety: pure functions; a
// TermCounts is a plain value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/knowledge_index.h"

namespace precedent {

// The fields of a point. meta: services, symptoms, tags, application, ids.
enum class IndexField : uint8_t { kTitle, kHeading, kMeta, kBody };
inline constexpr size_t kFieldCount = 4;

struct Bm25Params {
  struct ForField {
    float weight;
    float b;  // 0: length does not matter, 1: fully
  };
  float k1 = 1.2f;
  // Short fields are written to be found by, and vary little in length: more weight, less
  // normalisation. The body has the textbook's b.
  std::array<ForField, kFieldCount> fields = {
      {{2.0f, 0.4f}, {1.5f, 0.4f}, {1.5f, 0.4f}, {1.0f, 0.75f}}};
};

// Average lengths in terms over the points of one level, by field. 0: no point has such a field.
using AverageLengths = std::array<float, kFieldCount>;

struct CorpusStats {
  AverageLengths chunks{};
  AverageLengths documents{};
  bool operator==(const CorpusStats&) const = default;
};

// The largest relative change of any average from `built` to `now`; 0.2 means 20 %. A field that
// comes or goes counts as 1 where it is longer than a tenth of a term on average.
float drift(const CorpusStats& built, const CorpusStats& now);

// The low 32 bits of hash64(term), see SparseVector; a word of code has another id than the same
// word of prose, so that each population has document frequencies of its own.
uint32_t term_id(std::string_view term, Population population = Population::kProse);

// How often each term occurs in one field; ascending by term id.
struct TermCounts {
  std::vector<std::pair<uint32_t, uint32_t>> counts;
  uint32_t length = 0;  // terms, repetitions included
  bool operator==(const TermCounts&) const = default;
};

TermCounts count_terms(std::span<const std::string> terms,
                       Population population = Population::kProse);
// The counts of all of them, as if their texts stood one after another.
TermCounts sum(std::span<const TermCounts* const> parts);

// The counts of one point by field; null: the point has no such field.
using FieldCounts = std::array<const TermCounts*, kFieldCount>;

SparseVector encode(const FieldCounts& fields, const AverageLengths& averages,
                    const Bm25Params& params);

// The weight of a term is how often the query says it.
SparseVector encode_query(std::span<const std::string> terms);

}  // namespace precedent
