// Points for the tests and benches of the index: a few by hand, many from a seed.
#pragma once

#include <initializer_list>
#include <random>
#include <utility>

#include "index/knowledge_index.h"

namespace precedent {

using Weights = std::initializer_list<std::pair<uint32_t, float>>;

inline SparseVector sparse(Weights weights) {
  SparseVector vector;
  for (const auto& [term, weight] : weights) {
    vector.terms.push_back(term);
    vector.weights.push_back(weight);
  }
  return vector;
}

inline Point chunk(uint64_t id, std::string doc_id, Weights weights, uint32_t ordinal = 0,
                   std::vector<float> dense = {}) {
  Point point{id, sparse(weights), std::move(dense), {}};
  point.payload.doc_id = std::move(doc_id);
  point.payload.ordinal = ordinal;
  return point;
}

inline Point document(uint64_t id, std::string doc_id, Weights weights) {
  Point point = chunk(id, std::move(doc_id), weights);
  point.payload.level = Level::kDocument;
  return point;
}

// Every field set, with text of several scripts.
inline Payload full_payload() {
  Payload payload;
  payload.doc_id = "INC-2025-01-20-005";
  payload.kind = Kind::kIncident;
  payload.ordinal = 3;
  payload.chunk_count = 7;
  payload.title = "HTTP 403 von der Börse — 決済";
  payload.heading = {"Timeline", "", "12:00"};
  payload.text = std::string("line one\nline two\0 after a zero", 31);
  payload.path = "incidents/2025.json";
  payload.lines = {10, 4'000'000'000};
  payload.services = {"payment-service", "Checkout-API"};
  payload.tags = {"403"};
  payload.application = "PayU Core";
  payload.severity = "SEV1";
  payload.status = "Resolved";
  payload.opened_at = TimePoint(std::chrono::seconds(-12));
  return payload;
}

}  // namespace precedent
