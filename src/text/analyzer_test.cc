#include "text/analyzer.h"

#include <gtest/gtest.h>

#include <random>

#include "base/strings.h"
#include "text/token_parts.h"

namespace precedent {
namespace {

struct Case {
  std::string_view text, terms;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.text; }

class AnalyzerTable : public testing::TestWithParam<Case> {};

TEST_P(AnalyzerTable, GivesTheTerms) {
  EXPECT_EQ(join(Analyzer().terms(GetParam().text), " "), GetParam().terms);
}

INSTANTIATE_TEST_SUITE_P(
    Prose, AnalyzerTable,
    testing::Values(Case{"", ""}, Case{" \t\n…", ""}, Case{"The pods are failing", "pod fail"},
                    Case{"TIMEOUTS, Timeouts, timeouts.", "timeout timeout timeout"},
                    Case{"PayU's gateway", "payu gateway"}, Case{"PayU’s", "payu"},
                    Case{"the services' pods", "servic pod"},
                    Case{"it doesn't start; it won’t; can't", "not start not not"},
                    Case{"we'll, they've, I'm", ""}, Case{"O'Brien", "o brien"},
                    Case{"not ready, no route, up, down, off, over, under",
                         "not readi no rout up down off over under"},
                    Case{"How do I fix it?", "fix"}, Case{"on-call", "oncal call"},
                    Case{"fail-over failover", "failov fail over failov"},
                    Case{"foo--bar...baz", "foo bar baz"},
                    Case{"**bold** _it_ `code` ~x~", "bold code x"}, Case{"95% of 1.5s", "95 1.5s"},
                    Case{"'quoted'", "quot"}));

INSTANTIATE_TEST_SUITE_P(
    Technical, AnalyzerTable,
    testing::Values(
        Case{"HTTP_403", "http_403 http 403"},
        Case{"db.pool.maxSize", "db.pool.maxsize db pool maxsiz max size"},
        Case{"ECONNREFUSED", "econnrefus"}, Case{"/api/v2/search", "/api/v2/search api v2 search"},
        Case{"x509:", "x509"}, Case{"10.2.3.4", "10.2.3.4 10.2.3 10.2"},
        Case{"10.2.3.4:8080", "10.2.3.4:8080 10.2.3.4 10.2.3 10.2 8080"},
        Case{"kubelet", "kubelet"},
        Case{"INC-2025-01-20-005", "inc-2025-01-20-005 inc 2025 01 20 005"},
        Case{"v1.27.3", "v1.27.3 1.27.3 1.27"},
        Case{"nginx-1.27.3", "nginx-1.27.3 nginx 1.27.3 1.27"},
        Case{"p95 5xx k8s v2", "p95 5xx k8s v2"},
        Case{"--max-old-space-size=4096",
             "--max-old-space-size maxoldspaces max old space size 4096"},
        Case{"user@host", "user@host user host"},
        Case{"kube_pod_status_phase", "kube_pod_status_phase kube pod status phase"},
        Case{"OOMKilled oomkilled", "oomkil oom kill oomkil"},
        Case{"java.lang.OutOfMemoryError",
             "java.lang.outofmemoryerror java lang outofmemoryerror out memori error"},
        Case{"2m30s", "2m30s"}, Case{"500ms 30s 10k", "500ms 500 ms 30s 30 10k 10"},
        Case{"C++ C# c++17", "c++ c# c++17 c 17"}, Case{".NET", "net"},
        Case{R"(C:\Users\app\log.txt)", R"(c:\users\app\log.txt c user app log.txt log txt)"},
        Case{"550e8400-e29b-41d4-a716-446655440000",
             "550e8400-e29b-41d4-a716-446655440000 550e8400"},
        Case{"3dedac8f", "3dedac8f"},
        Case{"KubePodCrashLooping", "kubepodcrashloop kube pod crash loop"},
        Case{"checkout-api CheckoutApi", "checkoutapi checkout api checkoutapi checkout api"},
        Case{"APIs OAuth PayU eBPF", "api oauth payu ebpf"},
        Case{"web01 http403 node3", "web01 web 01 http403 http 403 node3 node 3"},
        Case{"2025-01-20T14:05:00Z 14:05", "2025-01-20t14:05:00z 2025-01-20 14:05"},
        Case{"aa:bb:cc:dd:ee:ff std::string", "aa:bb:cc:dd:ee:ff std::string std string"},
        Case{"src/index/a_b.h", "src/index/a_b.h src index a_b.h a_b b h"},
        Case{"[x](https://a.example/b?c=d)", "x https://a.example/b https a.example exampl b c d"},
        Case{"getAUser", "getaus get user"}));

INSTANTIATE_TEST_SUITE_P(
    Unicode, AnalyzerTable,
    testing::Values(Case{"INC‑2025‑08‑24‑001", "inc-2025-08-24-001 inc 2025 08 24 001"},
                    Case{"a–b − c", "ab b c"}, Case{"café Cafe\xCC\x81 naïve", "cafe cafe naiv"},
                    Case{"ﬁle ＨＴＴＰ＿４０３", "file http_403 http 403"},
                    Case{"con\xC2\xAD"
                         "fig pay\xE2\x80\x8Bment",
                         "config payment"},
                    Case{"支付失败", "支付 付失 失败"}, Case{"支 x", "支 x"},
                    Case{"ﾃﾞｰﾀ データ", "デー ータ デー ータ"}, Case{"결제 실패", "결제 실패"},
                    Case{"支付API", "支付 api"}, Case{"Straße STRASSE", "strass strass"},
                    Case{"Ошибка", "ошибка"}, Case{"🔥down🔥", "down"},
                    Case{"bad\xFFutf\xC3", "bad utf"}));

TEST(Analyzer, OffsetsPointAtTheSource) {
  const std::string_view text = "Die ＡＰＩ’s café: db.maxSize, 支付失败";
  for (const Term& term : Analyzer().analyze(text)) {
    const std::string_view source = text.substr(term.begin, term.end - term.begin);
    // The term of a term's own bytes, analysed alone, is that term again.
    EXPECT_EQ(Analyzer().terms(source).at(0), term.text) << source;
  }
}

TEST(Analyzer, MarksParts) {
  const std::vector<Term> expected = {
      {"see", 0, 3, false}, {"http_403", 4, 12, false}, {"http", 4, 8, true}, {"403", 9, 12, true}};
  EXPECT_EQ(Analyzer().analyze("see HTTP_403"), expected);
}

TEST(Analyzer, KeepsTermsShortAndBlobsOut) {
  const std::string key = "MIIEpAIBAAKCAQEA7yb9Zx8kQ2vN5gqWmT3pLrYhXs0dCfJuEiAoBnVtRzKwMlPxQ9aB";
  EXPECT_EQ(Analyzer().terms("key " + key + key + key), (std::vector<std::string>{"key"}));
  EXPECT_EQ(Analyzer().terms(std::string(1000, 'a')).at(0).size(), kMaxTermBytes);
  // Folding makes this letter longer.
  EXPECT_LE(Analyzer().terms("Ⱦ" + std::string(62, 'x')).at(0).size(), kMaxTermBytes);
  EXPECT_EQ(Analyzer().terms("sha256:" + std::string(64, 'a')).size(), 4u);
}

// What the analyser gives for hostile text, in terms a byte: an attacker must not multiply their
// input.
TEST(Analyzer, YieldsFewTermsForHostileText) {
  for (const std::string_view unit :
       {"a/", "aB", "a.b", "--a", "a_1", "1.", "\xCC\x81", "/", "'t", "a-b-", "支"}) {
    std::string text;
    while (text.size() < 200'000) text += unit;
    EXPECT_LE(Analyzer().analyze(text).size(), text.size() / 2 + 1) << unit;
  }
}

TEST(Analyzer, SurvivesRandomBytes) {
  std::mt19937 random(7);
  const std::string_view alphabet = "aB1_./\\:@+-'# \xCC\x81\xE2\x80\x99\xFF支";
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 80, ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    for (const Term& term : Analyzer().analyze(text)) {
      ASSERT_LE(term.text.size(), kMaxTermBytes);
      ASSERT_FALSE(term.text.empty());
      ASSERT_LT(term.begin, term.end);
      ASSERT_LE(term.end, text.size());
    }
  }
}

}  // namespace
}  // namespace precedent
