#include "agent/state/state_codec.h"

#include <gtest/gtest.h>

#include "agent/state/copilot_state.h"

namespace precedent {
namespace {

TEST(StateCodec, ChangesComeBackAsTheyWereKept) {
  Change change;
  change.id = "deploys.jsonl:7";
  change.at = parse_time("2026-11-17T15:40:00Z").value();
  change.kind = ChangeKind::kRollback;
  change.services = {"search-service"};
  change.version = "2.30.4";
  change.environment = "production";
  change.commit = "a3ec5d6";
  change.author = "Clara Neumann";
  change.title = "Rollback of search-service to 2.30.4";
  change.from = "2.31.0";
  change.to = "2.30.4";
  change.files = {"a.py", "b.py"};
  change.files_total = 9;
  change.source = "deploys.jsonl";
  change.path = "logs/deploys.jsonl";
  change.line = 7;
  Change merged = change;
  merged.written = parse_time("2026-11-10T09:00:00Z").value();
  Change flag = change;
  flag.subject = "fast_path";
  flag.reverts = {"8f3b1c2"};
  ChangesResult kept{.service = "search-service",
                     .range = {change.at, std::nullopt},
                     .changes = {change, merged, flag},
                     .more = true,
                     .asked = {{"git:shop", 3, "a note", true}},
                     .last_deploy = LastDeploy{change, DeployEvidence::kTag},
                     .note = "note"};
  Receipt receipt;
  receipt.result = kept;
  ByteWriter out;
  FieldCodec<Receipt>::encode(receipt, out);
  ByteReader in(out.bytes());
  const Receipt read = FieldCodec<Receipt>::decode(in);
  const auto* result = std::get_if<ChangesResult>(&read.result);
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(result->service, kept.service);
  EXPECT_EQ(result->range, kept.range);
  EXPECT_EQ(result->changes, kept.changes);
  EXPECT_EQ(result->more, kept.more);
  EXPECT_EQ(result->asked, kept.asked);
  ASSERT_TRUE(result->last_deploy);
  EXPECT_EQ(result->last_deploy->change, change);
  EXPECT_EQ(result->last_deploy->evidence, DeployEvidence::kTag);
  EXPECT_EQ(result->note, kept.note);
}

TEST(StateCodec, EpisodesAndPastAlertsComeBackAndMayBeAbsent) {
  MetricsResult metric;
  metric.metric = "error_rate";
  Receipt receipt;
  receipt.result = metric;
  // What was kept before there were any: neither a time nor they.
  ByteWriter missing;
  missing.signed_number(-1);
  for (int i = 0; i < 3; ++i) missing.number(0);
  const std::string whole = encode_value(receipt);
  ASSERT_TRUE(whole.ends_with(missing.bytes()));
  const auto old = std::string_view(whole).substr(0, whole.size() - missing.bytes().size());
  EXPECT_EQ(std::get<MetricsResult>(decode_value<Receipt>(old)->result).metric, "error_rate");
  EXPECT_FALSE(decode_value<Receipt>(old)->took);

  const Instant at = parse_time("2026-11-19T20:04:00Z").value();
  metric.now_against = {{"the same time a day earlier", 2, 3, 1.5, 2.5}};
  metric.episodes = {
      {.from = at, .until = at + std::chrono::minutes(42), .usual = 1, .peak = 9, .peak_at = at}};
  metric.past_alerts = {{{.name = "BookingErrors", .starts_at = at}, at + std::chrono::hours(1)}};
  metric.silence = "no values";
  metric.combined = "mean of 7 series";
  metric.highest = {{{"pod", "a"}}, 7, at};
  metric.ceiling = 6.4;
  metric.total = {{312, 26010}};
  receipt.result = metric;
  const auto read = decode_value<Receipt>(encode_value(receipt));
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->took);
  const auto& result = std::get<MetricsResult>(read->result);
  ASSERT_EQ(result.now_against.size(), 1u);
  EXPECT_EQ(result.now_against[0].ratio, 3);
  EXPECT_EQ(result.now_against[0].high, 2.5);
  ASSERT_EQ(result.episodes.size(), 1u);
  EXPECT_EQ(result.episodes[0].until, at + std::chrono::minutes(42));
  EXPECT_EQ(result.episodes[0].peak, 9);
  ASSERT_EQ(result.past_alerts.size(), 1u);
  EXPECT_EQ(result.past_alerts[0].alert.name, "BookingErrors");
  EXPECT_EQ(result.past_alerts[0].ends_at, at + std::chrono::hours(1));
  EXPECT_EQ(result.silence, "no values");
  EXPECT_EQ(result.combined, "mean of 7 series");
  ASSERT_TRUE(result.highest);
  EXPECT_EQ(result.highest->labels.at("pod"), "a");
  EXPECT_EQ(result.highest->value, 7);
  EXPECT_FALSE(result.lowest);
  EXPECT_EQ(result.ceiling, 6.4);
  ASSERT_TRUE(result.total);
  EXPECT_EQ(result.total->count, 312);
  EXPECT_EQ(result.total->of, 26010);
}

TEST(StateCodec, WhenADocumentExpiredIsKeptAndMayBeAbsent) {
  Receipt receipt;
  SectionsResult sections;
  sections.sections.resize(2);
  receipt.result = sections;
  const std::string without = encode_value(receipt);
  sections.sections[1].expired_at = parse_time("2026-03-01").value();
  receipt.result = sections;
  const std::string with = encode_value(receipt);
  // What was kept before has the same bytes, and only those.
  EXPECT_TRUE(with.starts_with(without));
  EXPECT_FALSE(
      std::get<SectionsResult>(decode_value<Receipt>(without)->result).sections[1].expired_at);
  const auto read = decode_value<Receipt>(with);
  const auto& items = std::get<SectionsResult>(read->result).sections;
  EXPECT_FALSE(items[0].expired_at);
  EXPECT_EQ(items[1].expired_at, sections.sections[1].expired_at);
  EXPECT_FALSE(read->took);
}

TEST(StateCodec, FiguresAreKept) {
  Receipt receipt;
  receipt.result = FiguresResult{.function = "sum",
                                 .of = "loaves",
                                 .by = "month",
                                 .scope = "region north",
                                 .figures = {{"2026-04", "", -2.5, 3}, {"B-1", "Oven", 7, 1}},
                                 .left_out = 2,
                                 .incidents = 9,
                                 .without = 1,
                                 .note = "a note"};
  const auto read = decode_value<Receipt>(encode_value(receipt));
  ASSERT_TRUE(read);
  const auto& figures = std::get<FiguresResult>(read->result);
  EXPECT_EQ(to_json(figures), to_json(std::get<FiguresResult>(receipt.result)));
  EXPECT_EQ(figures.figures[0].value, -2.5);
  EXPECT_EQ(figures.figures[1].title, "Oven");
}

TEST(StateCodec, WhereADocumentLivesIsKeptAndMayBeAbsent) {
  Receipt receipt;
  KnowledgeResult result;
  result.items.resize(2);
  receipt.result = result;
  const std::string without = encode_value(receipt);
  result.items[1].link = "https://wiki.example/7";
  result.items[1].version = "7";
  receipt.result = result;
  const std::string with = encode_value(receipt);
  EXPECT_TRUE(with.starts_with(without));
  EXPECT_EQ(std::get<KnowledgeResult>(decode_value<Receipt>(without)->result).items[1].link, "");
  const auto read = decode_value<Receipt>(with);
  const auto& items = std::get<KnowledgeResult>(read->result).items;
  EXPECT_EQ(items[0].link, "");
  EXPECT_EQ(items[1].link, "https://wiki.example/7");
  EXPECT_EQ(items[1].version, "7");

  AnswerRecord record;
  record.sources = {{.id = "a"}, {.id = "b"}};
  const std::string unlinked = encode_value(record);
  record.sources[0].link = "https://wiki.example/7";
  const auto kept = decode_value<AnswerRecord>(encode_value(record));
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->sources, record.sources);
  EXPECT_EQ(decode_value<AnswerRecord>(unlinked)->sources[0].link, "");
}

TEST(StateCodec, WhyACallFailedIsKeptAndMayBeAbsent) {
  Receipt receipt;
  receipt.tool = "doc_search";
  receipt.status = ReceiptStatus::kError;
  EXPECT_EQ(decode_value<Receipt>(encode_value(receipt))->failure, CallFailure::kNone);
  receipt.failure = CallFailure::kRefused;
  EXPECT_EQ(decode_value<Receipt>(encode_value(receipt))->failure, CallFailure::kRefused);
  EXPECT_FALSE(decode_value<Receipt>(encode_value(receipt))->took);
}

TEST(StateCodec, TimesAreKeptAndMayBeAbsent) {
  using namespace std::chrono_literals;
  Receipt receipt;
  receipt.tool = "doc_search";
  const std::string without = encode_value(receipt);
  EXPECT_FALSE(decode_value<Receipt>(without)->took);
  receipt.took = 1234us;
  const std::string with = encode_value(receipt);
  // What was kept before there were times has the same bytes, and only those.
  EXPECT_TRUE(with.starts_with(without));
  EXPECT_EQ(decode_value<Receipt>(with)->took, 1234us);

  RunUse use{.steps = 2};
  use.time = 77ms;
  const std::string whole = encode_value(use);
  EXPECT_EQ(decode_value<RunUse>(whole), use);
  ByteWriter time;
  time.signed_number(use.time.count());
  const std::string_view priceless(whole.data(), whole.size() - 1);
  EXPECT_EQ(decode_value<RunUse>(priceless), use);
  const std::string_view before = priceless.substr(0, priceless.size() - time.bytes().size());
  EXPECT_EQ(decode_value<RunUse>(before)->steps, 2);
  EXPECT_EQ(decode_value<RunUse>(before)->time, 0us);
}

TEST(StateCodec, WithoutPricesThereIsNoCost) {
  RunUse use{.steps = 2};
  EXPECT_FALSE(FieldCodec<RunUse>::json(use).contains("cost_usd"));
  for (const double cost : {0.0, 0.25}) {  // a model may well cost nothing
    use.cost_usd = cost;
    const std::string whole = encode_value(use);
    EXPECT_EQ(decode_value<RunUse>(whole), use);
    EXPECT_EQ(FieldCodec<RunUse>::json(use).at("cost_usd"), cost);
    // As it was kept before: a cost is one.
    const auto before = decode_value<RunUse>(std::string_view(whole).substr(0, whole.size() - 1));
    EXPECT_EQ(before->cost_usd.has_value(), cost > 0);
  }
}

TEST(StateCodec, WhatIsProvedIsKeptWithTheAnswer) {
  AnswerRecord record;
  record.missing = {"no metric was found"};
  const std::string before = encode_value(record);
  record.proof.claims = {{{3, 40},
                          ClaimKind::kNumber,
                          ClaimVerdict::kUnsupported,
                          {{"R2", {10, 20}}},
                          "no receipt states '3 s'"}};
  record.proof.cut = true;
  const std::string whole = encode_value(record);
  EXPECT_EQ(decode_value<AnswerRecord>(whole), record);
  // As it was kept before claims were.
  ASSERT_TRUE(whole.starts_with(before));
  EXPECT_TRUE(decode_value<AnswerRecord>(before)->proof.claims.empty());
}

TEST(StateCodec, ThePartsOfAnAnswerAreKept) {
  AnswerRecord record;
  const std::string before = encode_value(record);
  record.sections = {{"steps", {0, 20}}, {"sources", {22, 60}}};
  EXPECT_EQ(decode_value<AnswerRecord>(encode_value(record)), record);
  EXPECT_TRUE(decode_value<AnswerRecord>(before)->sections.empty());
}

TEST(StateCodec, ASummaryIsReadBack) {
  const ConversationSummary summary{"Keys were rotated.", 28};
  EXPECT_EQ(decode_value<ConversationSummary>(encode_value(summary)), summary);
}

}  // namespace
}  // namespace precedent
