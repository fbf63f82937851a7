// What matches a sentence with the receipts: alignment, clause context, denied clauses, polarity.
#include <gtest/gtest.h>

#include "grounding/matching/alignment.h"
#include "grounding/matching/clause_context.h"
#include "grounding/matching/clause_denial.h"
#include "grounding/matching/polarity.h"
#include "grounding/text/lexer.h"

namespace precedent {
namespace {

// A sentence beside what one receipt says.
struct Beside {
  Beside(std::string_view receipt_text, std::string_view said)
      : index(index_of(receipt_text)),
        sentence(lexed(said)),
        records(index.records().size(), true),
        alignment(index, sentence, records) {}

  static ReceiptIndex index_of(std::string_view text) {
    Receipt receipt;
    receipt.id = "R1";
    receipt.text = text;
    return ReceiptIndex(std::span(&receipt, 1));
  }
  static LexedText lexed(std::string_view text) {
    LexedText out;
    lex(text, 0, out);
    return out;
  }
  // The first token of the sentence that is `word`, and the first of the receipt.
  size_t token(std::string_view word) const {
    const LexedText one = lexed(word);
    for (size_t i = 0; i < sentence.tokens.size(); ++i)
      if (sentence.tokens[i].term == one.tokens.front().term) return i;
    return SIZE_MAX;
  }
  uint32_t place(std::string_view word) const {
    const auto places = index.postings_of(lexed(word).tokens.front().term);
    return places.empty() ? UINT32_MAX : places.front();
  }

  ReceiptIndex index;
  LexedText sentence;
  std::vector<bool> records;
  Alignment alignment;
};

constexpr std::string_view kHarbour =
    "- The crane controller lost its heartbeat at 04:10.\n"
    "- The gate queue grew to 90 trucks.\n"
    "- Berth planning was not affected.\n";

TEST(Alignment, TheBestPassageIsTheLineThatHasTheWords) {
  const Beside beside(kHarbour, "The queue at the gate grew.");
  ASSERT_FALSE(beside.alignment.passages().empty());
  const uint32_t best = beside.alignment.passages().front();
  EXPECT_NE(beside.index.said(best).find("gate queue"), std::string_view::npos);
  EXPECT_EQ(beside.alignment.rank(best), 0u);
}

TEST(Alignment, ASentenceOfOtherThingsHasNoPassage) {
  const Beside beside(kHarbour, "Invoices went missing yesterday.");
  EXPECT_TRUE(beside.alignment.passages().empty());
  EXPECT_FALSE(beside.alignment.held(beside.token("invoices")));
}

TEST(Alignment, AFactIsNearerToTheWordsOfItsOwnLine) {
  const Beside beside("- checkout-api retried each call.\n- payment-service starved for threads.\n",
                      "payment-service starved");
  const size_t at = beside.token("payment-service");
  ASSERT_NE(at, SIZE_MAX);
  EXPECT_GT(beside.alignment.affinity(at, beside.place("payment-service")).sum,
            beside.alignment.affinity(at, beside.place("checkout-api")).sum);
}

TEST(ClauseContext, TellsWhoDidWhatWithinOneLine) {
  const Beside beside("checkout-api retried, so payment-service starved.\n",
                      "payment-service retried, so checkout-api starved.");
  const ClauseContext context(beside.sentence, beside.index, beside.token("payment-service"));
  // In the sentence it is the one that retried, which in the receipt is the other.
  EXPECT_GT(context.at(beside.place("checkout-api")).sum,
            context.at(beside.place("payment-service")).sum);
}

TEST(ClauseDenial, AClauseThatTheReceiptAffirmsMayNotBeDenied) {
  const std::string_view receipt = "The courier collected the parcels of hall 3.\n";
  const auto flipped = [&](std::string_view said) {
    const Beside beside(receipt, said);
    return find_clause_denial(beside.sentence, beside.index, beside.alignment, beside.records)
        .has_value();
  };
  EXPECT_TRUE(flipped("The courier never collected the parcels of hall 3."));
  EXPECT_FALSE(flipped("The courier collected the parcels of hall 3."));
}

TEST(Polarity, ADenialOfTheReceiptMayNotBeLeftOut) {
  const auto flipped = [&](std::string_view said) {
    const Beside beside(kHarbour, said);
    return find_flip(beside.sentence, beside.index, beside.alignment, beside.records).has_value();
  };
  EXPECT_TRUE(flipped("Berth planning was affected."));
  EXPECT_FALSE(flipped("Berth planning was not affected."));
}

}  // namespace
}  // namespace precedent
