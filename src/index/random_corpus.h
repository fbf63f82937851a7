// A corpus from a seed, shaped like text: terms of Zipf's distribution, vectors in clusters,
// documents of several chunks.
//
// Same seed, same corpus, on every machine: only std::mt19937_64 and own arithmetic are used.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "index/knowledge_index.h"

namespace precedent {

struct CorpusShape {
  size_t vocabulary = 200'000;
  size_t terms_in_chunk = 80;  // tokens drawn; repeated ones count once
  size_t terms_in_query = 10;
  size_t dimensions = 384;  // 0: no vectors
  size_t clusters = 500;    // centres that vectors lie around
  double spread = 1.0;      // length of the noise around a centre, whose length is 1
  size_t values = 20;       // different services, tags, applications …
};

class RandomCorpus {
 public:
  RandomCorpus(const CorpusShape& shape, uint64_t seed) : shape_(shape), random_(seed) {
    if (shape_.dimensions == 0) return;
    for (size_t i = 0; i < shape_.clusters; ++i) centres_.push_back(latent(1));
    for (size_t i = 0; i < centres_.front().size(); ++i) {
      std::vector<float>& direction = directions_.emplace_back();
      while (direction.size() < shape_.dimensions) {
        for (const float value : latent(1)) direction.push_back(value);
      }
      direction.resize(shape_.dimensions);
    }
  }

  uint64_t below(uint64_t n) { return random_() % n; }
  double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  // Terms of rank r come about 1/r as often as the first; ids are spread like hashes.
  SparseVector sparse(size_t tokens) {
    std::vector<uint32_t> terms;
    for (size_t i = 0; i < tokens; ++i) {
      const double rank = std::exp(unit() * std::log(static_cast<double>(shape_.vocabulary)));
      terms.push_back(static_cast<uint32_t>(static_cast<uint64_t>(rank) * 2'654'435'761u));
    }
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
    SparseVector vector{terms, {}};
    for (size_t i = 0; i < terms.size(); ++i)
      vector.weights.push_back(static_cast<float>(0.3 + unit() * 1.7));
    return vector;
  }
  SparseVector sparse_query() {
    SparseVector query = sparse(shape_.terms_in_query);
    for (float& weight : query.weights) weight = 1;
    return query;
  }

  // Of unit length, around one of the centres.
  std::vector<float> vector() {
    const std::vector<float>& centre = centres_[below(centres_.size())];
    const std::vector<float> noise = latent(shape_.spread);
    std::vector<float> vector(shape_.dimensions);
    for (size_t i = 0; i < centre.size(); ++i) {
      const float amount = centre[i] + noise[i];
      for (size_t j = 0; j < vector.size(); ++j) vector[j] += amount * directions_[i][j];
    }
    float squares = 0;
    for (const float value : vector) squares += value * value;
    for (float& value : vector) value /= std::sqrt(squares);
    return vector;
  }

  // The points of one document: `chunks` chunks, then the document. Ids from `first_id`.
  std::vector<Point> document(const std::string& doc_id, size_t chunks, uint64_t first_id) {
    Payload shared = fields(doc_id, chunks);
    std::vector<Point> points;
    for (size_t i = 0; i <= chunks; ++i) {
      Point point{first_id + i,
                  sparse(i < chunks ? shape_.terms_in_chunk : 2 * shape_.terms_in_chunk),
                  {},
                  shared};
      if (i < chunks) {
        point.payload.ordinal = static_cast<uint32_t>(i);
        point.payload.text = "text of chunk " + std::to_string(i);
        if (shape_.dimensions != 0) point.dense = vector();
      } else {
        point.payload.level = Level::kDocument;
      }
      points.push_back(std::move(point));
    }
    return points;
  }

  std::string value(std::string_view prefix) {
    const std::string text = std::string(prefix) + std::to_string(below(shape_.values));
    return below(4) == 0 ? static_cast<char>(text[0] - 'a' + 'A') + text.substr(1) : text;
  }

  // Some fields set, so that a few to most documents match.
  Filter filter() {
    Filter filter;
    const auto some = [&](std::string_view prefix) {
      return std::vector<std::string>{value(prefix), value(prefix)};
    };
    if (below(3) == 0) filter.kinds = {kAllKinds[below(4)], kAllKinds[below(4)]};
    if (below(4) == 0) filter.services = some("service-");
    if (below(6) == 0) filter.tags = some("tag-");
    if (below(6) == 0) filter.applications = some("app-");
    if (below(6) == 0) filter.systems = {value("app-"), value("service-")};
    if (below(6) == 0) filter.severities = some("sev");
    if (below(6) == 0) filter.statuses = some("state");
    if (below(4) == 0) filter.opened.from = day(below(400));
    if (below(4) == 0) filter.opened.to = day(below(400) + 100);
    return filter;
  }

 private:
  static TimePoint day(uint64_t n) { return TimePoint(std::chrono::days(19'000 + n)); }

  Payload fields(const std::string& doc_id, size_t chunks) {
    Payload payload;
    payload.doc_id = doc_id;
    payload.title = "title " + std::to_string(below(1000));
    payload.path = "docs/" + doc_id + ".md";
    payload.kind = kAllKinds[below(4)];
    payload.chunk_count = static_cast<uint32_t>(chunks);
    for (uint64_t i = below(4); i > 0; --i) payload.services.push_back(value("service-"));
    for (uint64_t i = below(3); i > 0; --i) payload.tags.push_back(value("tag-"));
    if (below(3) != 0) payload.application = value("app-");
    if (below(3) != 0) payload.severity = value("sev");
    if (below(3) != 0) payload.status = value("state");
    if (below(4) != 0) payload.opened_at = day(below(500));
    return payload;
  }

  // Nearly normal values, each the sum of the four 16-bit parts of one draw; the whole of about the
  // given length.
  std::vector<float> latent(double length) {
    std::vector<float> values(std::min(kLatent, shape_.dimensions));
    const double scale = length * std::sqrt(3.0 / static_cast<double>(values.size()));
    for (float& value : values) {
      const uint64_t draw = random_();
      const uint64_t sum =
          (draw & 0xffff) + (draw >> 16 & 0xffff) + (draw >> 32 & 0xffff) + (draw >> 48);
      value = static_cast<float>((static_cast<double>(sum) * 0x1p-16 - 2) * scale);
    }
    return values;
  }

  // Sentence embeddings use far fewer directions than they have dimensions; 64 is on the hard side.
  static constexpr size_t kLatent = 64;

  CorpusShape shape_;
  std::mt19937_64 random_;
  std::vector<std::vector<float>> centres_;     // latent
  std::vector<std::vector<float>> directions_;  // of each latent value in the space of the vectors
};

}  // namespace precedent
