#include "investigate/bundle.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "files/temporary_folder.h"
#include "investigate/case_graph.h"
#include "investigate/knowledge/knowledge.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const Instant kBegin{std::chrono::seconds(1'790'000'040)};

// label begins to fail at minute 60, a minute after a commit that took a check out went live.
class BundleTest : public ::testing::Test {
 protected:
  BundleTest() {
    fs::create_directories(evidence() / "context");
    std::string rows = "timestamp,service,metric,value\n";
    for (int i = 0; i < 90; ++i)
      rows += fmt::format("{},label,http_errors_ratio,{}\n", at(i),
                          (i < 60 ? 0.001 : 0.6) * (1 + 0.01 * (i * 7 % 5)));
    write("metrics.csv", rows);
    std::string logs;
    for (int i = 60; i < 90; ++i)
      logs +=
          fmt::format(
              R"({{"timestamp":"{}","service":"label","level":"error","msg":"panic: nil pointer dereference in zone","token":"ghp_{}"}})",
              at(i), std::string(36, 'a')) +
          "\n";
    write("logs.ndjson", logs);
    const std::string sha(40, 'a');
    write("context/commits.json",
          json::array({{{"sha", sha},
                        {"timestamp", at(50)},
                        {"message", "simplify zone"},
                        {"files_changed", {"services/label/zone.go"}},
                        {"diff",
                         "@@ func zone(a *Address) string {\n-\tif a.Region == nil {\n"
                         "-\t\treturn home\n-\t}\n \treturn a.Region.Zone\n"}}})
              .dump());
    write("context/deploys.json",
          json::array({{{"timestamp", at(59)}, {"service", "label"}, {"commit_sha", sha}}}).dump());
    brief_.title = "label fails", brief_.service = "label";
    brief_.fired_at = kBegin + std::chrono::minutes(65);
    options_.now = std::chrono::floor<std::chrono::seconds>(kBegin + std::chrono::minutes(90));
  }
  static std::string at(int minute) { return format_time(kBegin + std::chrono::minutes(minute)); }
  fs::path evidence() const { return folder_.path() / "evidence"; }
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(evidence() / name) << text;
  }
  std::string bundle() {
    const auto key = BundleKey::open_or_make(folder_.path() / "bundle.key");
    EXPECT_TRUE(key) << key.error().text();
    auto made = investigate(brief_, evidence(), options_, SourceContext{cancel_});
    EXPECT_TRUE(made);
    made->documents = documents_;
    add_ownership(options_.now, *made);
    const auto text = make_bundle({brief_, evidence(), options_, "test"}, *made, *key);
    EXPECT_TRUE(text) << text.error().text();
    return *text;
  }
  // What was signed, changed, and signed again by whoever has the key.
  std::string forged(const std::function<void(json&)>& change) {
    const auto key = BundleKey::open_or_make(folder_.path() / "bundle.key").value();
    json inner = parse_json(parse_json(bundle())["bundle"].get<std::string>());
    change(inner);
    const std::string text = inner.dump();
    return json{
        {"bundle", text}, {"public_key", key.public_key()}, {"signature", key.sign(text).value()}}
        .dump();
  }

  const TemporaryFolder folder_;
  const CancelToken cancel_;
  IncidentBrief brief_;
  GatherOptions options_;
  std::vector<ServiceDocument> documents_;
};

TEST_F(BundleTest, EveryClaimHoldsElsewhere) {
  const std::string text = bundle();
  fs::remove_all(evidence());
  const auto check = check_bundle(text, cancel_);
  ASSERT_TRUE(check) << check.error().text();
  EXPECT_THAT(check->summary, HasSubstr("aaaaaaaaaa"));
  EXPECT_EQ(check->program, "test");
  EXPECT_GT(check->claims.size(), 10U);
  for (const CheckedClaim& claim : check->claims)
    EXPECT_TRUE(claim.holds) << claim.claim << ": " << claim.was << " / " << claim.now;
  EXPECT_THAT(text, Not(HasSubstr("ghp_aaaa"))) << "secrets stay at home";
}

TEST_F(BundleTest, AClaimThatTheEvidenceDoesNotBearFails) {
  const auto lied = check_bundle(
      forged([](json& inner) { inner["report"]["first_failing_service"] = "web"; }), cancel_);
  ASSERT_TRUE(lied) << lied.error().text();
  EXPECT_EQ(lied->failed(), 1U);
  // And so do those whose evidence is another.
  const auto other = check_bundle(
      forged([](json& inner) { inner["files"]["context/commits.json"] = "[]"; }), cancel_);
  ASSERT_TRUE(other) << other.error().text();
  EXPECT_GT(other->failed(), 0U);
}

TEST_F(BundleTest, OwnersAreReadAgainFromTheirDocuments) {
  const auto owned = [&](const std::function<void(json&)>& change) {
    documents_ = {{"own-1",
                   "Team Parcels",
                   "own.md",
                   {"label"},
                   true,
                   {{"## Details\n\n- Team: Parcels\n- Oncall: parcels-primary", true, 0, 0}}},
                  {"arch-1",
                   "How parcels leave",
                   "flow.md",
                   {"courier"},
                   false,
                   {{"- Dependencies: label, parcels-db", true, 0, 0}}}};
    const auto check = check_bundle(forged(change), cancel_);
    EXPECT_TRUE(check) << check.error().text();
    std::vector<std::string> failed;
    for (const CheckedClaim& claim : check->claims)
      if (!claim.holds) failed.push_back(claim.claim);
    return failed;
  };
  EXPECT_THAT(owned([](json& inner) {
                EXPECT_EQ(inner["report"]["owners"][0]["title"], "Team Parcels");
                EXPECT_EQ(inner["report"]["downstream"][0]["service"], "courier");
              }),
              IsEmpty());
  EXPECT_THAT(owned([](json& inner) { inner["report"]["owners"][0]["says"] = "Team: Mallory"; }),
              ElementsAre("owner of label: Team Parcels"));
  EXPECT_THAT(owned([](json& inner) { inner["report"]["owners"][0]["title"] = "Team Mallory"; }),
              ElementsAre("owner of label: Team Mallory"));
  EXPECT_THAT(owned([](json& inner) { inner["report"]["downstream"][0]["on"] = "web"; }),
              ElementsAre("courier is downstream of web"));
  // A document that does not list the service any more bears no owner.
  EXPECT_THAT(owned([](json& inner) { inner["documents"][0]["services"] = {"printer"}; }),
              Contains("owner of label: Team Parcels"));
}

TEST_F(BundleTest, EarlierVersionsAreStillChecked) {
  const auto check = check_bundle(forged([](json& inner) {
                                    inner["version"] = 1;
                                    inner.erase("documents");
                                    inner["asked"].erase("answers");
                                  }),
                                  cancel_);
  ASSERT_TRUE(check) << check.error().text();
  EXPECT_EQ(check->failed(), 0U);
  const auto second = check_bundle(forged([](json& inner) {
                                     inner["version"] = 2;
                                     inner.erase("known");
                                   }),
                                   cancel_);
  ASSERT_TRUE(second) << second.error().text();
  EXPECT_EQ(second->failed(), 0U);
  EXPECT_FALSE(check_bundle(forged([](json& inner) { inner["version"] = 4; }), cancel_));
}

TEST_F(BundleTest, WhatWasChangedIsNotTrusted) {
  const std::string text = bundle();
  std::string changed = text;
  changed.replace(changed.find("label fails"), 11, "label works");
  EXPECT_EQ(check_bundle(changed, cancel_).error().code, ErrorCode::kCorrupt);
  json other = parse_json(text);
  other["public_key"] = std::string(64, '0');
  EXPECT_EQ(check_bundle(other.dump(), cancel_).error().code, ErrorCode::kCorrupt);
  for (const char* none : {"", "{}", "[]", R"({"bundle":"{}","public_key":"zz","signature":""})"})
    EXPECT_EQ(check_bundle(none, cancel_).error().code, ErrorCode::kCorrupt) << none;
}

TEST_F(BundleTest, NoFileLeavesItsFolder) {
  for (const char* name : {"../escaped.json", "/tmp/precedent-escaped.json", "a/../../b", ""}) {
    const auto check =
        check_bundle(forged([&](json& inner) { inner["files"][name] = "x"; }), cancel_);
    EXPECT_FALSE(check) << name;
    if (!check) {
      EXPECT_EQ(check.error().code, ErrorCode::kCorrupt) << name;
    }
  }
}

TEST_F(BundleTest, TheKeyIsMadeOnceAndKept) {
  const fs::path file = folder_.path() / "bundle.key";
  const auto first = BundleKey::open_or_make(file), second = BundleKey::open_or_make(file);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->public_key(), second->public_key());
  EXPECT_EQ(fs::status(file).permissions() & fs::perms::others_all, fs::perms::none);
  std::ofstream(file) << "no key";
  EXPECT_EQ(BundleKey::open_or_make(file).error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace precedent
