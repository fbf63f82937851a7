#include "search/searcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_lab.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const TimePoint kNow = parse_time("2026-11-20T09:30:00Z").value();

// Six incidents and four documents of a shop.
class SearcherTest : public testing::Test {
 protected:
  explicit SearcherTest(bool dense = true) : lab_(dense) {
    const auto incident = [&](const char* id, const char* title, const char* text,
                              const char* application, const char* opened, const char* severity,
                              const char* status) {
      Document d = lab_incident(id, title, text, application, opened);
      d.severity = severity;
      d.status = status;
      lab_.add(d);
    };
    incident("INC-1", "403 from the card gateway", "Expired credentials gave HTTP 403.",
             "PayU Core", "2025-01-20", "SEV1", "Resolved");
    incident("INC-2", "Settlement file late", "The settlement file waited for a lock.",
             "Settlement & Reporting", "2026-11-18", "SEV2", "Resolved");
    incident("INC-3", "Reports time out", "A query without index made reports time out.",
             "Settlement & Reporting", "2026-03-04", "SEV1", "Investigating");
    incident("INC-4", "Gateway timeouts", "The gateway ran out of connections.", "PayU Core",
             "2026-11-19", "SEV2", "Resolved");
    Document runbook = lab_document(Kind::kRunbook, "kb-403", "Fix 403 errors",
                                    "Rotate the credentials.\n\nThen restart the gateway.\n\nCheck "
                                    "that the gateway answers 200.");
    runbook.services = {"gateway"};
    lab_.add(runbook);
    Document search = lab_document(Kind::kArchitecture, "kb-search", "How search works",
                                   "Queries go to replicas.");
    search.services = {"search-api"};
    lab_.add(search);
  }

  SearchResponse search(SearchRequest request, std::string_view synonyms = "") {
    request.now = kNow;
    return lab_.search(synonyms).search(request).value();
  }
  SearchResponse search(std::string text, std::vector<Kind> kinds = {}) {
    SearchRequest request;
    request.text = std::move(text);
    request.filter.kinds = std::move(kinds);
    return search(request);
  }
  static std::vector<std::string> ids(const SearchResponse& response) {
    std::vector<std::string> out;
    for (const Hit& hit : response.hits) out.push_back(hit.payload.doc_id);
    return out;
  }

  SearchLab lab_;
};

class LexicalSearcherTest : public SearcherTest {
 protected:
  LexicalSearcherTest() : SearcherTest(false) {}
};

TEST_F(SearcherTest, TheBestMatchComesFirst) {
  EXPECT_EQ(ids(search("expired credentials 403")).front(), "INC-1");
  EXPECT_EQ(ids(search("settlement file lock")).front(), "INC-2");
}

TEST_F(SearcherTest, ADocumentIsFoundOnce) {
  EXPECT_EQ(std::ranges::count(ids(search("gateway credentials restart 200")), "kb-403"), 1);
}

TEST_F(SearcherTest, AsManyPassagesOfADocumentAsAsked) {
  SearchRequest request;
  request.text = "gateway";
  request.filter.kinds = {Kind::kRunbook};
  request.per_document = 2;
  EXPECT_THAT(ids(search(request)), ElementsAre("kb-403", "kb-403"));
  request.limit = 1;
  EXPECT_THAT(ids(search(request)), ElementsAre("kb-403"));
}

TEST_F(SearcherTest, TheHitIsThePassageThatMatches) {
  const auto response = search("restart the gateway", {Kind::kRunbook});
  EXPECT_EQ(response.hits.front().payload.text, "Then restart the gateway.");
  EXPECT_FALSE(response.hits.front().snippet.matches.empty());
}

TEST_F(SearcherTest, TheLimitCountsHits) {
  for (const size_t limit : {1u, 2u, 3u}) {
    SearchRequest request;
    request.text = "gateway timeouts settlement search";
    request.limit = limit;
    EXPECT_EQ(search(request).hits.size(), limit);
  }
}

TEST_F(SearcherTest, RelevanceFallsFromOneToZero) {
  const auto response = search("gateway ran out of connections");
  float before = 1;
  for (const Hit& hit : response.hits) {
    EXPECT_LE(hit.relevance, before);
    EXPECT_GE(hit.relevance, 0);
    before = hit.relevance;
  }
}

TEST_F(SearcherTest, TheCallersFilterBinds) {
  EXPECT_THAT(ids(search("gateway", {Kind::kRunbook})), ElementsAre("kb-403"));
  SearchRequest request;
  request.text = "gateway";
  request.filter.applications = {"payu core"};
  for (const std::string& id : ids(search(request)))
    EXPECT_THAT((std::vector<std::string>{"INC-1", "INC-4"}), Contains(id));
}

TEST_F(SearcherTest, TheCallersFilterIsNeverWidened) {
  SearchRequest request;
  request.text = "gateway";
  request.filter.applications = {"Unheard Of"};
  const auto response = search(request);
  EXPECT_THAT(response.hits, IsEmpty());
  EXPECT_FALSE(response.widened);
}

TEST_F(SearcherTest, TheQuestionRestrictsIncidentsToWhatItNames) {
  EXPECT_THAT(ids(search("timeouts in Settlement & Reporting", {Kind::kIncident})),
              testing::UnorderedElementsAre("INC-2", "INC-3"));
  EXPECT_THAT(ids(search("SEV1 incidents since 2026", {Kind::kIncident})), ElementsAre("INC-3"));
}

TEST_F(SearcherTest, FieldsThatOnlyIncidentsHaveDoNotExcludeDocuments) {
  EXPECT_THAT(ids(search("403 errors in PayU Core since yesterday", {Kind::kRunbook})),
              ElementsAre("kb-403"));
}

TEST_F(SearcherTest, ARestrictionThatFindsNothingIsDropped) {
  const auto response =
      search("SEV1 resolved incidents of Settlement & Reporting with locks", {Kind::kIncident});
  EXPECT_TRUE(response.widened);
  EXPECT_FALSE(response.hits.empty());
  EXPECT_TRUE(response.filter.severities.empty());
  EXPECT_THAT(response.notes, Contains(HasSubstr("searched without it")));
}

TEST_F(SearcherTest, TheWindowOfAListIsNeverWidened) {
  const auto response = search("which incidents happened in 2020", {Kind::kIncident});
  EXPECT_TRUE(response.hits.empty());
  EXPECT_FALSE(response.widened);
}

TEST_F(SearcherTest, ATimeInASymptomIsNoWindow) {
  EXPECT_FALSE(search("gateway timeouts since today", {Kind::kIncident}).hits.empty());
}

TEST_F(SearcherTest, AQuestionThatOnlyRestrictsIsListedNewestFirst) {
  EXPECT_THAT(ids(search("SEV1 incidents", {Kind::kIncident})), ElementsAre("INC-3", "INC-1"));
}

// Reads every question as the same.
class FixedReader final : public QuestionReader {
 public:
  explicit FixedReader(ReadQuestion read) : read_(std::move(read)) {}
  Result<ReadQuestion> read(std::string_view, const Catalogue&, TimePoint) const override {
    return read_;
  }

 private:
  ReadQuestion read_;
};

// The rules account for every word: a request to a model would be for nothing, or do harm.
TEST_F(SearcherTest, AQuestionThatTheRulesReadWholeIsNotGivenToAReader) {
  ReadQuestion read{.query = "banana"};
  read.filter.severities = {"SEV2"};
  const FixedReader reader(read);
  SearchRequest request{.text = "SEV1 incidents"};
  request.filter.kinds = {Kind::kIncident};
  request.reader = &reader;
  const auto response = search(request);
  EXPECT_THAT(ids(response), ElementsAre("INC-3", "INC-1"));
  EXPECT_THAT(response.notes, Not(Contains(HasSubstr("by the model"))));
}

TEST_F(SearcherTest, AReaderThatMisreadsTheQuestionDoesNotReplaceItsWords) {
  SearchRequest request{.text = "expired credentials 403"};
  request.filter.kinds = {Kind::kIncident};
  const FixedReader reader({.query = "banana"});
  request.reader = &reader;
  for (const SearchMode mode : {SearchMode::kSparse, SearchMode::kHybrid}) {
    request.mode = mode;
    const auto response = search(request);
    ASSERT_FALSE(response.hits.empty());
    EXPECT_EQ(ids(response).front(), "INC-1");
    EXPECT_THAT(response.notes, Contains(HasSubstr("banana")));
    EXPECT_THAT(response.terms, Contains("403"));
  }
}

TEST_F(SearcherTest, WhatAReaderSearchesForIsFoundBesideTheQuestionsOwn) {
  const FixedReader reader({.query = "settlement file lock"});
  SearchRequest request{.text = "expired credentials", .mode = SearchMode::kSparse};
  request.filter.kinds = {Kind::kIncident};
  request.reader = &reader;
  const auto response = search(request);
  EXPECT_THAT(ids(response), ElementsAre("INC-1", "INC-2"));
  EXPECT_LE(response.hits[1].relevance, response.hits[0].relevance);
}

TEST_F(SearcherTest, AReaderThatSeesOnlyAFilterLeavesTheWords) {
  ReadQuestion read;
  read.filter.applications = {"PayU Core"};
  const FixedReader reader(read);
  SearchRequest request{.text = "expired credentials", .mode = SearchMode::kSparse};
  request.filter.kinds = {Kind::kIncident};
  request.reader = &reader;
  // INC-4 is newer; INC-1 is what the words say.
  EXPECT_THAT(ids(search(request)), ElementsAre("INC-1", "INC-4"));
}

TEST_F(SearcherTest, WithoutSelfQueryTheTextRestrictsNothing) {
  SearchRequest request;
  request.text = "incidents in Settlement & Reporting";
  request.filter.kinds = {Kind::kIncident};
  request.self_query = false;
  EXPECT_GT(search(request).hits.size(), 2u);
}

TEST_F(SearcherTest, AMentionedNameRanksHigher) {
  const auto response = search("Does PayU Core ever run out of connections?");
  EXPECT_EQ(ids(response).front(), "INC-4");
  EXPECT_EQ(response.hits.front().parts.bonus, 1);
}

TEST_F(SearcherTest, SynonymsWidenTheWordsNotTheFilter) {
  SearchRequest request;
  request.text = "sluggish";
  request.mode = SearchMode::kSparse;
  EXPECT_THAT(search(request).hits, IsEmpty());
  const auto response = search(request, "sluggish => late");
  EXPECT_THAT(ids(response), ElementsAre("INC-2"));
  EXPECT_THAT(response.notes, Contains(HasSubstr("'sluggish'")));
}

TEST_F(SearcherTest, AnEmptyQuestionListsNewestFirst) {
  SearchRequest request;
  request.filter.kinds = {Kind::kIncident};
  const auto response = search(request);
  EXPECT_THAT(ids(response), ElementsAre("INC-4", "INC-2", "INC-3", "INC-1"));
  for (const Hit& hit : response.hits) EXPECT_EQ(hit.relevance, 1);
  request.limit = 2;
  EXPECT_THAT(ids(search(request)), ElementsAre("INC-4", "INC-2"));
  request.text = " \n ";
  EXPECT_THAT(ids(search(request)), ElementsAre("INC-4", "INC-2"));
}

TEST_F(SearcherTest, EachModeUsesItsOwnLists) {
  SearchRequest request;
  request.text = "gateway";
  request.mode = SearchMode::kDense;
  for (const Hit& hit : search(request).hits) EXPECT_FALSE(hit.parts.document.has_value());
  request.mode = SearchMode::kSparse;
  for (const Hit& hit : search(request).hits) EXPECT_FALSE(hit.parts.dense.has_value());
}

TEST_F(SearcherTest, AnIndexThatFailsIsAnError) {
  lab_.search();
  lab_.index.error = Error{ErrorCode::kCorrupt, "segment 3 is damaged; run ingest"};
  const auto response = lab_.search().search({.text = "gateway"});
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().text(), HasSubstr("segment 3"));
}

TEST_F(SearcherTest, AnEmptyIndexFindsNothing) {
  SearchLab empty;
  EXPECT_THAT(empty.search().search({.text = "gateway", .now = kNow})->hits, IsEmpty());
  EXPECT_THAT(empty.search().search({.text = "", .now = kNow})->hits, IsEmpty());
}

TEST_F(LexicalSearcherTest, SaysThatItSearchedByWordsOnly) {
  const auto response = search("expired credentials 403");
  EXPECT_TRUE(response.lexical_only);
  EXPECT_EQ(ids(response).front(), "INC-1");
  EXPECT_FALSE(response.hits.front().parts.dense.has_value());
  EXPECT_THAT(response.notes, Contains(HasSubstr("lexical only")));
}

}  // namespace
}  // namespace precedent
