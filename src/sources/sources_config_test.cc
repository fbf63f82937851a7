#include "sources/sources_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kAll = R"(sources:
  - name: notes
    type: folder
    path: ../notes
    watch: true
    kind: runbook
    services: [shop]
  - name: docs
    type: git
    url: https://github.com/acme/docs.git
    branch: main
    paths: [runbooks, postmortems]
    token_env: GITHUB_TOKEN
    link: "https://git.acme.example/{repo}/-/blob/{commit}/{path}"
  - name: wiki
    type: confluence
    url: https://acme.atlassian.net
    user: bot@acme.example
    token_env: WIKI_TOKEN
    spaces: [OPS, "~ana"]
    labels: runbook
    sweep: 6h
  - name: old-wiki
    type: confluence
    url: https://wiki.acme.example/confluence/
    token_env: OLD_WIKI_TOKEN
    spaces: OPS
  - name: issues
    type: github
    repo: acme/shop
    labels:
      known-issue: known_issue
      "post mortem": postmortem
  - name: more-issues
    type: github
    repo: acme/mill
    app: Iv23liAbc
    key_file: app.pem
    comments: false
    labels: {known-issue: known_issue}
  - name: app-docs
    type: git
    url: https://github.acme.example/acme/docs.git
    app: "12"
    key_file: app.pem
)";

TEST(SourcesConfig, ReadsEveryType) {
  const auto sources = read_sources_config(kAll, "/etc/p/sources.yaml");
  ASSERT_TRUE(sources) << sources.error().text();
  ASSERT_EQ(sources->size(), 7U);
  EXPECT_EQ((*sources)[0].path, "/etc/notes");
  EXPECT_TRUE((*sources)[0].watch);
  EXPECT_EQ((*sources)[0].kind, Kind::kRunbook);
  EXPECT_THAT((*sources)[1].paths, ElementsAre("runbooks", "postmortems"));
  EXPECT_EQ((*sources)[1].link.text(), "https://git.acme.example/{repo}/-/blob/{commit}/{path}");
  EXPECT_EQ((*sources)[6].app, "12");
  EXPECT_EQ((*sources)[6].key_file, "/etc/p/app.pem");
  EXPECT_EQ((*sources)[2].url, "https://acme.atlassian.net/wiki");
  EXPECT_FALSE((*sources)[2].data_center);
  EXPECT_EQ((*sources)[2].sweep, std::chrono::hours(6));
  EXPECT_TRUE((*sources)[3].data_center);
  EXPECT_EQ((*sources)[3].url, "https://wiki.acme.example/confluence");
  EXPECT_EQ((*sources)[4].label_kinds.at("post mortem"), Kind::kPostmortem);
  EXPECT_EQ((*sources)[4].url, "https://api.github.com");
  EXPECT_TRUE((*sources)[4].comments);
  EXPECT_EQ((*sources)[5].app, "Iv23liAbc");
  EXPECT_EQ((*sources)[5].key_file, "/etc/p/app.pem");
  EXPECT_FALSE((*sources)[5].comments);
  EXPECT_TRUE(read_sources_config("", "x")->empty());
}

TEST(SourcesConfig, EachSourceHasItsOwnScheduleOrThatOfTheFile) {
  using std::chrono::minutes;
  const auto sources = read_sources_config(
      "every: 1h\nsources:\n  - {name: a, type: folder, path: x}\n"
      "  - {name: b, type: folder, path: y, every: 5m}\n"
      "  - {name: c, type: folder, path: z, every: never}\n",
      "s.yaml");
  ASSERT_TRUE(sources) << sources.error().text();
  EXPECT_EQ((*sources)[0].every, minutes(60));
  EXPECT_EQ((*sources)[1].every, minutes(5));
  EXPECT_EQ((*sources)[2].every, minutes(0));
  EXPECT_EQ(read_sources_config(kAll, "s.yaml")->front().every, minutes(15));
  for (const char* every : {"1s", "1000h", "soon", "0"}) {
    const auto wrong = read_sources_config(
        fmt::format("every: {}\nsources: [{{name: a, type: folder, path: x}}]\n", every), "s.yaml");
    ASSERT_FALSE(wrong) << every;
    EXPECT_THAT(wrong.error().message, HasSubstr("s.yaml:1: every"));
  }
}

TEST(SourcesConfig, AGitPathIsTakenFromTheFile) {
  const auto sources =
      read_sources_config("sources: [{name: a, type: git, url: ../repo}]", "/etc/p/sources.yaml");
  ASSERT_TRUE(sources) << sources.error().text();
  EXPECT_EQ(sources->front().url, "/etc/repo");
}

void refused(const std::string& keys, const std::string& part) {
  const auto sources = read_sources_config("sources:\n  - " + keys + "\n", "s.yaml");
  ASSERT_FALSE(sources) << keys;
  EXPECT_EQ(sources.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(sources.error().message, HasSubstr("s.yaml:2: ")) << keys;
  EXPECT_THAT(sources.error().message, HasSubstr(part)) << keys;
}

TEST(SourcesConfig, ErrorsNameFileLineAndKey) {
  refused("{name: a, type: ftp}", "sources[0].type: 'ftp' is not one of");
  refused("{name: a, type: folder}", "sources[0].path: is missing");
  refused("{name: a b, type: folder, path: x}", "sources[0].name");
  refused("{name: a, type: folder, path: x, pth: y}", "did you mean path?");
  refused("{name: a, type: folder, path: x, watch: 5s}", "watch: is true or false");
  refused("{name: a, type: git, url: ../r, watch: true}", "watch");
  refused("{name: a, type: folder, path: x, kind: golden}", "'golden' is not one of");
  refused("{name: a, type: git, url: \"git://h/r\"}", "sources[0].url");
  refused("{name: a, type: git, url: \"http://git.example/r\"}", "is not encrypted");
  refused("{name: a, type: git, url: \"https://u:p@git.example/r\"}", "password");
  refused("{name: a, type: git, url: \"git@h:r\", token_env: T}", "SSH uses the agent");
  refused("{name: a, type: git, url: \"https://h/o/r\", link: \"https://h/{repo}\"}",
          "sources[0].link: has no {path}");
  refused("{name: a, type: git, url: ../r, link: \"https://h/{repo}/{path}\"}",
          "sources[0].link: has {repo}, which a path");
  refused("{name: a, type: git, url: \"git@h:o/r\", app: 1, key_file: k}", "].app: is for");
  refused("{name: a, type: git, url: \"https://h/r\", app: 1, key_file: k}", "ends in org/repo");
  refused("{name: a, type: git, url: \"https://h/o/r\", app: 1}", "key_file: is missing");
  refused("{name: a, type: folder, path: x, link: \"https://h/{path}\"}", "link");
  refused("{name: a, type: confluence, url: \"https://w.example\", token_env: T}", "spaces");
  refused("{name: a, type: confluence, url: \"https://w.example\", spaces: A}",
          "token_env: is missing");
  refused("{name: a, type: confluence, url: \"http://w.example\", token_env: T, spaces: A}",
          "is not encrypted");
  refused("{name: a, type: confluence, url: \"https://a.atlassian.net\", token_env: T, spaces: A}",
          "user: is missing");
  refused("{name: a, type: confluence, url: \"https://w.example\", token_env: T, spaces: 'A\" or'}",
          "is no key of a space");
  refused(
      "{name: a, type: confluence, url: \"https://w.example\", token_env: T, spaces: A, kind: "
      "incident}",
      "write postmortem");
  refused("{name: a, type: github, repo: shop, labels: {a: runbook}}",
          "is no name of a repository");
  refused("{name: a, type: github, repo: a/b}", "labels: is a mapping");
  refused("{name: a, type: github, repo: a/b, app: 1, labels: {a: runbook}}", "key_file");
  refused("{name: a, type: github, repo: a/b, key_file: k, labels: {a: runbook}}", "].app:");
  refused("{name: a, type: github, repo: a/b, app: 1, key_file: k, token_env: T, labels: {a: x}}",
          "goes with no app");
  refused("{name: a, type: github, repo: a/b, app: 1, key_file: k, installation: x}",
          "installation: is a number");
  refused("{name: a, type: github, repo: a/b, comments: some, labels: {a: runbook}}",
          "comments: is true or false");
  refused("{name: a, type: github, repo: a/b, labels: {a: nonsense}}", "labels.a: 'nonsense'");
}

TEST(SourcesConfig, ATokenInTheFileIsRefusedAndNotRepeated) {
  for (const char* token : {"ghp_0123456789abcdef", "Secret-1"}) {
    const auto sources = read_sources_config(
        fmt::format("sources:\n  - {{name: a, type: github, repo: a/b, token_env: {}}}\n", token),
        "s.yaml");
    ASSERT_FALSE(sources);
    EXPECT_THAT(sources.error().message, HasSubstr("the token itself belongs there"));
    EXPECT_THAT(sources.error().message, Not(HasSubstr(token)));
  }
}

TEST(SourcesConfig, ANameIsThereOnce) {
  const auto sources = read_sources_config(
      "sources:\n  - {name: a, type: folder, path: x}\n  - {name: a, type: folder, path: y}\n",
      "s.yaml");
  ASSERT_FALSE(sources);
  EXPECT_THAT(sources.error().message, HasSubstr("s.yaml:3: sources[1].name: 'a' is there twice"));
}

TEST(SourcesConfig, AllProblemsAreCollected) {
  ConfigProblems problems;
  ASSERT_TRUE(read_sources_config("sources:\n  - {name: a, type: ftp}\n  - {name: b}\n", "s.yaml",
                                  &problems));
  EXPECT_EQ(problems.size(), 2U);
}

TEST(SourcesConfig, OtherSettingsHaveAnotherMark) {
  const auto sources = read_sources_config(kAll, "/etc/p/sources.yaml");
  ASSERT_TRUE(sources);
  SourceConfig changed = (*sources)[2];
  EXPECT_EQ(settings_mark(changed), settings_mark((*sources)[2]));
  SourceConfig linked = (*sources)[1];
  linked.link = {};
  EXPECT_NE(settings_mark(linked), settings_mark((*sources)[1]));
  changed.labels.clear();
  EXPECT_NE(settings_mark(changed), settings_mark((*sources)[2]));
}

}  // namespace
}  // namespace precedent
