#include "observe/request_log.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/strings.h"
#include "base/utf8.h"
#include "files/files.h"
#include "files/temporary_folder.h"

namespace precedent {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

RequestRecord a_record() {
  RequestRecord record;
  record.request_id = "q-0123456789ab";
  record.at = std::chrono::sys_days(std::chrono::year(2026) / 11 / 20) + 9h + 30min + 5s + 42ms;
  record.thread_id = "t-1";
  record.status = "ok";
  record.question = "Why is /api/search slow?";
  record.intent = R"({"question_type":"debug_incident","subjects":["/api/search"]})";
  record.plan = R"([{"tool":"metrics_query","args":{"query":"metric=p95_latency"}}])";
  record.grounding = R"({"claims":4,"grounded":true})";
  record.usage = R"({"steps":2})";
  record.calls = {
      {"R1", "metrics_query", R"({"query":"metric=p95_latency"})", "p95 is 1.2 s", "ok", 12300us},
      {"R2", "doc_search", R"({"query":"search"})", "nothing", "empty", std::nullopt}};
  record.answer = "The p95 latency\n\n rose to 1.2 s.";
  record.took = 45600us;
  record.model_took = 30ms;
  return record;
}

TEST(RequestLog, HasEveryFieldUnderItsName) {
  const json line = json::parse(request_line(a_record()));
  EXPECT_EQ(line, json::parse(R"({
    "time": "2026-11-20T09:30:05.042Z", "request_id": "q-0123456789ab", "thread_id": "t-1",
    "status": "ok", "user_question": "Why is /api/search slow?",
    "intent_record": {"question_type": "debug_incident", "subjects": ["/api/search"]},
    "plan": [{"tool": "metrics_query", "args": {"query": "metric=p95_latency"}}],
    "tool_calls": [
      {"receipt": "R1", "tool": "metrics_query", "input": {"query": "metric=p95_latency"},
       "output_summary": "p95 is 1.2 s", "ms": 12.3, "status": "ok"},
      {"receipt": "R2", "tool": "doc_search", "input": {"query": "search"},
       "output_summary": "nothing", "ms": null, "status": "empty"}],
    "tool_calls_total": 2, "final_answer_summary": "The p95 latency rose to 1.2 s.",
    "grounding": {"claims": 4, "grounded": true}, "usage": {"steps": 2},
    "durations": {"total_ms": 45.6, "model_ms": 30.0}})"));
}

TEST(RequestLog, WhatIsNotThereIsNull) {
  const json line = json::parse(request_line({}));
  for (const char* key : {"thread_id", "intent_record", "plan", "grounding", "usage"})
    EXPECT_TRUE(line.at(key).is_null()) << key;
  EXPECT_TRUE(line["durations"]["model_ms"].is_null());
}

TEST(RequestLog, IsReadBackAsItWasWritten) {
  RequestRecord record = a_record();
  const auto read = parse_request_line(request_line(record));
  ASSERT_TRUE(read) << read.error().text();
  record.answer = "The p95 latency rose to 1.2 s.";  // on one line
  record.plan = read->plan;                          // the same JSON
  EXPECT_EQ(*read, record);
}

// A line end inside, for anybody who reads lines: C, Python's splitlines(), JavaScript.
bool one_line(std::string_view line) {
  for (const std::string_view end : {"\n", "\r", "\v", "\f", "\x1c", "\u0085", "\u2028", "\u2029"})
    if (line.find(end) != std::string_view::npos) return false;
  return true;
}

TEST(RequestLog, IsOneLineOfUtf8WhateverItHolds) {
  RequestRecord record = a_record();
  record.question = std::string("a\nb\r\nc\x1c d \xff\xfe \u0085\u2028\u2029\u202e\0 e", 27);
  record.answer = record.question;
  record.intent = json{{record.question, {record.question}}}.dump(-1, ' ', false,
                                                                  json::error_handler_t::replace);
  record.calls[0].output = record.calls[0].input = record.question;
  record.status = record.thread_id = record.request_id = record.question;
  const std::string line = request_line(record);
  EXPECT_TRUE(one_line(line)) << line;
  EXPECT_FALSE(invalid_utf8_at(line));
  EXPECT_FALSE(json::parse(line, nullptr, false).is_discarded());
}

TEST(RequestLog, SecretsAreTakenOutOfEveryField) {
  const std::string secret = "hunter2xyz";
  const std::string text = "login with password=" + secret;
  RequestRecord record = a_record();
  record.question = record.answer = text;
  record.intent = json{{"subjects", {text}}, {"password", secret}}.dump();
  record.plan =
      json{{{"args", {{"api_key", secret}, {"note", text}, {"pin", {4111111111111111}}}}}}.dump();
  record.grounding = record.usage = json{{"x", text}}.dump();
  record.calls[0].input = json{{"query", text}, {"token", secret}}.dump();
  record.calls[0].output = text;
  record.calls[1].input = text;
  const std::string line = request_line(record);
  EXPECT_EQ(line.find(secret), std::string::npos) << line;
  EXPECT_EQ(line.find("4111111111111111"), std::string::npos) << line;
  EXPECT_NE(line.find("[redacted"), std::string::npos);
}

TEST(RequestLog, LongTextsAreCutBetweenCharactersWithAMark) {
  RequestRecord record = a_record();
  for (size_t shift = 0; shift < 3; ++shift) {
    record.question = std::string(shift, 'x');
    for (int i = 0; i < 5000; ++i) record.question += "€";
    const json line = json::parse(request_line(record));
    const std::string cut = line["user_question"];
    EXPECT_LE(cut.size(), 4096u);
    EXPECT_TRUE(cut.ends_with(std::to_string(record.question.size()) + " bytes in all]")) << cut;
  }
}

TEST(RequestLog, NoLineIsLongerThanTheLimit) {
  RequestRecord record = a_record();
  // Each byte of a text becomes two in JSON.
  const std::string long_text(100'000, '"');
  json intent = {{"question_type", "debug_incident"}};
  for (int i = 0; i < 500; ++i) intent["subjects"].push_back(long_text.substr(0, 1000));
  json deep = "bottom";
  for (int i = 0; i < 1000; ++i) deep = json::array({deep, long_text.substr(0, 100)});
  record.question = record.answer = record.status = long_text;
  record.intent = intent.dump();
  record.plan = record.usage = deep.dump();
  // Deeper than a stack could copy it, and with more keys than can be compared each with each.
  record.grounding =
      "{\"grounded\":true,\"x\":" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}";
  record.calls.assign(100, {long_text, long_text, intent.dump(), long_text, "ok", 1ms});
  json keys;
  for (int i = 0; i < 100'000; ++i) keys[std::to_string(i)] = i;
  record.calls[0].input = keys.dump();
  const std::string line = request_line(record);
  EXPECT_LT(line.size(), kMaxRequestLine);
  const json object = json::parse(line);
  EXPECT_EQ(object["tool_calls_total"], 100);
  EXPECT_EQ(object["intent_record"]["question_type"], "debug_incident");
  EXPECT_EQ(object["grounding"]["grounded"], true);
  EXPECT_EQ(grounded(*parse_request_line(line)), true);
}

TEST(RequestLog, WhatIsNoRecordIsRefusedByField) {
  const auto why = [](std::string_view line) {
    const auto read = parse_request_line(line);
    return read ? "read" : read.error().message;
  };
  EXPECT_EQ(why("{"), "is not valid JSON");
  EXPECT_EQ(why("[]"), "is not a JSON object");
  EXPECT_EQ(why("{}"), "'time' is missing or no time");
  const std::string time = R"({"time":"2026-11-20T09:30:05.042Z",)";
  EXPECT_EQ(why(time + R"("tool_calls":{}})"), "'tool_calls' is no list");
  EXPECT_EQ(why(time + R"("tool_calls":[1]})"), "'tool_calls' holds what is no object");
  EXPECT_EQ(why(time + R"("durations":{"total_ms":-1}})"), "'total_ms' is no duration");
  EXPECT_EQ(why(time + R"("durations":{"total_ms":"x"}})"), "'total_ms' is no duration");
  EXPECT_EQ(why(time + R"("future":{"field":1}})"), "read");
  // What is nested deeper than any record is left out: it would be walked by recursion.
  const auto deep = parse_request_line(time + "\"plan\":" + std::string(15'000, '[') +
                                       std::string(15'000, ']') + "}");
  ASSERT_TRUE(deep);
  EXPECT_LT(deep->plan.size(), 2 * 64u);
}

TEST(RequestLog, LinesOfSeveralProcessesDoNotMix) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "requests.jsonl";
  constexpr int kProcesses = 4, kLines = 50;
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    const pid_t child = ::fork();
    if (child == 0) {
      RequestRecord record = a_record();
      record.question = std::string(4000, static_cast<char>('a' + p));
      bool good = true;
      for (int i = 0; i < kLines; ++i) good = append_request(file, record).has_value() && good;
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  std::ifstream in(file);
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    const auto read = parse_request_line(line);
    ASSERT_TRUE(read) << line;
    EXPECT_EQ(read->question, std::string(4000, read->question[0]));
  }
  EXPECT_EQ(lines, kProcesses * kLines);
}

TEST(RequestLog, AFileThatWasMovedAwayIsBegunAnew) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "requests.jsonl";
  ASSERT_TRUE(append_request(file, a_record()));
  std::filesystem::rename(file, folder.path() / "requests.jsonl.1");
  ASSERT_TRUE(append_request(file, a_record()));
  EXPECT_EQ(std::filesystem::file_size(file),
            std::filesystem::file_size(folder.path() / "requests.jsonl.1"));
}

}  // namespace
}  // namespace precedent
