#include "ingest/chunks/document_chunks.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

Document runbook() {
  Document d;
  d.id = "kb-1";
  d.kind = Kind::kRunbook;
  d.title = "Redis failover";
  d.body = "# Redis failover\n\nPromote the replica.\n";
  return d;
}

TEST(DocumentChunks, WithoutAttributesAreThoseOfTheBody) {
  const Document d = runbook();
  EXPECT_EQ(document_chunks(d, estimate_pieces, {}), chunk(d, estimate_pieces, {}));
}

TEST(DocumentChunks, AttributesBecomeALastSectionWithoutLines) {
  Document d = runbook();
  d.attributes["oncall"] = "storage-primary";
  const std::vector<Chunk> chunks = document_chunks(d, estimate_pieces, {});
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[1].ordinal, 1u);
  EXPECT_EQ(chunks[1].lines, LineRange{});
  EXPECT_EQ(chunks[1].heading, std::vector<std::string>{"Details"});
  EXPECT_NE(chunks[1].text.find("storage-primary"), std::string::npos);
}

TEST(DocumentChunks, EachItemOfAListCarriesItsLabel) {
  Document d = runbook();
  d.attributes["escalation"] =
      R"(["the lead of the storage team after ten minutes","the head of platform after twenty minutes"])";
  const std::string text = document_chunks(d, estimate_pieces, {}).back().text;
  EXPECT_NE(text.find("- Escalation: the lead of the storage team"), std::string::npos) << text;
  EXPECT_NE(text.find("- Escalation: the head of platform"), std::string::npos) << text;
}

TEST(DocumentChunks, ADocumentOfAttributesAloneHasNoEmptyChunk) {
  Document d = runbook();
  d.body.clear();
  d.attributes["team"] = "Storage";
  const std::vector<Chunk> chunks = document_chunks(d, estimate_pieces, {});
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_NE(chunks[0].text.find("Storage"), std::string::npos);
}

// Wherever the body is cut, no piece has a value whose name stands in the one before.
TEST(DocumentChunks, NoChunkHoldsASecretThatACutPartedFromItsName) {
  for (size_t words = 0; words < 60; ++words) {
    Document d = runbook();
    d.body.clear();
    for (size_t i = 0; i < words; ++i) d.body += "lorem ";
    d.body += "password: correct-horse, next\n\nlast line\n";
    Limits limits;
    limits.max_chunk_pieces = 16;
    const std::vector<Chunk> chunks = document_chunks(d, estimate_pieces, limits);
    for (const Chunk& chunk : chunks)
      EXPECT_FALSE(chunk.text.contains("correct-horse")) << words << ": " << chunk.text;
  }
}

TEST(DocumentChunks, LinesStayTrueBehindASecretOfSeveral) {
  Document d = runbook();
  d.body =
      "# A\n\n-----BEGIN PRIVATE KEY-----\nMIIE\nMIIE\n-----END PRIVATE KEY-----\n\n# "
      "B\n\nRestart.\n";
  const std::vector<Chunk> chunks = document_chunks(d, estimate_pieces, {});
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0].text, "# A\n\n[redacted:private-key]\n\n\n\n\n# B\n\nRestart.");
  EXPECT_EQ(chunks[0].lines, (LineRange{1, 10}));
}

TEST(DocumentChunks, AttributesAreJudgedWithTheirNames) {
  Document d = runbook();
  d.attributes["db_password"] = "swordfish";
  EXPECT_FALSE(document_chunks(d, estimate_pieces, {}).back().text.contains("swordfish"));
}

}  // namespace
}  // namespace precedent
