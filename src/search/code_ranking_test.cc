#include "search/code_ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_lab.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

TEST(PathRole, ByConvention) {
  const std::pair<const char*, PathRole> cases[] = {
      {"src/graph.cc", PathRole::kSource},       {"src/history.c", PathRole::kSource},
      {"config/deploy.yaml", PathRole::kSource}, {"src/latest.py", PathRole::kSource},
      {"src/graph_test.cc", PathRole::kTest},    {"tests/data/a.json", PathRole::kTest},
      {"app/GraphTest.java", PathRole::kTest},   {"web/graph.spec.ts", PathRole::kTest},
      {"docs/usage.md", PathRole::kDocument},    {"README.md", PathRole::kDocument},
      {"README", PathRole::kDocument},           {"CHANGELOG.md", PathRole::kHistory},
      {"COPYING", PathRole::kHistory},           {"po/de.po", PathRole::kTranslation},
      {"examples/a.py", PathRole::kExample}};
  for (const auto& [path, role] : cases) EXPECT_EQ(role_of(path), role) << path;
}

TEST(CodeNames, PathsAndSymbolsAreNotWords) {
  const CodeNames names = find_code_names(
      "In src/build_log.cc, Builder::StartEdge calls fish_git_prompt and load() for NASA. See "
      "util.h, v1.2.");
  EXPECT_THAT(names.paths, ElementsAre("src/build_log.cc", "util.h"));
  EXPECT_THAT(names.symbols, ElementsAre("Builder::StartEdge", "fish_git_prompt", "load"));
  const CodeNames none =
      find_code_names("Where is the retry policy configured for our payment client?");
  EXPECT_THAT(none.paths, IsEmpty());
  EXPECT_THAT(none.symbols, IsEmpty());
}

TEST(CodeNames, WhatIsNamedCounts) {
  Payload payload;
  payload.path = "src/build_log.cc";
  payload.heading = {"BuildLog::Load"};
  for (const char* question : {"build_log.cc", "src/build_log.cc:12", "BuildLog::Load",
                               "what does Load() do?", "build_log"})
    EXPECT_EQ(name_bonus(payload, find_code_names(question)), 1) << question;
  for (const char* question : {"log.cc", "BuildLog::Save", "load the log"})
    EXPECT_EQ(name_bonus(payload, find_code_names(question)), 0) << question;
}

TEST(JoinedWords, NeighboursMayBeOneIdentifier) {
  EXPECT_THAT(joined_words("remove the work tree"), Contains("worktre"));
  EXPECT_THAT(joined_words("work. tree"), Not(Contains("worktre")));
}

TEST(RolePrior, TestsCountLessUnlessTheyAreMeant) {
  EXPECT_LT(RolePrior("fix the crash").of("tests/a.cc"), 1);
  EXPECT_EQ(RolePrior("which test covers the crash").of("tests/a.cc"), 1);
  EXPECT_EQ(RolePrior("fix the crash").of("src/a.cc"), 1);
}

class CodeSearch : public testing::Test {
 protected:
  std::vector<std::string> search(std::string text, std::vector<Kind> kinds) {
    SearchRequest request;
    request.text = std::move(text);
    request.filter.kinds = std::move(kinds);
    request.mode = SearchMode::kSparse;
    std::vector<std::string> ids;
    const SearchResponse response = lab_.search().search(request).value();
    for (const Hit& hit : response.hits) ids.push_back(hit.payload.doc_id);
    return ids;
  }
  SearchLab lab_;
};

TEST_F(CodeSearch, WordsFindIdentifiers) {
  lab_.add(lab_document(Kind::kCode, "A", "src/retry.cc", "int maxRetryCount = 3;"));
  lab_.add(lab_document(Kind::kCode, "B", "src/other.cc", "int x = 4;"));
  EXPECT_THAT(search("how many retries, at most? max retry", {Kind::kCode}), ElementsAre("A"));
  EXPECT_THAT(search("max_retry_count", {Kind::kCode}), ElementsAre("A"));
}

TEST_F(CodeSearch, CodeIsFoundOnlyWhereItIsAskedFor) {
  lab_.add(lab_document(Kind::kCode, "A", "src/retry.cc", "retry policy"));
  lab_.add(lab_document(Kind::kRunbook, "R", "Retry", "retry policy"));
  EXPECT_THAT(search("retry policy", {}), ElementsAre("R"));
  EXPECT_THAT(search("retry policy", {Kind::kCode}), ElementsAre("A"));
}

TEST_F(CodeSearch, CodeDoesNotChangeWhatIsRareAmongDocuments) {
  lab_.add(lab_document(Kind::kRunbook, "R", "Retry", "retry gateway"));
  lab_.add(lab_document(Kind::kRunbook, "S", "Other", "retry queue"));
  const auto score = [&] {
    const SparseVector query = encode_query(lab_.analyzer.terms("gateway retry"));
    return lab_.index.search_sparse(query, {.kinds = {Kind::kRunbook}}, Level::kChunk, 1)
        .value()[0]
        .score;
  };
  const float alone = score();
  for (int i = 0; i < 20; ++i)
    lab_.add(lab_document(Kind::kCode, "C" + std::to_string(i), "a.cc", "gateway gateway"));
  EXPECT_EQ(score(), alone);
}

}  // namespace
}  // namespace precedent
