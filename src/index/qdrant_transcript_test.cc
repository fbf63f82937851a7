// The fake Qdrant against the recording of a real one, where the developers' data lies beside the
// project: every call in order, every answer compared.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/strings.h"
#include "files/files.h"
#include "index/qdrant_fake.h"
#include "index/qdrant_points.h"

namespace precedent {
namespace {

using nlohmann::json;

// What no two servers say alike: counters, times, names of snapshots, and settings that the fake
// does not have.
bool is_incidental(const std::string& key) {
  constexpr std::string_view kKeys[] = {"operation_id",
                                        "version",
                                        "commit",
                                        "size",
                                        "checksum",
                                        "creation_time",
                                        "optimizer_status",
                                        "indexed_vectors_count",
                                        "segments_count",
                                        "hnsw_config",
                                        "optimizer_config",
                                        "wal_config",
                                        "update_queue",
                                        "quantization_config",
                                        "replication_factor",
                                        "write_consistency_factor",
                                        "on_disk_payload"};
  return std::ranges::find(kKeys, key) != std::end(kKeys);
}

// Where the JSON ended or went wrong is told by the parser, which is another one.
std::string without_place(const std::string& text) {
  return text.substr(0, text.find(" at line "));
}

// Lists of hits: points that tie may change places.
void sort_ties(json& list) {
  if (!list.is_array() || list.empty() || !list[0].is_object() || !list[0].contains("score"))
    return;
  std::stable_sort(list.begin(), list.end(), [](const json& a, const json& b) {
    const double x = a["score"].get<double>(), y = b["score"].get<double>();
    if (std::abs(x - y) > 1e-5) return x > y;
    return foreign::member(a, "id").dump() < foreign::member(b, "id").dump();
  });
}

void expect_alike(json said, json recorded, const std::string& where) {
  SCOPED_TRACE(where);
  if (recorded.is_object()) {
    ASSERT_TRUE(said.is_object()) << said.dump();
    for (const auto& [key, value] : recorded.items()) {
      if (is_incidental(key)) continue;
      ASSERT_TRUE(said.contains(key)) << key << " is missing in " << said.dump();
      if (key == "name" && where.contains("snapshot")) continue;
      expect_alike(said[key], value, where + "." + key);
    }
    for (const auto& [key, value] : said.items())
      EXPECT_TRUE(recorded.contains(key)) << key << " was not said by the server";
    return;
  }
  if (recorded.is_array()) {
    ASSERT_TRUE(said.is_array() && said.size() == recorded.size()) << said.dump();
    sort_ties(said);
    sort_ties(recorded);
    for (size_t i = 0; i < recorded.size(); ++i)
      expect_alike(said[i], recorded[i], fmt::format("{}[{}]", where, i));
    return;
  }
  if (recorded.is_number_float()) {
    EXPECT_NEAR(said.get<double>(), recorded.get<double>(), 1e-5);
  } else if (recorded.is_string() && said.is_string()) {
    EXPECT_EQ(without_place(said.get<std::string>()), without_place(recorded.get<std::string>()));
  } else {
    EXPECT_EQ(said, recorded);
  }
}

HttpRequest request_of(const json& recorded, const std::string& note) {
  HttpRequest request{.method = foreign::string_at(recorded, "method"),
                      .url = "http://localhost:6333" + foreign::string_at(recorded, "path")};
  for (const auto& [name, value] : recorded["headers"].items()) {
    std::string text = value.get<std::string>();
    if (text == "<key>") text = note == "wrong key" ? "another" : "k1";
    request.headers.push_back({name, text});
  }
  if (recorded.contains("body")) request.body = recorded["body"].dump();
  if (recorded.contains("raw")) request.body = foreign::string_at(recorded, "raw");
  return request;
}

// Where points tie at a limit, the server gave one, and the fake may give another: the scores alone
// are compared.
void forget_points(json& value) {
  if (value.is_object() && value.contains("score")) value = {{"score", value["score"]}};
  if (!value.is_structured()) return;
  for (json& part : value) forget_points(part);
}
bool ties_at_limit(const std::string& note) {
  return note == "fusion by rrf" || note == "batch of three lists";
}

TEST(QdrantTranscript, TheFakeAnswersAsTheServerDid) {
  const char* set = std::getenv("PRECEDENT_SHARED_DATA");
  const std::filesystem::path file =
      std::filesystem::path(set != nullptr ? set : "../shared/data") / "10_wire_specs" /
      "qdrant-1.18.3.transcript.jsonl";
  if (!std::filesystem::exists(file))
    GTEST_SKIP() << "no " << file << "; PRECEDENT_SHARED_DATA names another folder";
  const std::string text = *read_file(file, 10'000'000);
  QdrantFake fake("k1");
  const CancelToken cancel;
  size_t calls = 0, refusals = 0;
  for (const std::string_view line : split_lines(text)) {
    if (line.empty()) continue;
    const json call = parse_json(line);
    const std::string note = foreign::string_at(call, "note");
    SCOPED_TRACE(note);
    const auto response = fake.send(request_of(call["request"], note), {cancel});
    ASSERT_TRUE(response) << response.error().text();
    const json& answer = call["answer"];
    EXPECT_EQ(response->status, answer["status"].get<int>()) << response->body;
    ++calls;
    if (response->status >= 400) ++refusals;
    if (answer["body"].is_string()) {
      EXPECT_EQ(response->body, foreign::string_at(answer, "body"));
    } else {
      json said = parse_json(response->body), recorded = answer["body"];
      if (ties_at_limit(note)) {
        forget_points(said);
        forget_points(recorded);
      }
      expect_alike(std::move(said), std::move(recorded), note);
    }
  }
  EXPECT_EQ(calls, 92u);
  EXPECT_EQ(refusals, 31u);
}

}  // namespace
}  // namespace precedent
