#include "tools/repo_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/tools_lab.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

class RepoSearchTest : public testing::Test {
 protected:
  RepoSearchTest() {
    add("payments/client.py", "python",
        "class PaymentClient:\n    retry_policy = exponential(3)\n    timeout = 5\n");
    add("payments/client_test.py", "python",
        "def test_retry_policy():\n    assert PaymentClient().retry_policy\n");
    add("search/service.cc", "cpp",
        "void handle() {\n  // error: 100% of (a|b)\n  cache.get(key);\n}\n");
  }

  void add(const std::string& path, const std::string& language, const std::string& text) {
    Document d = lab_document(Kind::kCode, "shop:" + path, path, text);
    d.path = path;
    d.tags = {language};
    d.attributes = {
        {"repository", "shop"}, {"commit", std::string(40, 'a')}, {"language", language}};
    lab_.add(d);
  }
  std::vector<std::string> paths(const json& args) {
    receipt_ = lab_.call("repo_search", args);
    std::vector<std::string> out;
    if (const auto* result = std::get_if<CodeResult>(&receipt_.result)) {
      for (const CodeItem& item : result->items) out.push_back(item.path);
    }
    return out;
  }

  ToolsLab lab_;
  Receipt receipt_;
};

TEST_F(RepoSearchTest, AQuestionInPlainLanguageFindsTheCode) {
  // Scores are scaled between the best and the least of a list: two files alone would say nothing.
  add("web/form.ts", "typescript", "// Sends what our form has, as the payment page does.\n");
  add("deploy/client.yaml", "yaml", "client: web\n");
  const auto found =
      paths({{"query", "where is the retry policy configured for our payment client?"}});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0], "payments/client.py");
  const json first = to_json(receipt_)["result"]["results"][0];
  EXPECT_EQ(first["repository"], "shop");
  EXPECT_EQ(first["commit"], std::string(40, 'a'));
  EXPECT_EQ(first["language"], "python");
  EXPECT_THAT(receipt_.text, HasSubstr("## payments/client.py:"));
  EXPECT_THAT(receipt_.text, HasSubstr("shop at aaaaaaaaaaaa\n"));
}

TEST_F(RepoSearchTest, ARegularExpressionGivesTheLines) {
  EXPECT_THAT(paths({{"query", R"(re:retry_\w+\s*=)"}}), ElementsAre("payments/client.py"));
  const auto& item = std::get<CodeResult>(receipt_.result).items[0];
  EXPECT_EQ(item.lines, (LineRange{1, 3}));
  EXPECT_EQ(item.excerpt,
            "class PaymentClient:\n    retry_policy = exponential(3)\n    timeout = 5");
  EXPECT_THAT(receipt_.text, HasSubstr("1 line in 1 file matches."));
  EXPECT_THAT(paths({{"query", "re:^def"}}), ElementsAre("payments/client_test.py"));
  EXPECT_THAT(paths({{"query", "re:policy.*timeout"}}), IsEmpty()) << "a match is within a line";
  EXPECT_EQ(receipt_.status, ReceiptStatus::kEmpty);
}

TEST_F(RepoSearchTest, AWrongRegularExpressionIsAnError) {
  for (const std::string& query :
       {std::string("re:(a"), std::string("re:"), "re:" + std::string(2000, 'a')}) {
    paths({{"query", query}});
    EXPECT_EQ(receipt_.status, ReceiptStatus::kError) << query;
  }
  paths({{"query", "re:(a"}});
  EXPECT_THAT(receipt_.text, HasSubstr("the regular expression '(a' is wrong: missing )"));
}

TEST_F(RepoSearchTest, ExpressionsThatMatchNothingInParticularEnd) {
  for (const char* query : {"re:x*", "re:$", "re:(a*)*b",
                            "re:"
                            ".*"})
    EXPECT_EQ(lab_.call("repo_search", {{"query", query}}).status != ReceiptStatus::kError, true)
        << query;
}

TEST_F(RepoSearchTest, AnExcerptHasNoSecretWhoseBeginningIsAboveIt) {
  add("deploy/key.pem", "text",
      "a\n-----BEGIN PRIVATE KEY-----\nMIIE1\nMIIE2\nMIIE3\nMIIE4\n-----END PRIVATE KEY-----\n"
      "find_me = 1\n");
  EXPECT_THAT(paths({{"query", "\"find_me\""}}), ElementsAre("deploy/key.pem"));
  const CodeItem& item = std::get<CodeResult>(receipt_.result).items.at(0);
  EXPECT_THAT(item.excerpt, Not(HasSubstr("MIIE4")));
  EXPECT_THAT(item.excerpt, HasSubstr("find_me = 1"));
  EXPECT_EQ(item.lines.end, 8u);
}

TEST_F(RepoSearchTest, TextInQuotationMarksIsTakenLiterally) {
  EXPECT_THAT(paths({{"query", "\"error: 100% of (a|b)\""}}), ElementsAre("search/service.cc"));
  EXPECT_EQ(std::get<CodeResult>(receipt_.result).items[0].lines, (LineRange{1, 4}));
}

TEST_F(RepoSearchTest, PathsAndSymbolsAreFound) {
  EXPECT_EQ(paths({{"query", "search/service.cc"}})[0], "search/service.cc");
  EXPECT_EQ(paths({{"query", "PaymentClient"}})[0], "payments/client.py");
}

TEST_F(RepoSearchTest, ACommitOrANameThatIsNowhereIsSaidToBe) {
  EXPECT_THAT(paths({{"query", "0a1b2c3d4e"}}), IsEmpty());
  EXPECT_THAT(receipt_.text, HasSubstr("commits are known to recent_changes"));
  for (const char* name : {"PaymentClerk", "retry_police", "cache::retry", "timeoutPolicy()"}) {
    paths({{"query", name}});
    EXPECT_THAT(receipt_.text, testing::Not(HasSubstr("commits are known"))) << name;
    if (!std::get<CodeResult>(receipt_.result).items.empty()) {
      EXPECT_THAT(receipt_.text, HasSubstr("No indexed code holds the name '")) << name;
    }
  }
  EXPECT_THAT(paths({{"query", "retry_police"}}), testing::Not(IsEmpty()));
  for (const char* known : {"PaymentClient", "retry_policy", "retry", "where is retry_police?"}) {
    EXPECT_THAT(paths({{"query", known}}), testing::Not(IsEmpty())) << known;
    EXPECT_THAT(receipt_.text, testing::Not(HasSubstr("No indexed code"))) << known;
  }
}

TEST_F(RepoSearchTest, PathAndLanguageFilter) {
  EXPECT_THAT(paths({{"query", "re:."}, {"path", "payments/"}}),
              UnorderedElementsAre("payments/client.py", "payments/client_test.py"));
  EXPECT_THAT(paths({{"query", "re:."}, {"path", "*_test.py"}}),
              ElementsAre("payments/client_test.py"));
  EXPECT_THAT(paths({{"query", "re:."}, {"language", "C++"}}), ElementsAre("search/service.cc"));
  EXPECT_THAT(paths({{"query", "retry policy cache"}, {"path", "search"}}),
              ElementsAre("search/service.cc"));
  EXPECT_THAT(paths({{"query", "retry"}, {"path", "nowhere"}}), IsEmpty());
  EXPECT_THAT(receipt_.text, HasSubstr("No indexed file is at 'nowhere'."));
}

TEST_F(RepoSearchTest, LinesAreOfAFileThatIsNamed) {
  for (const char* wrong : {"x", "3-", "-", "1,,2"}) {
    paths({{"query", "retry"}, {"path", "payments/client.py"}, {"lines", wrong}});
    EXPECT_EQ(receipt_.status, ReceiptStatus::kError) << wrong;
    EXPECT_THAT(receipt_.text, HasSubstr("write lines of a file such as 83-111,130"));
  }
  paths({{"query", "retry"}, {"lines", "3"}});
  EXPECT_THAT(receipt_.text, HasSubstr("name it with 'path'"));
}

TEST_F(RepoSearchTest, SourcesArePathsWithLines) {
  paths({{"query", "re:cache"}});
  const auto sources = sources_of(receipt_);
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(sources[0].path, "search/service.cc");
  EXPECT_EQ(sources[0].lines, (LineRange{1, 4}));
  EXPECT_EQ(sources[0].kind, "code");
}

TEST_F(RepoSearchTest, TheFenceIsLongerThanAnyInTheExcerpt) {
  add("doc.md", "markdown", "```\nignore this\n```\n");
  paths({{"query", "re:ignore"}});
  EXPECT_THAT(receipt_.text, HasSubstr("````\n```\nignore this\n```\n````\n"));
}

TEST(RepoSearch, WithoutARepositoryItSaysHowToReadOne) {
  ToolsLab lab;
  const Receipt receipt = lab.call("repo_search", {{"query", "x"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kEmpty);
  EXPECT_THAT(receipt.text, HasSubstr("precedent ingest --repo PATH"));
}

}  // namespace
}  // namespace precedent
