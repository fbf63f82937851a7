// The encoder against the reference (tests/golden/embeddings, made by
// scripts/make-golden-embeddings). Needs the weights: ctest fetches them first (fixture "model"),
// and a missing model is a failure.
#include "embed/minilm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "embed/embedder_contract.h"
#include "files/files.h"

namespace precedent {
namespace {

constexpr std::string_view kGolden = "tests/golden/embeddings";

std::string golden(std::string_view name) {
  auto content = read_file(std::filesystem::path(kGolden) / name, 16 << 20);
  EXPECT_TRUE(content) << content.error().text();
  return content ? *std::move(content) : "";
}

std::vector<std::string> golden_texts() {
  return nlohmann::json::parse(golden("texts.json")).get<std::vector<std::string>>();
}

Embeddings golden_vectors() {
  const std::string bytes = golden("vectors.f32");
  Embeddings vectors{.dimensions = 384, .values = std::vector<float>(bytes.size() / sizeof(float))};
  std::memcpy(vectors.values.data(), bytes.data(), bytes.size());
  return vectors;
}

const MiniLmEmbedder& embedder(Precision precision) {
  static std::unique_ptr<MiniLmEmbedder> opened[2];
  auto& slot = opened[static_cast<int>(precision)];
  if (!slot) {
    auto result =
        MiniLmEmbedder::open(default_model_folder(), {.precision = precision, .threads = 2});
    if (!result) {
      ADD_FAILURE() << result.error().text();
      std::abort();
    }
    slot = *std::move(result);
  }
  return *slot;
}

TEST(WordPieceGolden, IdsEqualTheReference) {
  const auto texts = golden_texts();
  const auto expected =
      nlohmann::json::parse(golden("ids.json")).get<std::vector<std::vector<int32_t>>>();
  ASSERT_GE(texts.size(), 60u);
  ASSERT_EQ(expected.size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    std::vector<int32_t> ids;
    for (const WordPiece& piece : embedder(Precision::kFloat32).tokenizer().pieces(texts[i]))
      ids.push_back(piece.id);
    EXPECT_EQ(ids, expected[i]) << texts[i];
  }
}

// Cosines of a golden text's vectors to the reference.
std::vector<float> cosines(const Embeddings& vectors) {
  const Embeddings reference = golden_vectors();
  EXPECT_EQ(vectors.values.size(), reference.values.size());
  std::vector<float> result;
  for (size_t i = 0; i < reference.count(); ++i)
    result.push_back(dot(vectors.row(i), reference.row(i)));
  return result;
}

void expect_cosines(const Embeddings& vectors, float at_least) {
  const auto texts = golden_texts();
  const auto found = cosines(vectors);
  for (size_t i = 0; i < found.size(); ++i) EXPECT_GE(found[i], at_least) << i << ": " << texts[i];
}

TEST(MiniLm, ShortCallsEqualTheReference) {
  Embeddings one_by_one{.dimensions = 384, .values = {}};
  for (const std::string& text : golden_texts()) {
    const auto vector = embed_or_fail(embedder(Precision::kFloat32), {text}).values;
    one_by_one.values.insert(one_by_one.values.end(), vector.begin(), vector.end());
  }
  expect_cosines(one_by_one, 0.9999f);
}

TEST(MiniLm, BulkCallsEqualTheReference) {
  auto texts = golden_texts();
  const size_t n = texts.size();
  // Enough that the weights are packed, and that texts of all lengths share blocks.
  for (int i = 0; i < 3; ++i)
    texts.insert(texts.end(), texts.begin(), texts.begin() + static_cast<ptrdiff_t>(n));
  Embeddings bulk = embed_or_fail(embedder(Precision::kFloat32), texts);
  bulk.values.resize(n * bulk.dimensions);
  expect_cosines(bulk, 0.9999f);
}

TEST(MiniLm, Int8StaysCloseToTheReference) {
  if (!MiniLmEmbedder::int8_available()) {
    const auto refused =
        MiniLmEmbedder::open(default_model_folder(), {.precision = Precision::kInt8});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
    return;
  }
  const auto found = cosines(embed_or_fail(embedder(Precision::kInt8), golden_texts()));
  const float mean =
      std::accumulate(found.begin(), found.end(), 0.0f) / static_cast<float>(found.size());
  std::printf("int8: cosine to fp32 mean %.5f, min %.5f\n", mean, *std::ranges::min_element(found));
  EXPECT_GE(mean, 0.9992f);
  EXPECT_GE(*std::ranges::min_element(found), 0.996f);
}

TEST(MiniLm, FulfilsTheContract) { expect_embedder_contract(embedder(Precision::kFloat32), 1e-5f); }

TEST(MiniLm, FulfilsTheContractInInt8) {
  if (MiniLmEmbedder::int8_available()) expect_embedder_contract(embedder(Precision::kInt8), 1e-5f);
}

TEST(MiniLm, TruncatesAtTheWindow) {
  std::string window, longer;
  for (int i = 0; i < 254; ++i) window += "word ";
  longer = window + "and whatever follows";
  const Embeddings vectors = embed_or_fail(embedder(Precision::kFloat32), {window, longer});
  EXPECT_NEAR(dot(vectors.row(0), vectors.row(1)), 1.0f, 1e-5f);
}

TEST(MiniLm, SaysWhatIsWrongWithTheFolder) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "model";
  std::filesystem::remove_all(folder);
  const auto open = [&] { return MiniLmEmbedder::open(folder, {}); };
  ASSERT_FALSE(open());
  EXPECT_EQ(open().error().code, ErrorCode::kNotFound);
  EXPECT_NE(open().error().message.find("scripts/fetch-model"), std::string::npos);

  std::filesystem::create_directories(folder);
  const auto copy = [&](const char* name) {
    std::filesystem::copy_file(default_model_folder() / name, folder / name,
                               std::filesystem::copy_options::overwrite_existing);
  };
  const auto damage = [&](const char* name, std::string_view content, std::string_view named) {
    for (const char* file : {"config.json", "vocab.txt", "model.safetensors"}) copy(file);
    const std::string_view parts[] = {content};
    ASSERT_TRUE(write_file_atomically(folder / name, parts));
    const auto result = open();
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(result.error().message.find(named), std::string::npos) << result.error().message;
  };
  damage("config.json", "{\"hidden_size\": 768}", "config.json: ");
  damage("vocab.txt", "[UNK]\n[CLS]\n[SEP]\n", "word_embeddings.weight");
  damage("model.safetensors", "short", "too short");
}

}  // namespace
}  // namespace precedent
