#include "text/sentences.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "base/strings.h"

namespace precedent {
namespace {

struct Case {
  std::string_view text;
  std::vector<std::string_view> sentences;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.text; }

class SentencesTable : public testing::TestWithParam<Case> {};

TEST_P(SentencesTable, AreFound) {
  std::vector<std::string_view> found;
  for (const TextRange& range : split_sentences(GetParam().text))
    found.push_back(range.in(GetParam().text));
  EXPECT_EQ(found, GetParam().sentences);
}

INSTANTIATE_TEST_SUITE_P(
    Prose, SentencesTable,
    testing::Values(
        Case{"", {}}, Case{"  \n ", {}}, Case{"No stop", {"No stop"}},
        Case{"One. Two! Three? Four", {"One.", "Two!", "Three?", "Four"}},
        Case{"It failed.\nkubectl hung.", {"It failed.", "kubectl hung."}},
        Case{"Use a flag, e.g. --all, i.e. every pod.",
             {"Use a flag, e.g. --all, i.e. every pod."}},
        Case{"Pods, nodes, etc. are listed. Disks vs. memory.",
             {"Pods, nodes, etc. are listed.", "Disks vs. memory."}},
        Case{"Pods, nodes, etc. They fail.", {"Pods, nodes, etc.", "They fail."}},
        Case{"See No. 5 there. The answer is no. We go.",
             {"See No. 5 there.", "The answer is no.", "We go."}},
        Case{"v1.2.3 broke app.conf at 10.0.0.1. Roll back to 1.2. Done.",
             {"v1.2.3 broke app.conf at 10.0.0.1.", "Roll back to 1.2.", "Done."}},
        Case{"1. Restart it. 2. Wait.", {"1. Restart it.", "2. Wait."}},
        Case{"Step 1. Drain the node. Step 2. Wait.", {"Step 1. Drain the node.", "Step 2. Wait."}},
        Case{"See https://a.example/b.html?x=1. Then go.",
             {"See https://a.example/b.html?x=1.", "Then go."}},
        Case{"Wait... then retry. Hm... Next", {"Wait... then retry.", "Hm...", "Next"}},
        Case{"Run `a. B. c` now. Then `x`.", {"Run `a. B. c` now.", "Then `x`."}},
        Case{"An open ` tick. Next one.", {"An open ` tick.", "Next one."}},
        Case{"Run ``a ` b. C`` now. Ok.", {"Run ``a ` b. C`` now.", "Ok."}},
        Case{"He said \"stop.\" Then (really.) it did.",
             {"He said \"stop.\"", "Then (really.)", "it did."}},
        Case{"**Stop.** Go.", {"**Stop.**", "Go."}}, Case{"What?! Yes.", {"What?!", "Yes."}},
        Case{"J. Doe fixed it. OK.", {"J. Doe fixed it.", "OK."}},
        Case{"We chose plan B. It held.", {"We chose plan B.", "It held."}},
        Case{"支付失败。重启服务！好", {"支付失败。", "重启服务！", "好"}},
        Case{"It took 5 min. It was down. At 3 p.m. it rose.",
             {"It took 5 min.", "It was down.", "At 3 p.m. it rose."}}));

TEST(Sentences, LoseNothing) {
  std::mt19937 random(3);
  const std::string_view alphabet = "ab1.!?`\"') \n\xE3\x80\x82";
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 50, ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    uint32_t at = 0;
    for (const TextRange& range : split_sentences(text)) {
      ASSERT_EQ(trim(std::string_view(text).substr(at, range.begin - at)), "") << text;
      ASSERT_LT(range.begin, range.end);
      at = range.end;
    }
    ASSERT_EQ(trim(std::string_view(text).substr(at)), "") << text;
  }
}

TEST(Units, AreWhatAnAnswerMayQuote) {
  const std::string_view source =
      "# Fix it\nFirst. Second\nline.\n\n- Drain. Wait.\n```sh\nkubectl drain\n\n  ls\n```\n\n"
      "| a | b |\n|---|---|\n| 1 | 2 |\n\n> Quoted.\n\n---\n";
  std::vector<std::string> found;
  for (const Unit& unit : find_units(source, parse_blocks(source))) {
    found.push_back(fmt::format("{} {}: {}", static_cast<int>(unit.kind), unit.line,
                                squeeze(unit.bytes.in(source))));
  }
  EXPECT_EQ(found, (std::vector<std::string>{"1 1: Fix it", "0 2: First.", "0 2: Second line.",
                                             "0 5: Drain.", "0 5: Wait.", "3 7: kubectl drain",
                                             "3 9: ls", "2 14: | 1 | 2 |", "0 16: Quoted."}));
}

}  // namespace
}  // namespace precedent
