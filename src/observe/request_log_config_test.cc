#include "observe/request_log_config.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

std::string read(std::string_view yaml, std::optional<std::string> variable = std::nullopt) {
  const auto file =
      read_request_log(yaml, "config/precedent.yaml", variable, "data/requests.jsonl");
  return file ? file->string() : file.error().message;
}

TEST(RequestLogConfig, IsInTheDataDirectoryUnlessSaid) {
  EXPECT_EQ(read(""), "data/requests.jsonl");
  EXPECT_EQ(read("model: {provider: offline}"), "data/requests.jsonl");
  EXPECT_EQ(read("log: {}"), "data/requests.jsonl");
}

TEST(RequestLogConfig, TheFileNamesAnotherOrNone) {
  EXPECT_EQ(read("log: {requests: /var/log/precedent.jsonl}"), "/var/log/precedent.jsonl");
  EXPECT_EQ(read("log: {requests: requests.jsonl}"), "config/requests.jsonl");
  EXPECT_EQ(read("log: {requests: off}"), "");
  EXPECT_EQ(read("log: {requests: OFF}"), "");
}

TEST(RequestLogConfig, TheEnvironmentWins) {
  EXPECT_EQ(read("log: {requests: off}", "here.jsonl"), "here.jsonl");
  EXPECT_EQ(read("log: {requests: here.jsonl}", "off"), "");
}

TEST(RequestLogConfig, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_EQ(read("log:\n  request: off\n"),
            "config/precedent.yaml:2: log.request is unknown; did you mean requests?");
  EXPECT_EQ(read("log:\n  requests: [off]\n"), "config/precedent.yaml:2: log.requests: is no text");
  EXPECT_EQ(read("log: off\n"),
            "config/precedent.yaml:1: log is no mapping; its keys are requests");
}

}  // namespace
}  // namespace precedent
