// What every Embedder must do, as checks that a test calls: expect_embedder_contract.
//
// In a header because each implementation's test runs it, the one over store/'s cache from another
// folder.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "embed/embedder.h"

namespace precedent {

inline float dot(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0f);
}

// Texts of every length and of awkward content.
inline std::vector<std::string> contract_texts() {
  std::vector<std::string> texts = {"",
                                    " \t\n",
                                    "HTTP 403 errors in the payment gateway",
                                    "caf\u00e9 \u4e2d\u6587 \U0001f525 \u0627\u0644",
                                    "\x01\x02\x7f\u200b",
                                    "kubectl rollout undo deploy/checkout --to-revision=42"};
  std::string growing;
  for (int i = 0; i < 60; ++i)
    texts.push_back(growing += "step " + std::to_string(i * i) + " failed; ");
  return texts;
}

inline Embeddings embed_or_fail(const Embedder& embedder, const std::vector<std::string>& texts) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  auto result = embedder.embed(views);
  EXPECT_TRUE(result) << result.error().text();
  return result ? *std::move(result) : Embeddings{};
}

// `tolerance`: how far the cosine of a text's vectors from two calls may be from 1.
inline void expect_embedder_contract(const Embedder& embedder, float tolerance) {
  const auto texts = contract_texts();
  EXPECT_FALSE(embedder.model_id().empty());

  // No texts, no rows.
  EXPECT_EQ(embed_or_fail(embedder, {}).values.size(), 0u);

  // A row of unit length for each text.
  const Embeddings all = embed_or_fail(embedder, texts);
  ASSERT_EQ(all.dimensions, embedder.dimensions());
  ASSERT_EQ(all.count(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i)
    EXPECT_NEAR(dot(all.row(i), all.row(i)), 1.0f, 1e-4f) << texts[i];

  // A text's vector depends neither on its neighbours nor on the order.
  std::vector<size_t> order(texts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  std::vector<std::string> shuffled;
  for (const size_t i : order) shuffled.push_back(texts[i]);
  const Embeddings again = embed_or_fail(embedder, shuffled);
  for (size_t i = 0; i < order.size(); ++i) {
    EXPECT_NEAR(dot(again.row(i), all.row(order[i])), 1.0f, tolerance) << shuffled[i];
    if (i % 8 == 0) {
      EXPECT_NEAR(dot(embed_or_fail(embedder, {shuffled[i]}).row(0), again.row(i)), 1.0f, tolerance)
          << shuffled[i];
    }
  }

  // From several threads at once.
  std::vector<Embeddings> parallel(3);
  {
    std::vector<std::jthread> threads;
    for (auto& result : parallel)
      threads.emplace_back([&] { result = embed_or_fail(embedder, texts); });
  }
  for (const auto& result : parallel) {
    ASSERT_EQ(result.count(), texts.size());
    for (size_t i = 0; i < texts.size(); ++i)
      EXPECT_NEAR(dot(result.row(i), all.row(i)), 1.0f, tolerance);
  }
}

}  // namespace precedent
