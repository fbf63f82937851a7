#include "server/auth/oidc_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"

namespace precedent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr std::string_view kPath = "config/precedent.yaml";

constexpr std::string_view kWhole = R"(server:
  oidc:
    issuer: https://id.example.com/realms/main
    audience: precedent
    jwks_uri: https://keys.example.com/set
    name_claim: preferred_username
    groups_claim: realm_access.roles
    roles: {sre: editor, staff: user}
    scopes:
      sre: {}
      staff: {kinds: [Runbooks, post-mortem], services: [checkout]}
    default_role: reader
)";

// All that is wrong, a line each.
std::string problems(std::string_view yaml) {
  ConfigProblems all;
  const auto config = read_oidc_config(yaml, kPath, &all);
  if (!config) all.push_back(config.error());
  std::vector<std::string> lines;
  for (const Error& error : all) lines.push_back(error.message);
  return join(lines, "\n");
}

// With what a shortest section has, and more.
std::string section(std::string_view more) {
  return fmt::format(
      "server:\n  oidc:\n    issuer: https://id.example.com\n    audience: a\n    roles: {{g: "
      "user}}\n{}",
      more);
}

TEST(OidcConfig, IsReadWhole) {
  const auto config = read_oidc_config(kWhole, kPath);
  ASSERT_TRUE(config && *config) << problems(kWhole);
  EXPECT_EQ((*config)->issuer, "https://id.example.com/realms/main");
  EXPECT_EQ((*config)->audience, "precedent");
  EXPECT_EQ((*config)->jwks_uri, "https://keys.example.com/set");
  EXPECT_EQ((*config)->name_claim, "preferred_username");
  EXPECT_EQ((*config)->groups_claim, "realm_access.roles");
  EXPECT_THAT((*config)->roles, ElementsAre(Pair("sre", "editor"), Pair("staff", "user")));
  EXPECT_THAT((*config)->scopes,
              ElementsAre(Pair("sre", OidcScope{}),
                          Pair("staff", OidcScope{{"runbook", "postmortem"}, {"checkout"}})));
  EXPECT_EQ((*config)->default_role, "reader");
  EXPECT_EQ(problems(kWhole), "");
}

TEST(OidcConfig, WithoutASectionThereIsNone) {
  for (const char* yaml : {"", "model: {provider: offline}", "server: {}", "server:\n"}) {
    const auto config = read_oidc_config(yaml, kPath);
    ASSERT_TRUE(config) << yaml;
    EXPECT_FALSE(*config) << yaml;
  }
}

TEST(OidcConfig, TheShortestHasDefaults) {
  const auto config = read_oidc_config(section(""), kPath);
  ASSERT_TRUE(config && *config);
  EXPECT_EQ((*config)->name_claim, "");
  EXPECT_EQ((*config)->groups_claim, "groups");
  EXPECT_EQ((*config)->default_role, "");
  EXPECT_TRUE((*config)->scopes.empty());
}

TEST(OidcConfig, AllThatIsMissingIsNamed) {
  const std::string all = problems("server:\n  oidc:\n    default_rol: user\n");
  EXPECT_THAT(all, HasSubstr("config/precedent.yaml:3: server.oidc.default_rol is unknown; did you "
                             "mean default_role?"));
  EXPECT_THAT(all, HasSubstr("config/precedent.yaml:3: server.oidc.issuer: is missing"));
  EXPECT_THAT(all, HasSubstr("server.oidc.audience: is missing"));
  EXPECT_THAT(all, HasSubstr("server.oidc.roles: is missing, and nobody could come in"));
}

TEST(OidcConfig, KeysComeOverTlsAlone) {
  const auto issuer = [](std::string_view url) {
    return problems(fmt::format(
        "server:\n  oidc:\n    issuer: {}\n    audience: a\n    default_role: user\n", url));
  };
  EXPECT_EQ(issuer("https://id.example.com"), "");
  EXPECT_EQ(issuer("http://127.0.0.1:8080/realms/x"), "");
  EXPECT_THAT(issuer("http://id.example.com"),
              HasSubstr("config/precedent.yaml:3: server.oidc.issuer: must begin with https://"));
  EXPECT_THAT(issuer("https://a:b@id.example.com"), HasSubstr("user or password"));
  EXPECT_THAT(issuer("https://id.example.com?x=1"), HasSubstr("query or fragment"));
  EXPECT_NE(issuer("file:///etc/passwd"), "");
  EXPECT_NE(issuer("id.example.com"), "");
  EXPECT_THAT(problems(section("    jwks_uri: http://id.example.com/keys\n")),
              HasSubstr("server.oidc.jwks_uri: must begin with https://"));
}

TEST(OidcConfig, RolesAndScopesAreChecked) {
  EXPECT_THAT(problems(section("    default_role: admn\n")),
              HasSubstr(":6: server.oidc.default_role: 'admn' is no role; did you mean admin?"));
  EXPECT_THAT(problems("server:\n  oidc:\n    issuer: https://i\n    audience: a\n    roles:\n"
                       "      sre: root\n      dev:\n"),
              ::testing::AllOf(
                  HasSubstr(":6: server.oidc.roles.sre: 'root' is no role; the roles are reader, "
                            "user, editor, admin"),
                  HasSubstr("server.oidc.roles.dev: is missing")));
  EXPECT_THAT(problems(section("    scopes: {g: {kinds: [secrets]}}\n")),
              HasSubstr(":6: server.oidc.scopes.g.kinds: 'secrets' is no kind; the kinds are "));
  // What might be meant to show nothing does not show all.
  EXPECT_THAT(problems(section("    scopes: {g: {kinds: []}}\n")), HasSubstr("kinds: is empty"));
  EXPECT_THAT(problems(section("    scopes: {g: {services: ''}}\n")),
              HasSubstr("services: is empty"));
  EXPECT_THAT(problems(section("    scopes: {g: }\n")), HasSubstr("server.oidc.scopes.g"));
  EXPECT_THAT(problems(section("    scopes: {g: {service: [x]}}\n")),
              HasSubstr("did you mean services?"));
  EXPECT_THAT(problems(section("    scopes: [g]\n")),
              HasSubstr("server.oidc.scopes is no mapping"));
  EXPECT_THAT(problems(section("    scopes: {g: {}, g: {}}\n")), HasSubstr("is there twice"));
  EXPECT_THAT(problems("server: {odic: {}}"),
              HasSubstr("server.odic is unknown; did you mean oidc?"));
}

}  // namespace
}  // namespace precedent
