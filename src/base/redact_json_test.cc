#include "base/redact_json.h"

#include <gtest/gtest.h>

#include <map>

namespace precedent {
namespace {

TEST(RedactJson, JudgesEachValueWithItsKey) {
  EXPECT_EQ(redact_json(R"({"query": "disk", "db_password": "hunter2"})"),
            R"({"query":"disk","db_password":"[redacted:password]"})");
  EXPECT_EQ(redact_json(R"({"query":"set password=\"hunter2 x\" now"})"),
            R"({"query":"set password=\"[redacted:password]\" now"})");
  EXPECT_EQ(redact_json(R"(["AKIAIOSFODNN7EXAMPLE"])"), R"(["[redacted:aws-key]"])");
  EXPECT_EQ(redact_json(R"({"a":{"token":["abcdef0123456789"]}})"),
            R"({"a":{"token":["[redacted:secret]"]}})");
}

TEST(RedactJson, WhatHoldsNoSecretIsTheSameText) {
  for (const char* text : {R"({"query": "disk", "a":1})", "{ }", R"([1.0, "x"])"})
    EXPECT_EQ(redact_json(text), text);
}

TEST(RedactJson, WhatIsNoJsonIsText) {
  EXPECT_EQ(redact_json("{query: password=hunter2"), "{query: password=[redacted:password]");
  std::string deep(100, '['), expected = deep;
  EXPECT_EQ(redact_json(deep.append("AKIAIOSFODNN7EXAMPLE")),
            expected.append("[redacted:aws-key]"));
}

TEST(RedactJson, ASecretThatHidesBetweenInvisibleCharactersIsFound) {
  EXPECT_EQ(redact_json("{\"q\":\"AKIA\u200bIOSFODNN7EXAMPLE\"}"), R"({"q":"[redacted:aws-key]"})");
}

TEST(RedactJson, ARecordAboutASecretHidesItsValues) {
  EXPECT_EQ(
      redact_json(R"({"key":"TIDE_DB_PASSWORD","from":"old one","to":["newSecret2"],"by":"ann"})"),
      R"({"key":"TIDE_DB_PASSWORD","from":"[redacted:password]","to":["[redacted:password]"],"by":"ann"})");
  EXPECT_EQ(redact_json(R"({"db_password":123456,"port":5432})"),
            R"({"db_password":"[redacted:password]","port":5432})");
  for (const char* text : {R"({"key":"POOL_SIZE","from":"20","to":"a1B2c3D4e5"})",
                           R"({"name":"DB_PASSWORD","from":{"secret":{"name":"db"}},"port":1})"})
    EXPECT_EQ(redact_json(text), text);
}

TEST(RedactJson, WhatIsJsonButForAControlCharacterIsReadAsJson) {
  const std::string record = std::string(R"({"key":"DB_PASSWORD","to":"x)") + '\x1f' + R"(1"})";
  const std::string clean = redact_json(record);
  EXPECT_EQ(clean, R"({"key":"DB_PASSWORD","to":"[redacted:password]"})");
  EXPECT_EQ(redact_json(clean), clean);
}

TEST(RedactFields, ARecordAboutASecretHidesItsValues) {
  using Fields = std::map<std::string, std::string>;
  EXPECT_EQ(
      redact_fields(Fields{{"key", "DB_PASSWORD"}, {"new", "x1"}, {"old", "x0"}, {"by", "ann"}}),
      (Fields{{"key", "DB_PASSWORD"},
              {"new", "[redacted:password]"},
              {"old", "[redacted:password]"},
              {"by", "ann"}}));
  EXPECT_EQ(redact_fields(Fields{{"api_token", "abcdef0123456789"}, {"new", "x1"}}),
            (Fields{{"api_token", "[redacted:secret]"}, {"new", "x1"}}));
}

TEST(RedactValue, KnowsTheNameOfASetting) {
  EXPECT_EQ(redact_value("password", "hunter2"), "[redacted:password]");
  EXPECT_EQ(redact_value("summary", "hunter2"), "hunter2");
  EXPECT_EQ(redact_value("", "password: rotated by the team"), "password: rotated by the team");
}

}  // namespace
}  // namespace precedent
