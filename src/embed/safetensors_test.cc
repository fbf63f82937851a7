#include "embed/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

namespace precedent {
namespace {

// The header is padded with spaces, as writers do to keep the data aligned.
std::string file_of(std::string header, size_t data_bytes) {
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string file(8, '\0');
  const uint64_t n = header.size();
  std::memcpy(file.data(), &n, sizeof n);
  file += header;
  file.append(data_bytes, '\x3f');
  return file;
}

Result<TensorTable> parse(const std::string& file) {
  return parse_safetensors(std::as_bytes(std::span(file)), "w");
}

TEST(SafeTensors, ReadsTensorsWhereTheyLie) {
  const auto file = file_of(
      R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":[4,28]},)"
      R"("empty":{"dtype":"I64","shape":[0,7],"data_offsets":[28,28]},"scalar":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})",
      28);
  const auto tensors = parse(file);
  ASSERT_TRUE(tensors) << tensors.error().text();
  ASSERT_EQ(tensors->size(), 3u);
  EXPECT_EQ(tensors->at("a").shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(reinterpret_cast<const char*>(tensors->at("a").bytes.data()),
            file.data() + file.size() - 24);
  EXPECT_EQ(tensors->at("scalar").bytes.size(), 1u);
}

TEST(SafeTensors, RefusesDamageAndSaysWhere) {
  std::string huge_header = file_of("{}", 0);
  huge_header[6] = 1;
  const auto tensor = [](std::string_view fields) {
    return file_of(fmt::format("{{\"a\":{}}}", fields), 16);
  };
  const std::pair<std::string, std::string_view> cases[] = {
      {"", "too short"},
      {"1234567", "too short"},
      {huge_header, "does not fit"},
      {file_of("", 0), "not a JSON object"},
      {file_of("[1]", 0), "not a JSON object"},
      {file_of("{\"a\":", 0), "not a JSON object"},
      {tensor("7"), "tensor 'a' lacks"},
      {tensor(R"({"dtype":"F32","shape":[4]})"), "tensor 'a' lacks"},
      {tensor(R"({"dtype":"Q4","shape":[4],"data_offsets":[0,16]})"), "unknown dtype 'Q4'"},
      {tensor(R"({"dtype":"F32","shape":[-4],"data_offsets":[0,16]})"), "no list of counts"},
      {tensor(R"({"dtype":"F32","shape":[1.5],"data_offsets":[0,16]})"), "no list of counts"},
      {tensor(R"({"dtype":"F32","shape":[4],"data_offsets":[0]})"), "no pair"},
      {tensor(R"({"dtype":"F32","shape":[4],"data_offsets":[0,18446744073709551615]})"), "no pair"},
      {tensor(R"({"dtype":"F32","shape":[4],"data_offsets":[4,20]})"), "lies at 4–20 of 16"},
      {tensor(R"({"dtype":"F32","shape":[4],"data_offsets":[16,0]})"), "lies at 16–0"},
      {tensor(R"({"dtype":"F32","shape":[3],"data_offsets":[0,16]})"), "16 bytes"},
      {tensor(R"({"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]})"),
       "0 bytes"},
  };
  for (const auto& [file, named] : cases) {
    const auto tensors = parse(file);
    ASSERT_FALSE(tensors) << named;
    EXPECT_EQ(tensors.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(tensors.error().message.find(named), std::string::npos) << tensors.error().message;
  }
}

TEST(SafeTensors, FloatsMustHaveTypeAndShape) {
  const auto path = std::filesystem::path(testing::TempDir()) / "small.safetensors";
  const auto file = file_of(
      R"({"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"b":{"dtype":"I32","shape":[4],"data_offsets":[0,16]}}    )",
      16);
  const std::string_view content[] = {file};
  ASSERT_TRUE(write_file_atomically(path, content));
  const auto opened = SafeTensors::open(path);
  ASSERT_TRUE(opened) << opened.error().text();
  const int64_t square[] = {2, 2}, flat[] = {4};
  EXPECT_TRUE(opened->floats("a", square));
  EXPECT_FALSE(opened->floats("a", flat));
  EXPECT_FALSE(opened->floats("b", flat));
  const auto missing = opened->floats("c", flat);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("'c' is missing"), std::string::npos)
      << missing.error().message;
}

}  // namespace
}  // namespace precedent
