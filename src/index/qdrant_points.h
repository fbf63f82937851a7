// Points of the index as points of a Qdrant collection, and back.
//
// A point of the index has a 64-bit id; in Qdrant it is a UUID of that id and of the generation
// that brought it (qdrant_index.h), so that a point that is replaced stands beside the old one
// until the update is visible. Points of generation 0 are the index's own records.
//
// Payload: the fields of `Payload` under their names, for reading back; `folded_*`, case-folded
// copies for filters, since Qdrant matches keywords to the letter; `point` (the id, as a signed
// number), `born` and, once removed, `gone` (generations).
// Vectors: `dense`, and one sparse vector of each level and population, without a modifier: the
// weights of a query bring the idf along. Format: docs/qdrant.md.
//
// Thread safety: pure functions. What a server sent is read without trusting its shape: kCorrupt.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "index/knowledge_index.h"

namespace precedent {

inline constexpr const char* kDenseVector = "dense";
// "prose_chunk", "code_document" …
const char* sparse_vector_name(Level level, Population population);
inline constexpr std::array<const char*, 4> kSparseVectors = {"prose_chunk", "prose_document",
                                                              "code_chunk", "code_document"};

struct QdrantField {
  const char* name;
  const char* type;  // of its payload index
};
// Every key that a filter of ours names: each needs an index before the first point comes.
std::span<const QdrantField> qdrant_fields();

// The payload keys of a facet: spellings as they are, and folded. Kinds have one spelling.
struct FacetKeys {
  const char* spelled;
  const char* folded;
};
FacetKeys facet_keys(Facet facet);

std::string qdrant_id(uint64_t id, uint64_t generation);
// The 64-bit id of a UUID that qdrant_id made.
Result<uint64_t> point_id_of(const nlohmann::json& uuid);

// One element of an upsert's `points`. The dense vector is filled up with zeros to `dimensions`,
// which no dot product notices. REQUIRES: check_points accepted it.
std::string point_json(const Point& point, uint64_t generation, size_t dimensions);

// "[1,0.5,…]", each number as short as it may be.
std::string numbers_json(std::span<const float> values, size_t filled_up_to = 0);

// Which points a reader of `generation` sees.
nlohmann::json visible_in(uint64_t generation);
// Conditions for `must`: what `filter` and `level` ask for, among those of `generation`.
nlohmann::json filter_json(const Filter& filter, Level level, uint64_t generation);
nlohmann::json match_any(std::string_view key, nlohmann::json values);

// A record of scroll: id, payload and whichever vectors were asked for.
struct QdrantRecord {
  std::string qdrant_id;
  uint64_t id = 0;
  bool has_dense = false;  // says the payload
  Payload payload;
  SparseVector sparse;
  std::vector<float> dense;
};
Result<QdrantRecord> read_record(const nlohmann::json& record);
// `points` of a query's result.
Result<std::vector<PointScore>> read_hits(const nlohmann::json& result);

// 0 unless a whole number stands there.
uint64_t number_member(const nlohmann::json& object, const char* key);

std::unexpected<Error> foreign_answer(std::string_view what);

}  // namespace precedent
