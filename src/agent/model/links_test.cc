#include "agent/model/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;

const Hosts kAllowed = {"grafana.shop.example", "127.0.0.1"};

void check(std::string_view given, std::string_view expected) {
  EXPECT_EQ(defang_links(given, kAllowed), expected);
  EXPECT_EQ(defang_links(expected, kAllowed), expected) << "a second time";
}

TEST(Links, HostsComeFromAddressesAlone) {
  Hosts hosts;
  add_hosts(hosts, "see (https://Grafana.shop.example/d/1), http://127.0.0.1:9090 and notes.md");
  add_hosts(hosts, "postgres://db.internal/x");
  EXPECT_THAT(hosts, ElementsAre("127.0.0.1", "grafana.shop.example"));
}

TEST(Links, WhatTheConversationNamedStaysAlive) {
  for (const char* text :
       {"[p95](https://grafana.shop.example/d/1?from=now-1h)", "http://127.0.0.1:9090/graph",
        "![panel](https://GRAFANA.shop.example/render)", "[INC-2025-01-20-005]",
        "[x](runbooks/a.md)", "[x](#steps)", "vector<int> and a < b", "std::map<a, b>",
        "postgres://db.internal/x", "<https://grafana.shop.example/>", "[1]: see above"})
    check(text, text);
}

TEST(Links, EveryOtherAddressLeadsNowhere) {
  check("see https://evil.example/x.y?d=1.", "see hxxps://evil[.]example/x.y?d=1.");
  check("![x](https://evil.example/?d=secret)", "![x] (hxxps://evil[.]example/?d=secret)");
  check("[x](HTTP://evil.example)", "[x] (HXXP://evil[.]example)");
  check("[x]\n[x]: https://evil.example/a", "[x]\n[x] : hxxps://evil[.]example/a");
  check("<img src=\"https://evil.example/a\">", "‹img src=\"hxxps://evil[.]example/a\">");
  check("<a/href='//evil.example'>", "‹a/href='//evil.example'>");
  check("go to www.evil.example now", "go to www[.]evil.example now");
  check("wss://evil.example/s", "wss[.]://evil[.]example/s");
}

TEST(Links, AHostThatOnlySeemsAllowedIsNot) {
  for (const char* address :
       {"https://grafana.shop.example@evil.example/", "https://grafana.shop.example.evil.example/",
        "https://grafana.shop.example\\@evil.example/", "https:/grafana.shop.example",
        "https:\\\\evil.example/", "https://grafana.shop.example%2eevil.example/"})
    EXPECT_NE(defang_links(address, kAllowed), address);
}

TEST(Links, OtherSpellingsOfALinkAreTakenApart) {
  check("[x](//evil.example/a)", "[x] (//evil.example/a)");
  check("[x](javascript:alert(1))", "[x] (javascript:alert(1))");
  check("[x](&#104;ttps://evil.example)", "[x] (&#104;ttps://evil.example)");
  check("[x](\\/\\/evil.example)", "[x] (\\/\\/evil.example)");
  check("![x](\n  data:image/png;base64,AA)", "![x] (\n  data:image/png;base64,AA)");
  check("https://evil.example/?u=https://evil.example",
        "hxxps://evil[.]example/?u=hxxps://evil[.]example");
  check("<javascript:alert(1)>", "‹javascript:alert(1)>");
}

}  // namespace
}  // namespace precedent
