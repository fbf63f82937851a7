#include "index/update_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace precedent {
namespace {

Result<void> refuse(const Point& point, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("point {} of document '{}': {}", point.id, point.payload.doc_id, why));
}

Result<void> check_sparse(const Point& point) {
  const SparseVector& sparse = point.sparse;
  if (sparse.terms.size() != sparse.weights.size()) {
    return refuse(
        point, fmt::format("{} terms but {} weights", sparse.terms.size(), sparse.weights.size()));
  }
  if (std::adjacent_find(sparse.terms.begin(), sparse.terms.end(), std::greater_equal<>()) !=
      sparse.terms.end()) {
    return refuse(point, "the terms of the sparse vector are not ascending and unique");
  }
  const auto valid = [](float weight) { return weight > 0 && std::isfinite(weight); };
  if (!std::all_of(sparse.weights.begin(), sparse.weights.end(), valid)) {
    return refuse(point, "a weight of the sparse vector is not positive and finite");
  }
  return {};
}

}  // namespace

Result<size_t> check_points(const IndexUpdate& update) {
  size_t dimensions = 0;
  std::unordered_set<uint64_t> ids;
  const auto finite = [](float value) { return std::isfinite(value); };
  const auto check = [&](const Point& point) -> Result<void> {
    if (!ids.insert(point.id).second) return refuse(point, "the id occurs twice in one update");
    if (point.payload.doc_id.empty()) return refuse(point, "it has no document id");
    TRY(check_sparse(point));
    if (point.dense.empty()) return {};
    if (point.payload.level != Level::kChunk)
      return refuse(point, "only chunks have a dense vector");
    if (dimensions == 0) dimensions = point.dense.size();
    if (dimensions > 65'536) return refuse(point, "its vector has more than 65,536 dimensions");
    if (point.dense.size() != dimensions) {
      return refuse(point, fmt::format("its vector has {} dimensions, the others {}",
                                       point.dense.size(), dimensions));
    }
    if (!std::all_of(point.dense.begin(), point.dense.end(), finite)) {
      return refuse(point, "a value of the dense vector is not finite");
    }
    return {};
  };
  ids.reserve(update.add.size());
  for (const Point& point : update.add) TRY(check(point));
  return dimensions;
}

Result<void> check_model(std::string_view model_id, size_t dimensions,
                         std::string_view kept_model_id, size_t kept_dimensions) {
  if (dimensions == 0 || kept_dimensions == 0) return {};
  if (dimensions == kept_dimensions && model_id == kept_model_id) return {};
  return fail(ErrorCode::kConflict,
              fmt::format("the index holds vectors of '{}' ({} dimensions), the update brings "
                          "vectors of '{}' ({}); "
                          "delete the index, it is rebuilt from the store",
                          kept_model_id, kept_dimensions, model_id, dimensions));
}

Result<void> check_query_dimensions(size_t query, size_t index) {
  if (query == index) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("the query vector has {} dimensions, the index {}; use the model that "
                          "the index was made with",
                          query, index));
}

}  // namespace precedent
