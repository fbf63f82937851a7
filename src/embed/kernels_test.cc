// Every instruction set this processor has against plain C++.
#include "embed/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace precedent {
namespace {

std::vector<const Kernels*> fast_kernels() {
  std::vector<const Kernels*> found;
  for (const auto set : {InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    if (const Kernels* k = kernels_for(set)) found.push_back(k);
  }
  return found;
}

const Kernels& oracle() { return *kernels_for(InstructionSet::kPlain); }

std::vector<float> numbers(size_t n, float scale, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, scale);
  std::vector<float> result(n);
  for (float& x : result) x = normal(random);
  return result;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& expected,
                 float tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], tolerance) << "at " << i;
}

// Rows, gamma, beta and codes that stand for a layer's.
struct Products {
  explicit Products(size_t rows, size_t width)
      : sums(rows * width),
        scale(numbers(width, 1e-4f, 1)),
        sum(numbers(width, 0.1f, 2)),
        bias(numbers(width, 1, 3)) {
    std::mt19937 random(4);
    for (int32_t& s : sums) s = static_cast<int32_t>(random() % 400'000) - 200'000;
    for (size_t r = 0; r < rows; ++r)
      codes.push_back({0.01f * static_cast<float>(r + 1), -0.3f * static_cast<float>(r)});
  }
  ColumnCode columns() const { return {scale.data(), sum.data(), bias.data()}; }

  std::vector<int32_t> sums;
  std::vector<float> scale, sum, bias;
  std::vector<RowCode> codes;
};

// What the codes stand for.
std::vector<float> decoded(const std::vector<uint8_t>& q, const std::vector<RowCode>& codes) {
  const size_t width = q.size() / codes.size();
  std::vector<float> x(q.size());
  for (size_t i = 0; i < q.size(); ++i) {
    x[i] = codes[i / width].offset + codes[i / width].scale * static_cast<float>(q[i]);
  }
  return x;
}

TEST(Kernels, Norm) {
  const auto gamma = numbers(kHidden, 1, 1), beta = numbers(kHidden, 1, 2);
  const auto start = numbers(5 * kHidden, 3, 3);
  for (const Kernels* k : fast_kernels()) {
    auto expected = start, found = start;
    oracle().norm(expected.data(), 5, {gamma.data(), beta.data()});
    k->norm(found.data(), 5, {gamma.data(), beta.data()});
    expect_near(found, expected, 2e-5f);
  }
}

TEST(Kernels, LowRank) {
  constexpr size_t kRows = 5, kStride = 3 * kHidden;
  const auto x = numbers(kRows * kHidden, 1, 1), a = numbers(kRank * kHidden, 0.05f, 2),
             b = numbers(kRank * kHidden, 0.05f, 3), start = numbers(kRows * kStride, 1, 4);
  for (const Kernels* k : fast_kernels()) {
    auto expected = start, found = start;
    oracle().low_rank(x.data(), kRows, a.data(), b.data(), expected.data() + kHidden, kStride);
    k->low_rank(x.data(), kRows, a.data(), b.data(), found.data() + kHidden, kStride);
    expect_near(found, expected, 2e-5f);
    EXPECT_NE(found, start);
    // Nothing beyond its own columns is touched.
    EXPECT_EQ(found[0], start[0]);
    EXPECT_EQ(found[2 * kHidden], start[2 * kHidden]);
  }
}

TEST(Kernels, AttentionOfEveryLength) {
  std::vector<float> scratch(kAttentionScratch);
  for (const Kernels* k : fast_kernels()) {
    for (size_t tokens = 1; tokens <= kMaxTokens; tokens += tokens < 40 ? 1 : 27) {
      // Large scores: softmax must not overflow.
      const auto qkv = numbers(tokens * 3 * kHidden, 3, static_cast<uint32_t>(tokens));
      std::vector<float> expected(tokens * kHidden), found(tokens * kHidden);
      oracle().attention(qkv.data(), tokens, expected.data(), nullptr);
      k->attention(qkv.data(), tokens, found.data(), scratch.data());
      SCOPED_TRACE(std::string(k->name) + ", tokens " + std::to_string(tokens));
      expect_near(found, expected, 1e-4f);
    }
    std::vector<float> expected(kMaxTokens * kHidden), found(kMaxTokens * kHidden);
    const auto qkv = numbers(kMaxTokens * 3 * kHidden, 1, 9);
    oracle().attention(qkv.data(), kMaxTokens, expected.data(), nullptr);
    k->attention(qkv.data(), kMaxTokens, found.data(), scratch.data());
    expect_near(found, expected, 1e-5f);
  }
}

TEST(Kernels, Pool) {
  for (const Kernels* k : fast_kernels()) {
    for (const size_t tokens : {1, 2, 77}) {
      const auto x = numbers(tokens * kHidden, 1, 5);
      std::vector<float> expected(kHidden), found(kHidden);
      oracle().pool(x.data(), tokens, expected.data());
      k->pool(x.data(), tokens, found.data());
      expect_near(found, expected, 1e-6f);
    }
  }
}

TEST(Kernels, QuantizeStaysWithinHalfAStep) {
  auto x = numbers(4 * kHidden, 2, 6);
  std::fill(x.begin() + kHidden, x.begin() + 2 * kHidden, 0.0f);  // a row without range
  std::fill(x.begin() + 2 * kHidden, x.begin() + 3 * kHidden, -7.25f);
  for (size_t i = 3 * kHidden; i < 4 * kHidden; ++i) x[i] = std::abs(x[i]) + 1000;  // far from zero
  std::vector<float> factors(kHidden);
  for (size_t i = 0; i < kHidden; ++i) factors[i] = i % 3 == 0 ? 0.25f : 1;
  for (const auto set : {InstructionSet::kPlain, InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    const Kernels* k = kernels_for(set);
    if (k == nullptr) continue;
    std::vector<uint8_t> q(x.size());
    std::vector<RowCode> codes(4);
    k->quantize(x.data(), 4, kHidden, factors.data(), q.data(), codes.data());
    const auto back = decoded(q, codes);
    for (size_t i = 0; i < x.size(); ++i) {
      ASSERT_NEAR(back[i], x[i] * factors[i % kHidden],
                  codes[i / kHidden].scale * 0.502f + 1e-3f * (i >= 3 * kHidden))
          << k->name << " " << i;
    }
  }
}

TEST(Kernels, DequantizeAlsoInPlace) {
  const Products p(3, 3 * kHidden);
  for (const Kernels* k : fast_kernels()) {
    std::vector<float> expected(p.sums.size()), found(p.sums.size());
    oracle().dequantize(p.sums.data(), 3, 3 * kHidden, p.codes.data(), p.columns(),
                        expected.data());
    k->dequantize(p.sums.data(), 3, 3 * kHidden, p.codes.data(), p.columns(), found.data());
    expect_near(found, expected, 1e-4f);
    auto place = p.sums;
    auto* out = reinterpret_cast<float*>(place.data());
    k->dequantize(place.data(), 3, 3 * kHidden, p.codes.data(), p.columns(), out);
    EXPECT_EQ(std::memcmp(out, found.data(), found.size() * sizeof(float)), 0);
  }
}

TEST(Kernels, Add) {
  const Products p(5, kHidden);
  for (const Kernels* k : fast_kernels()) {
    auto expected = numbers(5 * kHidden, 1, 8), found = expected;
    oracle().add(p.sums.data(), 5, p.codes.data(), p.columns(), expected.data());
    k->add(p.sums.data(), 5, p.codes.data(), p.columns(), found.data());
    expect_near(found, expected, 1e-4f);
  }
}

TEST(Kernels, AddNormQuantize) {
  const Products p(6, kHidden);
  const auto factors = numbers(kHidden, 1, 7);
  const auto gamma = numbers(kHidden, 1, 1), beta = numbers(kHidden, 1, 2);
  for (const Kernels* k : fast_kernels()) {
    auto expected = numbers(6 * kHidden, 1, 8), found = expected;
    std::vector<uint8_t> q(6 * kHidden), ignored(6 * kHidden);
    // New codes may overwrite the old.
    std::vector<RowCode> codes = p.codes, ignored_codes(6);
    oracle().add_norm_quantize(p.sums.data(), 6, p.codes.data(), p.columns(), expected.data(),
                               {gamma.data(), beta.data()}, factors.data(), ignored.data(),
                               ignored_codes.data());
    k->add_norm_quantize(p.sums.data(), 6, codes.data(), p.columns(), found.data(),
                         {gamma.data(), beta.data()}, factors.data(), q.data(), codes.data());
    expect_near(found, expected, 1e-4f);  // the residual stays without the factors
    for (const RowCode& code : codes) EXPECT_LT(code.scale, 0.1f);
    for (size_t i = 0; i < expected.size(); ++i) expected[i] *= factors[i % kHidden];
    expect_near(decoded(q, codes), expected, 0.05f);
  }
}

// The inner layer in its two codes.
struct Inner {
  explicit Inner(size_t rows)
      : peaks(rows * kPeakWidth), rest(rows * kRestWidth), peak_codes(rows), rest_codes(rows) {}
  InnerCodes codes() { return {peaks.data(), peak_codes.data(), rest.data(), rest_codes.data()}; }

  std::vector<uint8_t> peaks, rest;
  std::vector<RowCode> peak_codes, rest_codes;
};

void expect_same_code(const std::vector<uint8_t>& found, const std::vector<RowCode>& found_codes,
                      const std::vector<uint8_t>& expected,
                      const std::vector<RowCode>& expected_codes) {
  float step = 0;
  for (const RowCode& code : expected_codes) step = std::max(step, code.scale);
  expect_near(decoded(found, found_codes), decoded(expected, expected_codes), 1.1f * step + 1e-3f);
}

TEST(Kernels, GeluQuantizesPeaksApart) {
  const Products p(4, kUpWidth);
  std::vector<float> factors = numbers(kUpWidth, 0.5f, 7);
  std::fill(factors.begin(), factors.begin() + kPeakWidth, 100.0f);
  for (const Kernels* k : fast_kernels()) {
    Inner expected(4), found(4);
    oracle().gelu_quantize(p.sums.data(), 4, p.codes.data(), p.columns(), factors.data(),
                           expected.codes());
    k->gelu_quantize(p.sums.data(), 4, p.codes.data(), p.columns(), factors.data(), found.codes());
    expect_same_code(found.peaks, found.peak_codes, expected.peaks, expected.peak_codes);
    expect_same_code(found.rest, found.rest_codes, expected.rest, expected.rest_codes);
    for (size_t r = 0; r < 4; ++r) EXPECT_LT(found.rest_codes[r].scale, found.peak_codes[r].scale);
  }
}

}  // namespace
}  // namespace precedent
