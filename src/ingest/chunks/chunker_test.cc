#include "ingest/chunks/chunker.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>

#include "base/strings.h"

namespace precedent {
namespace {

// One piece a word: what the cases below count in.
size_t words(std::string_view text) {
  std::istringstream in{std::string(text)};
  return static_cast<size_t>(std::distance(std::istream_iterator<std::string>(in), {}));
}

std::string many(std::string_view word, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += fmt::format("{}{}{}", i == 0 ? "" : " ", word, i);
  return out;
}

Document document(std::string body) {
  Document d;
  d.id = "x";
  d.title = "The title";
  d.body = std::move(body);
  return d;
}

std::vector<Chunk> cut(const std::string& body, const PieceCounter& count = words) {
  return chunk(document(body), count, Limits{});
}

// Every word is said somewhere, every line is covered, and nothing is too long.
void check_properties(const Document& d, const PieceCounter& count, bool words_may_be_cut = false) {
  const std::vector<Chunk> chunks = chunk(d, count, Limits{});
  std::map<std::string, int> missing;
  std::string word;
  for (std::istringstream in(d.body); in >> word;) ++missing[word];
  const std::vector<std::string_view> lines = split_lines(d.body);
  std::vector<bool> covered(lines.size() + 2);
  for (size_t i = 0; i < chunks.size(); ++i) {
    const Chunk& c = chunks[i];
    ASSERT_EQ(c.ordinal, i);
    ASSERT_LE(count(embedding_text(d, c)) + 2, Limits{}.max_chunk_pieces) << c.text;
    ASSERT_LE(c.text.size(), 6000u);
    for (std::istringstream in(c.text); in >> word;) --missing[word];
    for (uint32_t line = c.lines.begin; line <= c.lines.end; ++line) covered.at(line) = true;
  }
  if (!words_may_be_cut) {
    for (const auto& [text, count_left] : missing)
      ASSERT_LE(count_left, 0) << text << " is lost from\n" << d.body;
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    ASSERT_TRUE(covered[i + 1] || trim(lines[i]).empty()) << "line " << i + 1 << " of\n" << d.body;
  }
}

TEST(Chunker, GivesAChunkToADocumentWithoutText) {
  const std::vector<Chunk> chunks = cut(" \n");
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0], Chunk{});
  EXPECT_EQ(embedding_text(document(""), chunks[0]), "The title");
}

TEST(Chunker, StartsAChunkAtEachSection) {
  const std::string text =
      "# The title\n\n## Impact\n\n" + many("a", 50) + "\n\n## Fix\n\n" + many("b", 50) + "\n";
  const std::vector<Chunk> chunks = cut(text);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[0].heading, (std::vector<std::string>{"Impact"}));
  EXPECT_EQ(chunks[0].lines, (LineRange{1, 5}));
  EXPECT_TRUE(chunks[0].text.starts_with("# The title\n\n## Impact\n\na0 a1"));
  EXPECT_EQ(embedding_text(document(""), chunks[0]), "The title\nImpact\n" + many("a", 50));
  EXPECT_EQ(chunks[1].heading, (std::vector<std::string>{"Fix"}));
  EXPECT_EQ(chunks[1].lines, (LineRange{7, 9}));
}

TEST(Chunker, JoinsTinySiblingsUnderTheirCommonHeading) {
  const std::string text = "## Fix\n\n" + many("x", 60) +
                           "\n\n### One\n\nRestart.\n\n### Two\n\nWait.\n\n## End\n\n" +
                           many("e", 60);
  const std::vector<Chunk> chunks = cut(text);
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[1].heading, (std::vector<std::string>{"Fix"}));
  EXPECT_EQ(chunks[1].text, "### One\n\nRestart.\n\n### Two\n\nWait.");
  EXPECT_EQ(embedding_text(document(""), chunks[1]), "The title\nFix\n" + chunks[1].text);
}

TEST(Chunker, JoinsATinyLastSectionWithTheOneBefore) {
  const std::vector<Chunk> chunks = cut("## A\n\n" + many("a", 60) + "\n\n## B\n\nShort.\n");
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_TRUE(chunks[0].text.ends_with("## B\n\nShort."));
}

TEST(Chunker, RepeatsASentenceWhereItCutsProse) {
  std::string text = "## A\n\n";
  for (int i = 0; i < 40; ++i)
    text += fmt::format("Sentence number {} has nine words in it altogether.\n", i);
  const std::vector<Chunk> chunks = cut(text);
  ASSERT_EQ(chunks.size(), 2u);
  const std::string last = chunks[0].text.substr(chunks[0].text.rfind("Sentence"));
  EXPECT_TRUE(chunks[1].text.starts_with(last)) << last;
  EXPECT_EQ(chunks[1].lines.begin, chunks[0].lines.end);
  EXPECT_EQ(chunks[1].heading, chunks[0].heading);
}

TEST(Chunker, KeepsACodeBlockWhole) {
  const std::string code = "```sh\n" + many("c", 200) + "\n```";
  const std::vector<Chunk> chunks =
      cut(many("a", 100) + ".\n\n" + code + "\n\n" + many("z", 100) + "\n");
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_TRUE(chunks[1].text.ends_with(code));
}

TEST(Chunker, CutsALongCodeBlockBetweenLinesInsideItsFences) {
  std::string text = "```sh\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("run --step {} --and wait\n", i);
  const std::vector<Chunk> chunks = cut(text + "```\n");
  ASSERT_EQ(chunks.size(), 3u);
  for (const Chunk& c : chunks) {
    EXPECT_TRUE(c.text.starts_with("```sh\nrun ")) << c.text;
    EXPECT_TRUE(c.text.ends_with("wait\n```")) << c.text;
  }
  EXPECT_EQ(chunks[1].lines.begin, chunks[0].lines.end + 1);
}

TEST(Chunker, CutsALongTableBetweenRowsUnderItsHeader) {
  std::string text = "| Key | Value |\n|---|---|\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("| k{} | v{} |\n", i, i);
  const std::vector<Chunk> chunks = cut(text);
  ASSERT_EQ(chunks.size(), 3u);
  for (const Chunk& c : chunks)
    EXPECT_TRUE(c.text.starts_with("| Key | Value |\n|---|---|\n| k")) << c.text;
}

TEST(Chunker, CountsLinesOfTheFile) {
  Document d = document("one\n\n# Two\n");
  d.body_line = 11;
  EXPECT_EQ(chunk(d, words, Limits{})[0].lines, (LineRange{11, 13}));
  d.body_line = 0;
  EXPECT_EQ(chunk(d, words, Limits{})[0].lines, (LineRange{0, 0}));
}

TEST(Chunker, LeavesRoomForTheContext) {
  Document d = document("## " + many("heading", 200) + "\n\n" + many("a", 600));
  d.title = many("title", 300);
  check_properties(d, words);
  const std::string text = embedding_text(d, chunk(d, words, Limits{}).at(1));
  EXPECT_TRUE(text.starts_with("title0 title1 ")) << text;
}

TEST(Chunker, KeepsItsPromisesOnRandomDocuments) {
  constexpr std::string_view kLines[] = {"# One",
                                         "## Two",
                                         "### Three",
                                         "",
                                         "",
                                         "Prose with a stop. And more of it, e.g. this.",
                                         "- item one. Two.",
                                         "  1. nested",
                                         "```",
                                         "| a | b |",
                                         "|---|---|",
                                         "| 1 | 2 |",
                                         "    indented",
                                         "> quoted words",
                                         "---",
                                         "word",
                                         "<div>",
                                         "===",
                                         "~~~ yaml"};
  std::mt19937 random(23);
  for (int round = 0; round < 300; ++round) {
    std::string body;
    for (size_t lines = random() % 400; lines > 0; --lines) {
      body += kLines[random() % std::size(kLines)];
      if (random() % 50 == 0) body += " " + many("long", random() % 600);
      body += '\n';
    }
    check_properties(document(body), words);
    check_properties(document(body), estimate_pieces);
  }
}

TEST(Chunker, IsLinearOnHostileText) {
  std::string headings, line(1'000'000, 'x'), spaced;
  for (int i = 0; i < 100'000; ++i) headings += "# h\n";
  while (spaced.size() < 1'000'000) spaced += "word ";
  for (const std::string& body :
       {headings, line, spaced, "```\n" + line, "| a | b |\n|--|--|\n" + spaced,
        "# " + line + "\n" + headings, std::string(1'000'000, '`')}) {
    check_properties(document(body), estimate_pieces, true);
  }
}

TEST(EstimatePieces, IsNearTheTokenizer) {
  // Counted with BERT's uncased vocabulary.
  EXPECT_NEAR(static_cast<double>(estimate_pieces(
                  "The primary database has failed over, and replicas are catching up.")),
              13, 2);
  EXPECT_EQ(estimate_pieces(""), 0u);
  EXPECT_EQ(estimate_pieces("支付失败"), 4u);
  EXPECT_EQ(estimate_pieces("a.b/c"), 5u);
}

}  // namespace
}  // namespace precedent
