// The adapters, applied by the encoder, against the training code's own figures
// (tests/golden/adapters/*.json, made by train/train.py). Needs the weights (fixture "model").
#include "embed/adapted_reading.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "embed/learned_reader.h"
#include "files/files.h"

namespace precedent {
namespace {

using nlohmann::json;

const Adapter& adapter(AdapterKind kind = AdapterKind::kQuestion) {
  static std::map<AdapterKind, Adapter> opened;
  const auto found = opened.find(kind);
  if (found != opened.end()) return found->second;
  auto adapter = Adapter::parse(built_in_adapter(kind), name(kind));
  if (!adapter) {
    ADD_FAILURE() << adapter.error().text();
    std::abort();
  }
  return opened.emplace(kind, *std::move(adapter)).first->second;
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
  explicit Golden(const json& read) : text(read["text"]), record(read) {
    for (const auto& pair : read["before"])
      before.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
  }
  std::vector<PastTurn> past() const {
    std::vector<PastTurn> past;
    for (const auto& [one, other] : before) past.push_back({one, other});
    return past;
  }

  std::string text;
  std::vector<std::pair<std::string, std::string>> before;
  json record;
};

std::vector<Golden> goldens(AdapterKind kind) {
  const auto text =
      read_file("tests/golden/adapters/" + std::string(name(kind)) + ".json", 4 << 20);
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
float largest_difference(AdapterKind kind, Precision precision) {
  float largest = 0;
  for (const Golden& golden : goldens(kind)) {
    const auto reading = read_with(adapter(kind), encoder(precision), golden.text, golden.past());
    if (!reading) {
      ADD_FAILURE() << reading.error().text();
      return 1;
    }
    for (const AdapterHead& head : adapter(kind).heads()) {
      const auto& expected = golden.record["probabilities"][head.name];
      for (size_t i = 0; i < head.labels.size(); ++i) {
        const float found = probability(reading->head(head.name), head.labels[i]);
        largest = std::max(largest, std::abs(found - expected[i].get<float>()));
      }
    }
  }
  return largest;
}

class AdaptedReadings : public testing::TestWithParam<AdapterKind> {};

TEST_P(AdaptedReadings, ReadTheSameWordPiecesAsTheTraining) {
  const auto all = goldens(GetParam());
  ASSERT_GE(all.size(), 50u);
  size_t behind_others = 0;
  for (const Golden& golden : all) {
    const auto past = golden.past();
    const AdapterInput input = adapter_input(
        adapter(GetParam()), encoder(Precision::kFloat32).tokenizer(), golden.text, past);
    EXPECT_EQ(input.ids, golden.record["ids"].get<std::vector<int32_t>>()) << golden.text;
    EXPECT_EQ(input.start, golden.record["start"].get<size_t>()) << golden.text;
    behind_others += past.empty() ? 0 : 1;
  }
  // What asks for figures is read by itself.
  EXPECT_GE(behind_others, GetParam() == AdapterKind::kTally ? 0u : 5u);
}

TEST_P(AdaptedReadings, ProbabilitiesEqualTheTraining) {
  EXPECT_LE(largest_difference(GetParam(), Precision::kFloat32), 2e-3f);
}

TEST_P(AdaptedReadings, Int8StaysClose) {
  if (!MiniLmEmbedder::int8_available()) return;
  EXPECT_LE(largest_difference(GetParam(), Precision::kInt8), 0.2f);
}

INSTANTIATE_TEST_SUITE_P(Each, AdaptedReadings, testing::ValuesIn(kAdapterKinds),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST(AdaptedReading, SpansAreThoseOfTheTraining) {
  for (const Golden& golden : goldens(AdapterKind::kQuestion)) {
    const auto& encoded = encoder(Precision::kFloat32);
    const auto input = adapter_input(adapter(), encoded.tokenizer(), golden.text, golden.past());
    const auto reading = read_with(adapter(), encoded, golden.text, golden.past());
    ASSERT_TRUE(reading);
    const auto tags = golden.record["tags"].get<std::vector<size_t>>();
    ASSERT_EQ(tags.size(), input.own.size());
    for (size_t i = 0; i < tags.size(); ++i) {
      const std::string_view tag = adapter().tags().labels[tags[i]];
      std::string_view kind;
      for (const ReadSpan& span : reading->spans)
        if (span.begin <= input.own[i].begin && input.own[i].end <= span.end) kind = span.kind;
      EXPECT_EQ(kind, tag == "O" ? "" : tag.substr(2)) << golden.text << " piece " << i;
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
  const auto reader =
      AdapterReader::open(AdapterKind::kQuestion, encoder(Precision::kFloat32)).value();
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
