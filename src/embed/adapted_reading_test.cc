// The committed adapter, applied by the encoder, against the training code's own figures
// (tests/golden/adapters/question.json, made by train/train.py). Needs the weights (fixture
// "model").
#include "embed/adapted_reading.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "embed/learned_reader.h"
#include "files/files.h"

namespace precedent {
namespace {

using nlohmann::json;

const Adapter& adapter() {
  static const Result<Adapter> opened = Adapter::open("adapters/question.safetensors");
  if (!opened) {
    ADD_FAILURE() << opened.error().text();
    std::abort();
  }
  return *opened;
}

const MiniLmEmbedder& encoder(Precision precision) {
  static std::unique_ptr<MiniLmEmbedder> opened[2];
  auto& slot = opened[static_cast<int>(precision)];
  if (!slot) {
    auto result =
        MiniLmEmbedder::open(default_model_folder(), {.precision = precision, .threads = 1});
    if (!result) {
      ADD_FAILURE() << result.error().text();
      std::abort();
    }
    slot = *std::move(result);
  }
  return *slot;
}

struct Golden {
  explicit Golden(const json& read) : question(read["question"]), record(read) {
    for (const auto& turn : read["context"]) {
      turns.emplace_back(turn["question"].get<std::string>(), turn["answer"].get<std::string>());
    }
  }
  std::vector<PastTurn> past() const {
    std::vector<PastTurn> past;
    for (const auto& [asked, answered] : turns) past.push_back({asked, answered});
    return past;
  }

  std::string question;
  std::vector<std::pair<std::string, std::string>> turns;
  json record;
};

std::vector<Golden> goldens() {
  const auto text = read_file("tests/golden/adapters/question.json", 4 << 20);
  EXPECT_TRUE(text) << text.error().text();
  std::vector<Golden> found;
  for (const auto& record : json::parse(*text)) found.emplace_back(record);
  return found;
}

float probability(const ReadHead& head, std::string_view label) {
  for (const ReadLabel& read : head.labels)
    if (read.label == label) return read.probability;
  return -1;
}

// The largest difference of any probability from the training code's.
float largest_difference(Precision precision) {
  float largest = 0;
  for (const Golden& golden : goldens()) {
    const auto reading = read_with(adapter(), encoder(precision), golden.question, golden.past());
    if (!reading) {
      ADD_FAILURE() << reading.error().text();
      return 1;
    }
    for (const AdapterHead& head : adapter().heads()) {
      const auto& expected = golden.record["probabilities"][head.name];
      for (size_t i = 0; i < head.labels.size(); ++i) {
        const float found = probability(reading->head(head.name), head.labels[i]);
        largest = std::max(largest, std::abs(found - expected[i].get<float>()));
      }
    }
  }
  return largest;
}

TEST(AdaptedReading, ReadsTheSameWordPiecesAsTheTraining) {
  const auto all = goldens();
  ASSERT_GE(all.size(), 50u);
  size_t conversations = 0;
  for (const Golden& golden : all) {
    const auto past = golden.past();
    const AdapterInput input =
        adapter_input(adapter(), encoder(Precision::kFloat32).tokenizer(), golden.question, past);
    EXPECT_EQ(input.ids, golden.record["ids"].get<std::vector<int32_t>>()) << golden.question;
    EXPECT_EQ(input.start, golden.record["start"].get<size_t>()) << golden.question;
    conversations += past.empty() ? 0 : 1;
  }
  EXPECT_GE(conversations, 5u);
}

TEST(AdaptedReading, ProbabilitiesEqualTheTraining) {
  EXPECT_LE(largest_difference(Precision::kFloat32), 2e-3f);
}

TEST(AdaptedReading, Int8StaysClose) {
  if (!MiniLmEmbedder::int8_available()) return;
  EXPECT_LE(largest_difference(Precision::kInt8), 0.2f);
}

TEST(AdaptedReading, SpansAreThoseOfTheTraining) {
  for (const Golden& golden : goldens()) {
    const auto& encoded = encoder(Precision::kFloat32);
    const auto input =
        adapter_input(adapter(), encoded.tokenizer(), golden.question, golden.past());
    const auto reading = read_with(adapter(), encoded, golden.question, golden.past());
    ASSERT_TRUE(reading);
    const auto tags = golden.record["tags"].get<std::vector<size_t>>();
    ASSERT_EQ(tags.size(), input.own.size());
    for (size_t i = 0; i < tags.size(); ++i) {
      const std::string_view tag = adapter().tags().labels[tags[i]];
      std::string_view kind;
      for (const ReadSpan& span : reading->spans)
        if (span.begin <= input.own[i].begin && input.own[i].end <= span.end) kind = span.kind;
      EXPECT_EQ(kind, tag == "O" ? "" : tag.substr(2)) << golden.question << " piece " << i;
    }
  }
}

TEST(AdaptedReading, TheConversationChangesTheReading) {
  const std::string_view question = "and how was it fixed?";
  const PastTurn past[] = {{"what is GW-12?", "GW-12: the gateway lost its certificate, 2 h."}};
  const auto alone = read_with(adapter(), encoder(Precision::kFloat32), question, {});
  const auto led = read_with(adapter(), encoder(Precision::kFloat32), question, past);
  ASSERT_TRUE(alone && led);
  EXPECT_EQ(led->head("type").labels[0].label, "follow_up");
  EXPECT_GT(probability(led->head("type"), "follow_up"),
            probability(alone->head("type"), "follow_up"));
}

TEST(AdaptedReading, AnyTextGivesProbabilities) {
  std::string long_text;
  for (int i = 0; i < 100'000; ++i) long_text += "pod restart ";
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>(i * 37);
  const PastTurn past[] = {{long_text, long_text}, {bytes, ""}, {"", long_text}};
  for (const std::string& text :
       {std::string(), long_text, bytes, std::string("¿por qué falla?")}) {
    const auto reading = read_with(adapter(), encoder(Precision::kFloat32), text, past);
    ASSERT_TRUE(reading) << reading.error().text();
    float sum = 0;
    for (const ReadLabel& label : reading->head("type").labels) sum += label.probability;
    EXPECT_NEAR(sum, 1, 1e-4f);
    for (const ReadSpan& span : reading->spans) EXPECT_LE(span.end, text.size());
  }
}

TEST(AdapterReader, WhatItRemembersIsWhatItReadsAndNoQuestionOfAConversation) {
  const auto reader = AdapterReader::open(encoder(Precision::kFloat32)).value();
  const std::string asked = "and the second one?";
  const auto probabilities = [](const AdaptedReading& reading) {
    std::vector<std::pair<std::string, float>> all;
    for (const ReadHead& head : reading.heads)
      for (const ReadLabel& label : head.labels) all.emplace_back(label.label, label.probability);
    return all;
  };
  const auto alone = probabilities(reader->read(asked, {}).value());
  // More than are remembered.
  for (int i = 0; i < 40; ++i) {
    const std::string other = "why is node " + std::to_string(i) + " down";
    const auto first = probabilities(reader->read(other, {}).value());
    EXPECT_EQ(probabilities(reader->read(other, {}).value()), first);
  }
  EXPECT_EQ(probabilities(reader->read(asked, {}).value()), alone);
  const PastTurn before{.question = "which incidents were there?", .answer = "INC-1 and INC-2."};
  EXPECT_NE(probabilities(reader->read(asked, {&before, 1}).value()), alone);
  EXPECT_EQ(probabilities(reader->read(asked, {}).value()), alone);
}

}  // namespace
}  // namespace precedent
