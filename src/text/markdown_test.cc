#include "text/markdown.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <md4c.h>

#include <random>

#include "base/strings.h"

namespace precedent {
namespace {

constexpr std::string_view kNames[] = {"heading", "text",  "item", "code",
                                       "table",   "quote", "html", "rule"};

// One line a block: "kind level/depth first-last label| content".
std::string describe(std::string_view source) {
  std::string out;
  for (const Block& b : parse_blocks(source)) {
    out += fmt::format("{} {}/{} {}-{} {}|{}\n", kNames[static_cast<size_t>(b.kind)], b.level,
                       b.depth, b.first_line, b.last_line, b.label, squeeze(b.content.in(source)));
  }
  return out;
}

struct Case {
  std::string_view source, blocks;
};
void PrintTo(const Case& c, std::ostream* out) { *out << '\n' << c.source; }

class BlocksTable : public testing::TestWithParam<Case> {};
TEST_P(BlocksTable, AreFound) { EXPECT_EQ(describe(GetParam().source), GetParam().blocks); }

INSTANTIATE_TEST_SUITE_P(
    Markdown, BlocksTable,
    testing::Values(
        Case{"", ""}, Case{"\n \n\t\n", ""},
        Case{"a\nb\n\nc", "text 0/0 1-2 |a b\ntext 0/0 4-4 |c\n"},
        Case{"# A #\n## C#\n####### x\n#y",
             "heading 1/0 1-1 |A\nheading 2/0 2-2 |C#\ntext 0/0 3-4 |####### x #y\n"},
        Case{"A\n===\nB\nb\n---\n---",
             "heading 1/0 1-2 |A\nheading 2/0 3-5 |B b\nrule 0/0 6-6 |---\n"},
        Case{"#\n##", "heading 1/0 1-1 |\nheading 2/0 2-2 |\n"},
        Case{"```sh\nls # x\n\n- y\n```\nz", "code 0/0 1-5 sh|ls # x - y\ntext 0/0 6-6 |z\n"},
        Case{"~~~~ yaml {1}\n~~~\n~~~~", "code 0/0 1-3 yaml|~~~\n"},
        Case{"```\nnever closed", "code 0/0 1-2 |never closed\n"},
        Case{"``` not `a` fence", "text 0/0 1-1 |``` not `a` fence\n"},
        Case{"a\n\n    code\n\n    more\nb",
             "text 0/0 1-1 |a\ncode 0/0 3-5 |code more\ntext 0/0 6-6 |b\n"},
        Case{"a\n    not code", "text 0/0 1-2 |a not code\n"},
        Case{"- a\n  b\nlazy\n- c\n\ntext",
             "item 0/1 1-3 -|a b lazy\nitem 0/1 4-4 -|c\ntext 0/0 6-6 |text\n"},
        Case{"1. Run\n   ```sh\n   ls\n   ```\n2. Check",
             "item 0/1 1-1 1.|Run\ncode 0/1 2-4 sh|ls\nitem 0/1 5-5 2.|Check\n"},
        Case{"1. Run\n\n       ls\n\n   then\n2) x",
             "item 0/1 1-1 1.|Run\ncode 0/1 3-3 |ls\ntext 0/1 5-5 |then\nitem 0/1 6-6 2)|x\n"},
        Case{"- a\n  - b\n    - c\n- d",
             "item 0/1 1-1 -|a\nitem 0/2 2-2 -|b\nitem 0/3 3-3 -|c\nitem 0/1 4-4 -|d\n"},
        Case{"- - x", "item 0/2 1-1 -|x\n"},
        Case{"in\n2020. That year\n-\n", "heading 2/0 1-3 |in 2020. That year\n"},
        Case{"it was\n1. one", "text 0/0 1-1 |it was\nitem 0/1 2-2 1.|one\n"},
        Case{"- ```sh\n  ls\n  ```\n- b", "code 0/1 1-3 sh|ls\nitem 0/1 4-4 -|b\n"},
        Case{"* * *\n***\n- - -", "rule 0/0 1-1 |* * *\nrule 0/0 2-2 |***\nrule 0/0 3-3 |- - -\n"},
        Case{"> a\n> b\nlazy\n\nc", "quote 0/0 1-3 |a > b lazy\ntext 0/0 5-5 |c\n"},
        Case{"|a|b|\n|-|:-:|\n|1|2|\n\nx", "table 0/0 1-3 ||a|b| |-|:-:| |1|2|\ntext 0/0 5-5 |x\n"},
        Case{"x\na | b\n--|--\n1 | 2", "text 0/0 1-1 |x\ntable 0/0 2-4 |a | b --|-- 1 | 2\n"},
        Case{"a | b\n--|--|--", "text 0/0 1-2 |a | b --|--|--\n"},
        Case{"<div>\n\n*x*\n</div>",
             "html 0/0 1-1 |<div>\ntext 0/0 3-3 |*x*\nhtml 0/0 4-4 |</div>\n"},
        Case{"<!-- a\n\nb -->\nc", "html 0/0 1-3 |<!-- a b -->\ntext 0/0 4-4 |c\n"},
        Case{"a\r\n\r\n# B\r\n", "text 0/0 1-1 |a\nheading 1/0 3-3 |B\n"}));

TEST(Blocks, QuoteContentBeginsBehindItsMark) {
  const std::string_view source = "> a";
  EXPECT_EQ(parse_blocks(source)[0].content.in(source), "a");
}

// --- The oracle: md4c's view of the same text, as far as this scanner promises to agree.

struct Seen {
  std::vector<std::string> found;
  std::string text;
  int quotes = 0;
};

int enter(MD_BLOCKTYPE type, void*, void* user) {
  auto& seen = *static_cast<Seen*>(user);
  if (type == MD_BLOCK_QUOTE) ++seen.quotes;
  if (type == MD_BLOCK_LI && seen.quotes == 0) seen.found.push_back("item");
  seen.text.clear();
  return 0;
}
int leave(MD_BLOCKTYPE type, void* detail, void* user) {
  auto& seen = *static_cast<Seen*>(user);
  if (type == MD_BLOCK_QUOTE) --seen.quotes;
  if (seen.quotes > 0) return 0;
  if (type == MD_BLOCK_H) {
    seen.found.push_back(
        fmt::format("h{} {}", static_cast<MD_BLOCK_H_DETAIL*>(detail)->level, squeeze(seen.text)));
  } else if (type == MD_BLOCK_CODE) {
    const MD_ATTRIBUTE& lang = static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang;
    seen.found.push_back(
        fmt::format("code {}|{}", std::string_view(lang.text, lang.size), squeeze(seen.text)));
  } else if (type == MD_BLOCK_TD || type == MD_BLOCK_TH) {
    seen.found.push_back("cell " + squeeze(seen.text));
  } else if (type == MD_BLOCK_P) {
    seen.found.push_back("p " + squeeze(seen.text));
  }
  return 0;
}
int span(MD_SPANTYPE, void*, void*) { return 0; }
int text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
  auto& out = static_cast<Seen*>(user)->text;
  if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR) {
    out += ' ';
  } else {
    out.append(text, size);
  }
  return 0;
}

std::vector<std::string> by_md4c(std::string_view source) {
  MD_PARSER parser = {};
  parser.flags = MD_FLAG_TABLES;
  parser.enter_block = enter;
  parser.leave_block = leave;
  parser.enter_span = parser.leave_span = span;
  parser.text = text;
  Seen seen;
  EXPECT_EQ(md_parse(source.data(), static_cast<MD_SIZE>(source.size()), &parser, &seen), 0);
  return seen.found;
}

// Paragraphs are not compared: md4c reports tight items without any. It pads short rows, too.
std::vector<std::string> headings_code_and_cells(std::vector<std::string> all) {
  std::erase_if(
      all, [](const std::string& s) { return s.starts_with("p ") || s == "item" || s == "cell "; });
  return all;
}

std::vector<std::string> by_scanner(std::string_view source) {
  std::vector<std::string> found;
  for (const Block& b : parse_blocks(source)) {
    const std::string content = squeeze(b.content.in(source));
    if (b.kind == BlockKind::kHeading) {
      found.push_back(fmt::format("h{} {}", b.level, content));
    } else if (b.kind == BlockKind::kCode) {
      found.push_back(fmt::format("code {}|{}", b.label, content));
    } else if (b.kind == BlockKind::kTable) {
      const Table table = read_table(source, b);
      for (const std::string& cell : table.header.cells) found.push_back("cell " + cell);
      for (const TableRow& row : table.rows) {
        for (const std::string& cell : row.cells) found.push_back("cell " + cell);
      }
    }
  }
  return found;
}

// No fences inside of list items here: md4c 0.4.8 takes any fence behind such an item for the
// closing one.
TEST(Blocks, AgreeWithMd4cOnRandomDocuments) {
  constexpr std::string_view kLines[] = {"# one",
                                         "## two ##",
                                         "plain words",
                                         "more words",
                                         "",
                                         "",
                                         "",
                                         "- item",
                                         "  - nested",
                                         "    deep",
                                         "1. first",
                                         "2. second",
                                         "   in the item",
                                         "```",
                                         "```sh",
                                         "    code",
                                         "---",
                                         "===",
                                         "> quoted",
                                         "***",
                                         "+ plus",
                                         "  two",
                                         "      six",
                                         "* star",
                                         "\n| a | b |\n|---|---|\n| 1 | 2 |\n",
                                         "\ttab",
                                         "10. ten",
                                         "~~~"};
  std::mt19937 random(11);
  for (int round = 0; round < 20'000; ++round) {
    std::string source;
    for (size_t lines = 1 + random() % 9; lines > 0; --lines) {
      source += kLines[random() % std::size(kLines)];
      source += '\n';
    }
    // A quote is one block here and a container there.
    if (source.find('>') != std::string::npos && random() % 4 != 0) continue;
    ASSERT_EQ(by_scanner(source), headings_code_and_cells(by_md4c(source))) << source;
  }
}

// --- Properties that hold for any text.

void check_partition(std::string_view source) {
  uint32_t at = 0;
  for (const Block& b : parse_blocks(source)) {
    ASSERT_LE(at, b.bytes.begin);
    ASSERT_EQ(trim(source.substr(at, b.bytes.begin - at)), "") << "between blocks of:\n" << source;
    ASSERT_LT(b.bytes.begin, b.bytes.end);
    ASSERT_LE(b.bytes.begin, b.content.begin);
    ASSERT_LE(b.content.begin, b.content.end);
    ASSERT_LE(b.content.end, b.bytes.end);
    ASSERT_EQ(b.first_line, 1 + std::count(source.begin(), source.begin() + b.bytes.begin, '\n'));
    at = b.bytes.end;
  }
  ASSERT_EQ(trim(source.substr(at)), "") << source;
}

TEST(Blocks, HoldEveryLineThatIsNotBlank) {
  std::mt19937 random(5);
  const std::string_view alphabet = "a#>-+*_`~|<!/= \t1.)\n\n\r:\\";
  for (int round = 0; round < 20'000; ++round) {
    std::string source(random() % 60, ' ');
    for (char& c : source) c = alphabet[random() % alphabet.size()];
    check_partition(source);
    for (const Block& b : parse_blocks(source)) {
      if (b.kind == BlockKind::kTable) read_table(source, b);
    }
  }
}

TEST(Tables, GiveHeaderAndRows) {
  const std::string_view source =
      "x\n\n| Flag | Meaning |\n|:--|--|\n| `a` | b \\| c |\n| **d** |\n";
  const Table table = read_table(source, parse_blocks(source)[1]);
  EXPECT_EQ(table.header.cells, (std::vector<std::string>{"Flag", "Meaning"}));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].cells, (std::vector<std::string>{"a", "b | c"}));
  EXPECT_EQ(table.rows[1].cells, (std::vector<std::string>{"d"}));
  EXPECT_EQ(table.rows[0].line, 5u);
  EXPECT_EQ(table.rows[1].bytes.in(source), "| **d** |");
}

TEST(Sections, KnowTheirHeadings) {
  const std::string_view source =
      "intro\n# A `x`\n## B\ntext\n#### D\n## C\n- # not a section\n# E\n";
  std::vector<std::string> paths;
  for (const Section& s : find_sections(source, parse_blocks(source)))
    paths.push_back(join(s.path, " > "));
  EXPECT_EQ(paths, (std::vector<std::string>{"", "A x", "A x > B", "A x > B > D", "A x > C", "E"}));
}

struct Plain {
  std::string_view markdown, text;
};
void PrintTo(const Plain& p, std::ostream* out) { *out << p.markdown; }

class PlainTextTable : public testing::TestWithParam<Plain> {};
TEST_P(PlainTextTable, IsWhatAReaderSees) {
  EXPECT_EQ(plain_text(GetParam().markdown), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Markdown, PlainTextTable,
    testing::Values(
        Plain{"", ""}, Plain{"  a\n b ", "a b"}, Plain{"**bold** _it_ ~~gone~~", "bold it gone"},
        Plain{"see [the *runbook*](http://x/y_z)", "see the runbook"},
        Plain{"![alt](i.png) x", "alt x"}, Plain{"run `kubectl get *`", "run kubectl get *"},
        Plain{"a &amp; b &lt; &#x41; &unknown;", "a & b < A &unknown;"},
        Plain{"a<br/>b <b>c</b>", "a b c"}, Plain{"<https://x.example>", "https://x.example"},
        Plain{"kube_pod_status a*b", "kube_pod_status a*b"}, Plain{"\\*not\\*", "*not*"},
        Plain{"1. *do* it", "1. do it"}, Plain{"# *x*", "# x"}, Plain{"```x```", "x"},
        Plain{"*a", "*a"}, Plain{"_x_", "x"}, Plain{"said\n> > so > 5", "said so > 5"},
        Plain{"[x]: http://y `z`", "[x]: http://y z"}));

}  // namespace
}  // namespace precedent
