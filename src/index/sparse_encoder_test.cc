#include "index/sparse_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "base/hash.h"

namespace precedent {
namespace {

using Terms = std::vector<std::string>;

float weight_of(const SparseVector& v, std::string_view term) {
  const auto found = std::ranges::lower_bound(v.terms, term_id(term));
  if (found == v.terms.end() || *found != term_id(term)) return 0;
  return v.weights[static_cast<size_t>(found - v.terms.begin())];
}

// The formula of the header, term by term, in double precision.
double plain_weight(const std::string& term, const std::array<Terms, kFieldCount>& fields,
                    const AverageLengths& averages, const Bm25Params& params) {
  double tf = 0;
  for (size_t f = 0; f < kFieldCount; ++f) {
    const auto count = static_cast<double>(std::ranges::count(fields[f], term));
    if (count == 0) continue;
    const double length = averages[f] > 0 ? static_cast<double>(fields[f].size()) / averages[f] : 1;
    tf += params.fields[f].weight * count / (1 - params.fields[f].b + params.fields[f].b * length);
  }
  return tf / (params.k1 + tf);
}

TEST(SparseEncoder, ATermIdIsTheLowHalfOfItsHash) {
  EXPECT_EQ(term_id("payu"), static_cast<uint32_t>(hash64("payu") & 0xffffffff));
}

TEST(SparseEncoder, WeightsFollowTheFormulaForRandomPoints) {
  std::mt19937 random(20250120);
  const Bm25Params params;
  for (int round = 0; round < 200; ++round) {
    std::array<Terms, kFieldCount> fields;
    AverageLengths averages;
    for (size_t f = 0; f < kFieldCount; ++f) {
      for (size_t n = random() % 12; n > 0; --n)
        fields[f].push_back("t" + std::to_string(random() % 8));
      averages[f] = static_cast<float>(random() % 10);
    }
    std::array<TermCounts, kFieldCount> counts;
    FieldCounts pointers;
    for (size_t f = 0; f < kFieldCount; ++f) pointers[f] = &(counts[f] = count_terms(fields[f]));
    const SparseVector v = encode(pointers, averages, params);
    EXPECT_TRUE(std::ranges::is_sorted(v.terms));
    for (int t = 0; t < 8; ++t) {
      const std::string term = "t" + std::to_string(t);
      EXPECT_NEAR(weight_of(v, term), plain_weight(term, fields, averages, params), 1e-5)
          << round << term;
    }
  }
}

TEST(SparseEncoder, WhatBm25fPromisesHolds) {
  const Bm25Params params;
  const AverageLengths averages = {5, 5, 5, 50};
  const auto body = [&](const Terms& terms) {
    const TermCounts counts = count_terms(terms);
    return weight_of(encode({nullptr, nullptr, nullptr, &counts}, averages, params), "payu");
  };
  const auto title = [&](const Terms& terms) {
    const TermCounts counts = count_terms(terms);
    return weight_of(encode({&counts, nullptr, nullptr, nullptr}, averages, params), "payu");
  };
  const Terms filler(60, "x");
  Terms longer = {"payu"};
  longer.insert(longer.end(), filler.begin(), filler.end());
  EXPECT_GT(body({"payu", "x"}), body(longer)) << "the same mention says less in a longer text";
  EXPECT_GT(body({"payu", "payu"}), body({"payu", "x"})) << "saying it twice says more";
  EXPECT_LT(body(Terms(500, "payu")), 1.0f) << "but it saturates";
  Terms average_body(49, "x");
  average_body.push_back("payu");
  EXPECT_GT(title({"payu", "x", "x", "x", "x"}), body(average_body))
      << "a title of usual length says more";
  EXPECT_EQ(body({"x"}), 0.0f);
}

TEST(SparseEncoder, SumsAreWhatCountingTheJoinedTextGives) {
  const TermCounts a = count_terms(Terms{"x", "y", "x"}), b = count_terms(Terms{"y", "z"}), none;
  const std::array parts = {&a, &none, &b};
  EXPECT_EQ(sum(parts), count_terms(Terms{"x", "y", "x", "y", "z"}));
}

TEST(SparseEncoder, AFieldOfWeightZeroLeavesNoTerm) {
  Bm25Params params;
  params.fields[0].weight = 0;
  const TermCounts counts = count_terms(Terms{"x"});
  EXPECT_TRUE(encode({&counts, nullptr, nullptr, nullptr}, {}, params).terms.empty());
}

TEST(SparseEncoder, AQueryWeighsTermsByHowOftenItSaysThem) {
  const SparseVector query = encode_query(Terms{"payu", "error", "payu"});
  EXPECT_EQ(query.terms.size(), 2u);
  EXPECT_EQ(weight_of(query, "payu"), 2.0f);
  EXPECT_EQ(weight_of(query, "error"), 1.0f);
  EXPECT_TRUE(encode_query({}).terms.empty());
}

TEST(SparseEncoder, DriftIsTheLargestRelativeChange) {
  const CorpusStats built = {{10, 0, 4, 100}, {10, 0, 4, 400}};
  const struct {
    CorpusStats now;
    float expected;
  } cases[] = {
      {built, 0},
      {{{10, 0, 4, 100}, {10, 0, 4, 300}}, 0.25f},
      {{{15, 0, 4, 100}, {10, 0, 4, 400}}, 0.5f},
      {{{10, 0.05f, 4, 100}, {10, 0, 4, 400}}, 0},  // hardly any headings
      {{{10, 3, 4, 100}, {10, 0, 4, 400}}, 1},      // headings that were not there
      {{{10, 0, 0, 100}, {10, 0, 4, 400}}, 1},      // a field that went
  };
  for (const auto& [now, expected] : cases) EXPECT_FLOAT_EQ(drift(built, now), expected);
}

}  // namespace
}  // namespace precedent
