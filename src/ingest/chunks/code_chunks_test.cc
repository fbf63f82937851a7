#include "ingest/chunks/code_chunks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "ingest/chunks/chunker.h"
#include "ingest/chunks/ctags.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Document file(std::string body) {
  Document d;
  d.kind = Kind::kCode;
  d.title = d.path = "src/build.cc";
  d.body = std::move(body);
  return d;
}

std::vector<Chunk> cut(const Document& d, const std::vector<Symbol>& symbols) {
  return code_chunks(d, symbols, estimate_pieces, {});
}

std::string function(const std::string& name, size_t lines) {
  std::string text = "// About " + name + ".\nvoid " + name + "() {\n";
  for (size_t i = 0; i < lines; ++i)
    text += "  call_number_" + std::to_string(i) + "(first, second);\n";
  return text + "}\n";
}

TEST(CodeChunks, AFunctionStaysWithTheCommentAboveIt) {
  const Document d = file(function("first", 12) + "\n" + function("second", 12));
  // Lines: 1 comment, 2–15 first, 16 blank, 17 comment, 18–31 second.
  const auto chunks = cut(d, {{"first", 2, 15}, {"second", 18, 31}});
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_TRUE(chunks[0].text.starts_with("// About first."));
  EXPECT_EQ(chunks[0].lines, (LineRange{1, 15}));
  EXPECT_THAT(chunks[0].heading, ElementsAre("first"));
  EXPECT_TRUE(chunks[1].text.starts_with("// About second."));
  EXPECT_EQ(chunks[1].lines, (LineRange{17, 31}));
  EXPECT_THAT(chunks[1].heading, ElementsAre("second"));
}

TEST(CodeChunks, SmallNeighboursAreJoined) {
  const auto chunks = cut(file(function("a", 1) + function("b", 1)), {{"a", 2, 4}, {"b", 6, 8}});
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_THAT(chunks[0].heading, ElementsAre("a", "b"));
}

TEST(CodeChunks, TheRestOfALongFunctionKnowsItsName) {
  const auto chunks = cut(file(function("large", 60)), {{"large", 2, 63}});
  ASSERT_GT(chunks.size(), 2u);
  for (const Chunk& chunk : chunks) EXPECT_THAT(chunk.heading, ElementsAre("large"));
}

TEST(CodeChunks, EveryLineIsInExactlyOneChunkAndNoneIsTooLong) {
  std::string body;
  std::vector<Symbol> symbols;
  uint32_t line = 1;
  for (size_t i = 0; i < 40; ++i) {
    const std::string name = "f" + std::to_string(i);
    const size_t lines = i * 7 % 50;
    body += function(name, lines) + "\n";
    symbols.push_back({name, line + 1, line + 2 + static_cast<uint32_t>(lines)});
    line += static_cast<uint32_t>(lines) + 4;
  }
  body += "int table[] = {" + std::string(20'000, '7') + "};\n";
  for (const bool with_symbols : {true, false}) {
    const Document d = file(body);
    const auto chunks = cut(d, with_symbols ? symbols : std::vector<Symbol>());
    const std::vector<std::string_view> lines = split_lines(body);
    uint32_t next = 1;
    for (size_t i = 0; i < chunks.size(); ++i) {
      const Chunk& chunk = chunks[i];
      EXPECT_EQ(chunk.ordinal, i);
      EXPECT_LE(estimate_pieces(embedding_text(d, chunk)) + 2, Limits{}.max_chunk_pieces);
      EXPECT_LE(chunk.text.size(), 4096u);
      for (; next < chunk.lines.begin; ++next) EXPECT_EQ(trim(lines[next - 1]), "") << next;
      if (chunk.lines.begin == lines.size()) continue;  // the long line, cut
      EXPECT_TRUE(chunk.text.starts_with(lines[chunk.lines.begin - 1]));
      EXPECT_TRUE(chunk.text.ends_with(lines[chunk.lines.end - 1]));
      next = chunk.lines.end + 1;
    }
    EXPECT_EQ(chunks.back().lines.end, lines.size());
  }
}

TEST(CodeChunks, NothingGivesOneEmptyChunk) {
  for (const char* body : {"", "\n\n", "  \n"}) {
    const auto chunks = cut(file(body), {{"ghost", 7, 9}});
    ASSERT_EQ(chunks.size(), 1u);
    EXPECT_EQ(chunks[0].text, "");
  }
}

TEST(CodeChunks, APreprocessorLineIsNoHeading) {
  Document d = file("# define X 1\n");
  d.title = "X";
  EXPECT_EQ(embedding_text(d, cut(d, {})[0]), "X\n# define X 1");
}

TEST(CtagsLine, SymbolsWithTheirScope) {
  const auto read = [](const char* line) { return read_ctags_line(line); };
  EXPECT_EQ(
      read(
          R"({"_type":"tag","name":"Start","line":4,"end":9,"kind":"function","scope":"Plan","language":"C++"})")
          .symbol,
      (Symbol{"Plan::Start", 4, 9}));
  EXPECT_EQ(
      read(
          R"j({"_type":"tag","name":"run","line":4,"kind":"member","signature":"(self)","scope":"Job","language":"Python"
})j")
          .symbol,
      (Symbol{"Job.run", 4, 4}));
  EXPECT_EQ(
      read(
          R"({"_type":"tag","name":"Go","line":4,"kind":"class","scope":"__anon12::__anon3","language":"C++"})")
          .symbol.name,
      "Go");
  for (const char* other :
       {R"({"_type":"tag","name":"size_","line":4,"kind":"member"})",
        R"({"_type":"tag","name":"x"})",
        R"({"_type":"tag","name":"f","line":-4,"kind":"function"})", R"({"_type":"program"})"})
    EXPECT_EQ(read(other).kind, CtagsLine::Kind::kOther) << other;
  for (const char* broken : {"", "[]", "{\"_type\":\"error\"}", "ctags: usage", "\xff"})
    EXPECT_EQ(read(broken).kind, CtagsLine::Kind::kError) << broken;
  EXPECT_EQ(read(R"({"_type":"completed"})").kind, CtagsLine::Kind::kCompleted);
}

TEST(Ctags, FindsDefinitions) {
  const Ctags ctags;
  if (!ctags.available()) GTEST_SKIP() << ctags.missing();
  const auto symbols = ctags.symbols(
      "a.cc", "class Plan {\n public:\n  int Start() { return 1; }\n  int size_;\n};\n");
  EXPECT_THAT(symbols, ElementsAre(Symbol{"Plan", 1, 5}, Symbol{"Plan::Start", 3, 3}));
  EXPECT_THAT(ctags.symbols("a.unknown", "hello\n"), IsEmpty());
  // Of a long path the end tells the language. Ctags takes ten seconds for the whole, more than it
  // is given.
  std::string path;
  while (path.size() < 4000) path += "folder/";
  EXPECT_EQ(ctags.symbols(path + std::string(1000, 'n') + ".py", "def run():\n  pass\n").size(),
            1u);
  // And it goes on.
  EXPECT_EQ(ctags.symbols("b.py", "def run():\n  pass\n").size(), 1u);
}

TEST(Ctags, WithoutTheProgramThereAreNoSymbolsAndAReason) {
  for (const char* program : {"/nonexistent/ctags", "/bin/cat", "/bin/true"}) {
    const Ctags ctags(program);
    EXPECT_FALSE(ctags.available()) << program;
    EXPECT_THAT(ctags.missing(), testing::HasSubstr("install the package universal-ctags"));
    EXPECT_THAT(ctags.symbols("a.cc", "int f() { return 1; }"), IsEmpty());
  }
}

}  // namespace
}  // namespace precedent
