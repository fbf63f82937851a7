// Hostile and damaged adapters are refused with a message that names what is wrong.
#include "embed/adapter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

namespace precedent {
namespace {

using nlohmann::json;

// An adapter in parts, to be damaged one by one.
struct Parts {
  std::map<std::string, std::vector<int64_t>> shapes;
  json metadata = {{"format", "precedent-adapter/1"},
                   {"kind", "question"},
                   {"base", "all-MiniLM-L6-v2"},
                   {"rank", "8"},
                   {"first_layer", "4"},
                   {"context_turns", "2"},
                   {"context_pieces", "20"}};
  json heads = json::array({{{"name", "type"},
                             {"labels", {"a", "b", "c"}},
                             {"several", false},
                             {"temperature", 1.5},
                             {"sure_from", 0.6}},
                            {{"name", "tags"},
                             {"labels", {"O", "B-x"}},
                             {"several", false},
                             {"temperature", 1},
                             {"sure_from", 0}}});
  std::string dtype = "F16";
  uint16_t fill = 0x3C00;  // 1.0

  Parts() {
    for (const char* layer : {"4", "5"}) {
      for (const char* product : {"query", "key", "value", "output"}) {
        shapes[fmt::format("layers.{}.{}.a", layer, product)] = {8, 384};
        shapes[fmt::format("layers.{}.{}.b", layer, product)] = {384, 8};
      }
    }
    shapes["heads.type.weight"] = {3, 384};
    shapes["heads.type.bias"] = {3};
    shapes["heads.tags.weight"] = {2, 384};
    shapes["heads.tags.bias"] = {2};
  }

  std::string file() const {
    json header;
    size_t bytes = 0;
    for (const auto& [name, shape] : shapes) {
      size_t size = 2;
      for (const int64_t n : shape) size *= static_cast<size_t>(n);
      header[name] = {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {bytes, bytes + size}}};
      bytes += size;
    }
    header["__metadata__"] = metadata;
    if (!heads.is_discarded()) header["__metadata__"]["heads"] = heads.dump();
    const std::string text = header.dump();
    const uint64_t length = text.size();
    std::string file(sizeof length, '\0');
    std::memcpy(file.data(), &length, sizeof length);
    file += text;
    std::vector<uint16_t> numbers(bytes / 2, fill);
    file.append(reinterpret_cast<const char*>(numbers.data()), bytes);
    return file;
  }
};

Result<Adapter> parse(const std::string& file) {
  return Adapter::parse(std::as_bytes(std::span(file)), "question.safetensors");
}

TEST(Adapter, ReadsUpdatesHeadsAndLabels) {
  const auto adapter = parse(Parts().file());
  ASSERT_TRUE(adapter) << adapter.error().text();
  EXPECT_EQ(adapter->kind(), "question");
  ASSERT_EQ(adapter->heads().size(), 1u);
  EXPECT_EQ(adapter->heads()[0].labels, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_FLOAT_EQ(adapter->heads()[0].temperature, 1.5f);
  EXPECT_EQ(adapter->tags().labels.size(), 2u);
  EXPECT_EQ(adapter->updates().of(3), nullptr);
  ASSERT_NE(adapter->updates().of(4), nullptr);
  EXPECT_FLOAT_EQ(adapter->updates().of(5)->output.b[7], 1.0f);
}

TEST(Adapter, RefusesWhatItCannotApplyAndSaysWhy) {
  const auto damaged = [](auto damage) {
    Parts parts;
    damage(parts);
    return parts.file();
  };
  const std::pair<std::string, std::string_view> cases[] = {
      {"", "too short"},
      {Parts().file().substr(0, 500), "does not fit"},
      {Parts().file().substr(0, 40'000), "lies at"},
      {damaged([](Parts& p) { p.metadata = json::object(); }), "the metadata lack 'format'"},
      {damaged([](Parts& p) { p.metadata["format"] = "precedent-adapter/2"; }),
       "format is 'precedent-adapter/2'"},
      {damaged([](Parts& p) { p.metadata["base"] = "bge-small"; }), "base is 'bge-small'"},
      {damaged([](Parts& p) { p.metadata["rank"] = "16"; }), "rank is '16'"},
      {damaged([](Parts& p) { p.metadata["first_layer"] = "-1"; }), "first_layer is no count"},
      {damaged([](Parts& p) { p.metadata["context_turns"] = "4000000000000"; }),
       "context_turns is no count"},
      {damaged([](Parts& p) { p.metadata["context_pieces"] = "100"; }), "leave no room"},
      {damaged([](Parts& p) { p.heads = json(7); }), "heads is no list"},
      {damaged([](Parts& p) { p.heads[0].erase("labels"); }), "lacks one of name, labels"},
      {damaged([](Parts& p) { p.heads[0]["labels"] = json::array(); }), "no list of 1 to 64"},
      {damaged([](Parts& p) { p.heads[0]["labels"][1] = std::string(65, 'x'); }), "no text of 1"},
      {damaged([](Parts& p) { p.heads[0]["labels"].push_back("d"); }),
       "'heads.type.weight' is F16 3×384, expected F16 4×384"},
      {damaged([](Parts& p) { p.heads[0]["temperature"] = 0; }), "temperature is not within"},
      {damaged([](Parts& p) { p.heads[0]["sure_from"] = 1.5; }), "sure_from is not within"},
      {damaged([](Parts& p) { p.shapes.erase("layers.5.key.b"); }), "'layers.5.key.b' is missing"},
      {damaged([](Parts& p) { p.shapes["layers.5.key.b"] = {8, 384}; }), "expected F16 384×8"},
      {damaged([](Parts& p) { p.dtype = "I16"; }), "is I16"},
      {damaged([](Parts& p) { p.fill = 0x7C00; }), "not finite"},
  };
  for (const auto& [file, named] : cases) {
    const auto adapter = parse(file);
    ASSERT_FALSE(adapter) << named;
    EXPECT_EQ(adapter.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(adapter.error().message.find(named), std::string::npos) << adapter.error().message;
    EXPECT_NE(adapter.error().message.find("restore adapters/"), std::string::npos)
        << adapter.error().message;
  }
}

TEST(Adapter, EveryCutOfTheFileIsRefused) {
  const std::string file = Parts().file();
  for (size_t length = 0; length < file.size(); length += 997)
    EXPECT_FALSE(parse(file.substr(0, length))) << length;
}

TEST(Adapter, HalvesAreExact) {
  EXPECT_EQ(half_to_float(0x3C00), 1.0f);
  EXPECT_EQ(half_to_float(0xC000), -2.0f);
  EXPECT_EQ(half_to_float(0x7BFF), 65504.0f);
  EXPECT_EQ(half_to_float(0x0001), std::ldexp(1.0f, -24));
  EXPECT_EQ(half_to_float(0x83FF), -1023 * std::ldexp(1.0f, -24));
  EXPECT_TRUE(std::signbit(half_to_float(0x8000)));
  EXPECT_TRUE(std::isinf(half_to_float(0x7C00)));
  EXPECT_TRUE(std::isnan(half_to_float(0x7E00)));
}

}  // namespace
}  // namespace precedent
