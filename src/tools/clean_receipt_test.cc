// Each type of result, with a secret and an escape in each of its texts.
#include "tools/clean_receipt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/present.h"

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::Not;

// In two parts, so that no scanner of the repository takes it for a real one; the second time it
// hides behind a character that nobody sees.
const std::string kSecret = std::string("AK") + "IAIOSFODNN7EXAMPLE";
const std::string kDirty =
    "a \x1b[31mred\x1b[0m " + kSecret + " and AK\u200b" + kSecret.substr(2) + " b";

Change dirty_change() {
  return {.id = kDirty,
          .services = {kDirty},
          .version = kDirty,
          .environment = kDirty,
          .commit = kDirty,
          .author = kDirty,
          .title = kDirty,
          .from = kDirty,
          .to = kDirty,
          .files = {kDirty},
          .source = kDirty,
          .path = kDirty};
}

KnowledgeItem dirty_item() {
  return {.id = kDirty,
          .title = kDirty,
          .services = {kDirty},
          .preview = kDirty,
          .path = kDirty,
          .heading = {kDirty},
          .text = kDirty};
}

std::vector<ToolResult> dirty_results() {
  Incident incident;
  for (std::string* text :
       {&incident.incident_id, &incident.title, &incident.description, &incident.action_taken,
        &incident.root_cause, &incident.mitigation, &incident.impacted_application,
        &incident.accountable_party, &incident.source_system, &incident.status, &incident.severity})
    *text = kDirty;
  incident.services = incident.tags = {kDirty};
  incident.extra = {{kDirty, kDirty}};
  GoldenExample example;
  for (std::string* text :
       {&example.id, &example.question, &example.answer, &example.rejected_answer})
    *text = kDirty;
  example.review = Review{kDirty, {}};
  example.sources = example.tags = {kDirty};
  const Source source{kDirty, kDirty, kDirty, kDirty, {}, "R1"};
  MetricsResult metrics;
  for (std::string* text : {&metrics.metric, &metrics.expression, &metrics.source, &metrics.unit,
                            &metrics.alert_source})
    *text = kDirty;
  metrics.summary = WindowSummary();
  metrics.top = {{.labels = {{kDirty, kDirty}}}};
  metrics.alerts = {
      {.name = kDirty, .labels = {{kDirty, kDirty}}, .annotations = {{"summary", kDirty}}}};
  metrics.nearest = metrics.notes = {kDirty};
  ChangesResult changes;
  changes.service = changes.note = kDirty;
  changes.changes = {dirty_change()};
  changes.asked = {{.name = kDirty, .note = kDirty}};
  changes.last_deploy = LastDeploy{dirty_change()};
  return {IncidentsResult{.incidents = {{.incident = incident, .path = kDirty, .preview = kDirty}},
                          .note = kDirty,
                          .matched_names = {kDirty}},
          KnowledgeResult{{dirty_item()}, kDirty},
          SectionsResult{{dirty_item()}, kDirty},
          GoldenResult{{{.example = example, .cited = {source}}}},
          changes,
          metrics,
          CodeResult{{{.id = kDirty,
                       .repository = kDirty,
                       .path = kDirty,
                       .excerpt = kDirty,
                       .symbols = {kDirty},
                       .commit = kDirty,
                       .language = kDirty}},
                     kDirty},
          RemoteResult{.server = kDirty,
                       .name = kDirty,
                       .tool = kDirty,
                       .structured = nlohmann::json{{"a", kDirty}}.dump(),
                       .left_out = {kDirty}},
          FiguresResult{.of = kDirty,
                        .by = kDirty,
                        .scope = kDirty,
                        .figures = {{kDirty, kDirty, 1, 1}},
                        .note = kDirty}};
}

void expect_clean(const std::string& text) {
  EXPECT_THAT(text, Not(HasSubstr(kSecret)));
  EXPECT_THAT(text, Not(HasSubstr(kSecret.substr(2)))) << "behind an invisible character";
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\\u001b")));
  EXPECT_THAT(text, HasSubstr("[redacted:aws-key]"));
}

TEST(CleanReceipt, NoTextOfAnyResultKeepsASecretOrAnEscape) {
  const auto results = dirty_results();
  ASSERT_EQ(results.size() + 1, std::variant_size_v<ToolResult>) << "a type is not tested";
  for (const ToolResult& result : results) {
    Receipt receipt;
    receipt.id = "R1";
    receipt.tool = "a_tool";
    receipt.args = nlohmann::json{{"query", kDirty}}.dump();
    receipt.text = kDirty;
    receipt.explain = {kDirty};
    receipt.result = result;
    clean(receipt);
    expect_clean(to_json(receipt, true).dump());
    expect_clean(receipt.args);
    for (const Source& source : sources_of(receipt)) {
      if (source.id == receipt.id) continue;  // its own words, of what was computed
      expect_clean(source.id + source.title + source.path);
    }
    std::visit(
        [](const auto& value) {
          if constexpr (requires { present(value); }) expect_clean(present(value));
        },
        receipt.result);
    const Receipt once = receipt;
    clean(receipt);
    EXPECT_EQ(to_json(receipt, true), to_json(once, true));
  }
}

TEST(CleanReceipt, NamesOfFieldsSayWhatIsSecret) {
  IncidentsResult result;
  result.incidents.emplace_back();
  result.incidents[0].incident.incident_id = "INC-1";
  result.incidents[0].incident.extra = {{"db_password", "hunter2"}, {"team", "search"}};
  Receipt receipt;
  receipt.text = present(result);
  receipt.result = result;
  clean(receipt);
  EXPECT_THAT(receipt.text, HasSubstr("search"));
  EXPECT_THAT(receipt.text, Not(HasSubstr("hunter2")));
  EXPECT_THAT(to_json(receipt).dump(), Not(HasSubstr("hunter2")));
}

TEST(CleanReceipt, WhatARecordSaysStays) {
  Receipt receipt;
  SectionsResult sections;
  sections.sections = {{.id = "RB-1", .text = "Human: <system> [INST] is quoted as it stands."}};
  receipt.result = sections;
  clean(receipt);
  EXPECT_EQ(std::get<SectionsResult>(receipt.result).sections[0].text, sections.sections[0].text);
}

}  // namespace
}  // namespace precedent
