#include "ingest/publish/point_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/ingest_lab.h"

namespace precedent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Document incident() {
  Document d = note("INC-1", "body");
  d.title = "Checkout fails";
  d.kind = Kind::kIncident;
  d.services = {"payment api"};
  d.symptoms = {"timeouts"};
  d.tags = {"payu"};
  d.application = "PayU Core";
  d.severity = "SEV1";
  d.status = "open";
  d.opened_at = TimePoint(std::chrono::seconds(1000));
  return d;
}

std::vector<StoredChunk> chunks() {
  return {{{0, {"Fix", "Retry"}, "restart pods now", {3, 5}}, "k0"},
          {{1, {"Fix"}, "wait", {6, 6}}, "k1"}};
}

bool has(const SparseVector& v, std::string_view term) {
  return std::ranges::binary_search(v.terms, term_id(term));
}

TEST(PointBuilder, PointsSayEverythingThatAHitShows) {
  const Document d = incident();
  const auto cut = chunks();
  const auto points = build_points(40, d, cut, analyze(d, cut, words), {{1, 2}, {3, 4}}, {}, {});
  ASSERT_EQ(points.size(), 3u);
  Payload common;
  common.doc_id = "INC-1";
  common.kind = Kind::kIncident;
  common.level = Level::kDocument;
  common.chunk_count = 2;
  common.title = d.title;
  common.path = d.path;
  common.services = d.services;
  common.tags = d.tags;
  common.application = d.application;
  common.severity = d.severity;
  common.status = d.status;
  common.opened_at = d.opened_at;
  EXPECT_EQ(points[0].id, 40u);
  EXPECT_EQ(points[0].payload, common);
  EXPECT_THAT(points[0].dense, IsEmpty());
  for (size_t i = 0; i < 2; ++i) {
    Payload expected = common;
    expected.level = Level::kChunk;
    expected.ordinal = cut[i].chunk.ordinal;
    expected.heading = cut[i].chunk.heading;
    expected.text = cut[i].chunk.text;
    expected.lines = cut[i].chunk.lines;
    EXPECT_EQ(points[i + 1].id, 41 + i);
    EXPECT_EQ(points[i + 1].payload, expected);
  }
  EXPECT_THAT(points[2].dense, ElementsAre(3, 4));
}

TEST(PointBuilder, AChunkIsFoundByItsContextAndADocumentByAllOfIt) {
  const Document d = incident();
  const auto cut = chunks();
  const auto points = build_points(1, d, cut, analyze(d, cut, words), {}, {}, {});
  for (const char* term : {"checkout", "payment", "timeouts", "payu", "core", "inc-1", "fix"}) {
    for (const Point& point : points) EXPECT_TRUE(has(point.sparse, term)) << term;
  }
  const struct {
    const char* term;
    bool document, first, second;
  } cases[] = {{"restart", true, true, false},
               {"wait", true, false, true},
               {"retry", true, true, false},
               {"body", false, false, false}};
  for (const auto& [term, document, first, second] : cases) {
    EXPECT_EQ(has(points[0].sparse, term), document) << term;
    EXPECT_EQ(has(points[1].sparse, term), first) << term;
    EXPECT_EQ(has(points[2].sparse, term), second) << term;
  }
}

TEST(PointBuilder, LengthsCountWhatTheAveragesNeed) {
  const Document d = incident();
  // title: checkout fails; meta: inc-1, payment api, timeouts, payu, payu core; headings: fix,
  // retry
  EXPECT_EQ(analyze(d, chunks(), words).lengths(), (FieldLengths{2, 7, 2, 3, 4}));
  EXPECT_EQ(analyze(d, {}, words).lengths(), (FieldLengths{2, 7, 0, 0, 0}));
}

TEST(PointBuilder, AveragesAreSumsOverPoints) {
  const CorpusStats stats = stats_of({{4, 8, 10, 12, 40}, {2, 4, 8, 6, 40}});
  EXPECT_EQ(stats, (CorpusStats{{2, 2.5f, 3, 10}, {2, 4, 3, 20}}));
  EXPECT_EQ(stats_of({}), CorpusStats{});
}

TEST(PointBuilder, TheFormatChangesWithTheParameters) {
  Bm25Params params;
  EXPECT_EQ(point_format(params), point_format({}));
  params.fields[3].b = 0.5f;
  EXPECT_NE(point_format(params), point_format({}));
}

}  // namespace
}  // namespace precedent
