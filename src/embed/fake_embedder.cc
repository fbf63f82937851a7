#include "embed/fake_embedder.h"

#include <cmath>
#include <string>

#include "base/hash.h"

namespace precedent {
namespace {

bool in_word(unsigned char c) {
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

void add_word(const std::string& word, std::span<float> vector) {
  const uint64_t hash = hash64(word);
  vector[(hash & 0xFFFFFFFF) % vector.size()] += 1;
  vector[(hash >> 32) % vector.size()] += hash & 1 ? 1 : -1;
}

void embed_one(std::string_view text, std::span<float> vector) {
  std::string word;
  for (const char c : text) {
    if (in_word(static_cast<unsigned char>(c))) {
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    } else if (!word.empty()) {
      add_word(word, vector);
      word.clear();
    }
  }
  if (!word.empty()) add_word(word, vector);

  float squares = 0;
  for (const float x : vector) squares += x * x;
  // No words, or words that cancel each other.
  if (squares == 0) vector[0] = squares = 1;
  for (float& x : vector) x /= std::sqrt(squares);
}

}  // namespace

Result<Embeddings> FakeEmbedder::embed(std::span<const std::string_view> texts) const {
  Embeddings result{.dimensions = dimensions_,
                    .values = std::vector<float>(texts.size() * dimensions_)};
  for (size_t i = 0; i < texts.size(); ++i) {
    embed_one(texts[i], std::span(result.values).subspan(i * dimensions_, dimensions_));
  }
  return result;
}

}  // namespace precedent
