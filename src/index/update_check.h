// Whether an update may be applied: the checks that all implementations share, so that none of them
// half-applies what another refuses.
//
// Thread safety: pure functions.
#pragma once

#include "index/knowledge_index.h"

namespace precedent {

// The dimensions of the vectors in `update.add`, 0 if there are none.
// Errors: kInvalidArgument, naming the point: an id twice, no document id, terms not ascending,
// weights not positive and finite, a vector at document level, vectors of different lengths or with
// values that are not finite.
Result<size_t> check_points(const IndexUpdate& update);

// Whether vectors of `model_id` and `dimensions` may join those that stay. `kept_dimensions` is 0
// if none stay.
Result<void> check_model(std::string_view model_id, size_t dimensions,
                         std::string_view kept_model_id, size_t kept_dimensions);

// Errors: kInvalidArgument unless a query has as many dimensions as the index.
Result<void> check_query_dimensions(size_t query, size_t index);

}  // namespace precedent
