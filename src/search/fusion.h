// Fusion: the scores of several searches → one score a document.
//
// Each list is scaled to [0, 1] by its own minimum and maximum over the candidates (min-max), a
// candidate that a list does not hold gets 0 there, and the weighted mean is taken. Bruch, Gai,
// Ingber: "An Analysis of Fusion Functions for Hybrid Retrieval" (ACM TOIS 2023) finds such a
// convex combination better and steadier than reciprocal ranks. Thread safety: pure functions over
// values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

// What one document brings to the fusion. Raw scores; nothing where a search did not return it.
struct Candidate {
  std::string doc_id;
  std::optional<float> document;  // BM25 of the whole document
  std::optional<float> passage;   // BM25 of its best chunk
  std::optional<float> dense;     // cosine of its best chunk
  float bonus = 0;                // 0–1: names the question mentions
  float prior = 1;                // 0–1: of its score, whatever the question
};

// The tuned values and how they were found: eval/README.md, "Fusion weights".
struct FusionWeights {
  float document = 0.22f;
  float passage = 0.38f;
  float dense = 0.40f;
  float bonus = 0.10f;  // added on top of the mean
};

// Every part of a fused score, for --explain.
struct ScoreParts {
  std::optional<float> document, passage, dense;                    // raw
  float document_scaled = 0, passage_scaled = 0, dense_scaled = 0;  // 0–1
  float bonus = 0;
  float prior = 1;
  float fused = 0;  // 0–1
};

// Best first; ties by document id. Parallel to nothing: each result carries its candidate's index.
struct Fused {
  size_t candidate = 0;
  ScoreParts parts;
};
std::vector<Fused> fuse(const std::vector<Candidate>& candidates, const FusionWeights& weights);

}  // namespace precedent
