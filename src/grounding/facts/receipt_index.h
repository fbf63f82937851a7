// ReceiptIndex: all receipts of an answer, read once, so that any claim can be held against them.
//
// A receipt's text is cut into records (one incident, one section, one metric: a heading followed
// by its fields) and units (a sentence, a line). What a typed result holds beyond the text joins
// it, as do the arguments of the call: a window that was asked for is a fact, too.
//
// Thread safety: const methods may run in several threads. Lifetime: holds copies; the receipts may
// go. Cost: linear in the receipts' bytes, of which at most kMaxEvidenceBytes are read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grounding/facts/literal_texts.h"
#include "grounding/facts/path_index.h"
#include "grounding/facts/quantity_index.h"
#include "grounding/text/opposed_expressions.h"
#include "grounding/text/tokens.h"
#include "text/markdown.h"
#include "tools/receipt.h"

namespace precedent {

// Twenty receipts of the largest size a model is given (Limits::max_receipt_bytes).
inline constexpr size_t kMaxEvidenceBytes = 20 * 48 * 1024;

struct EvidenceUnit {
  uint32_t first = 0, end = 0;  // tokens, half-open
  uint32_t record = 0;
  uint32_t labels_end =
      0;  // tokens before it are the labels of the one series that a line is about
};

struct EvidenceRecord {
  uint32_t receipt = 0;
  uint32_t first_unit = 0, end_unit = 0;  // half-open
  uint32_t end_header = 0;  // units before it are heading and fields: they are about all of it
  uint32_t end_title = 0;   // units before it are the heading and the title
  uint32_t list_items = 0;  // lines that begin with "- "
  std::vector<uint32_t> header_terms = {};  // ids, ascending: what all of it is about
  std::vector<uint32_t> title_terms = {};   // ids, ascending: of its heading and its title
  std::vector<uint64_t> keys = {};          // ids and paths that name it
};

struct ReceiptPlace {
  std::string id;
  ReceiptStatus status = ReceiptStatus::kOk;
  bool measured = false;       // it tells of metrics and alerts
  bool lists_changes = false;  // with the time of each
  // All that there are: every active alert; every change of its window, of one service or of all.
  bool all_alerts = false, all_changes = false;
  uint32_t base = 0, text_bytes = 0;  // where its text lies among the offsets of the tokens
  uint32_t args = 0;                  // where its arguments begin: what was asked, not found
};

class ReceiptIndex {
 public:
  static constexpr uint32_t kNoTerm = UINT32_MAX;

  explicit ReceiptIndex(std::span<const Receipt> receipts);

  const LexedText& lexed() const { return lexed_; }
  const std::vector<EvidenceUnit>& units() const { return units_; }
  const std::vector<EvidenceRecord>& records() const { return records_; }
  const std::vector<ReceiptPlace>& receipts() const { return receipts_; }
  const ReceiptPlace& receipt_of(uint32_t unit) const {
    return receipts_[records_[units_[unit].record].receipt];
  }
  uint32_t unit_of(uint32_t token) const { return unit_of_[token]; }
  // What a unit says, as it stands there.
  std::string_view said(uint32_t unit) const;
  // Whether a unit has the term.
  bool unit_has(uint32_t unit, uint64_t term) const;
  bool cut() const { return cut_; }  // kMaxEvidenceBytes was reached

  // The number of a term, kNoTerm if no receipt has it.
  uint32_t find(uint64_t term) const;
  uint32_t term_id(uint32_t token) const { return term_ids_[token]; }
  size_t terms() const { return postings_begin_.size() - 1; }
  // The tokens of a term, in order.
  std::span<const uint32_t> postings(uint32_t term) const;
  // The same of any term; none if no receipt has it.
  std::span<const uint32_t> postings_of(uint64_t term) const {
    const uint32_t id = find(term);
    return id == kNoTerm ? std::span<const uint32_t>() : postings(id);
  }
  // How much a term says: the rarer among the units, the more. 0 < idf; an unknown term's is the
  // largest.
  double idf(uint32_t term) const;

  // Whether a token is something that a tool found: not an argument, nor in a sentence of an empty
  // or failed receipt that says what is missing.
  bool is_found(uint32_t token) const;
  // Whether it belongs to the label of a field: "Impacted Application: …".
  bool is_label(uint32_t token) const;
  // Whether a unit gives a reason: it has a causal word, or its field or section is about causes.
  bool gives_cause(uint32_t unit) const { return causal_[unit]; }
  // The same, but "since" and "as", which also tell when, are no causal words.
  bool names_cause(uint32_t unit) const { return named_cause_[unit]; }
  // By find_negation().
  uint8_t negation(uint32_t token) const { return negation_[token]; }
  std::span<const uint8_t> negation() const { return negation_; }
  // By find_opposed_expressions(), of one matter, in order.
  std::span<const OpposedExpression> opposed_expressions(uint16_t matter) const;

  // Tokens of the kind, in order.
  const std::vector<uint32_t>& times() const { return times_; }
  const std::vector<uint32_t>& dates() const { return dates_; }
  std::vector<uint32_t> quantities_near(const Quantity& claimed, Hedge hedge) const {
    return quantities_.near(claimed, hedge);
  }

  // Whether some text or argument holds it literally (literal_texts.h); the same of one of
  // receipts(); and as a whole sentence.
  bool has_literal(std::string_view quoted) const { return texts_.hold(quoted); }
  bool has_literal(std::string_view quoted, uint32_t receipt) const {
    return texts_.hold(quoted, receipt);
  }
  bool has_sentence(std::string_view quoted) const { return texts_.hold_sentence(quoted); }
  // `text` without the instructions to a model that the receipts hold word for word
  // (base/instructions.h): blanks in their place. Who repeats them claims nothing.
  std::string without_instructions(std::string_view text) const;
  PathMatch find_path(std::string_view path, const LineRange& lines) const {
    return paths_.find(path, lines);
  }

 private:
  std::string blank_instructions(std::string_view text);
  // Where the line of each unit from `first_unit` on begins in `text`, which begins at `base`; npos
  // beyond it.
  std::vector<size_t> lines_of(uint32_t first_unit, std::string_view text, uint32_t base) const;
  void cut_records(uint32_t receipt, uint32_t first_unit, std::string_view text,
                   std::span<const size_t> lines);
  void mark_labels(EvidenceUnit& unit, std::string_view text, size_t at);
  void mark_causes(uint32_t first_unit, std::string_view text, std::span<const size_t> lines);
  void index_terms();

  std::string text_;  // of all receipts, one after another
  LexedText lexed_;   // of it
  std::vector<EvidenceUnit> units_;
  std::vector<EvidenceRecord> records_;
  std::vector<ReceiptPlace> receipts_;
  std::vector<uint32_t> unit_of_;                       // by token
  std::vector<uint32_t> term_ids_;                      // by token
  std::vector<uint8_t> negation_;                       // by token
  std::vector<bool> causal_, named_cause_;              // by unit
  std::vector<OpposedExpression> opposed_expressions_;  // by matter, then in order
  std::unordered_map<uint64_t, uint32_t> vocabulary_;
  std::vector<uint32_t> postings_begin_{0};  // by term id, one more
  std::vector<uint32_t> postings_;
  std::vector<uint32_t> times_, dates_;
  QuantityIndex quantities_;
  PathIndex paths_;
  std::string instructions_;  // those that were left out, folded
  LiteralTexts texts_;
  bool cut_ = false;
};

}  // namespace precedent
