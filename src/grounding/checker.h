// The check of one statement against the evidence. Internal to grounding/: see verify.h.
// checker.cc has the order of the checks; checker_references.cc what is cited, named by id or path
// and quoted; checker_facts.cc quantities and
// times; checker_names.cc names; checker_bindings.cc what belongs together; checker_tables.cc what belongs to a row; checker_fields.cc
// what belongs to a label; checker_arithmetic.cc what follows from
// figures; checker_intervals.cc how long it took and what came first; checker_wording.cc words and
// denials; checker_gaps.cc what is missing; checker_outcomes.cc how something ended;
// checker_courses.cc how figures moved; checker_alerts.cc and checker_changes.cc what the receipts list
// of alerts and of changes; checker_roles.cc who did what; checker_owners.cc what stands right beside a
// name; checker_states.cc what is open and what is done; checker_sequences.cc what one word turns round;
// checker_entities.cc which thing a fact belongs to.
//
// Thread safety: belongs to one thread. Lifetime: borrows evidence and answer.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grounding/checks/alignment.h"
#include "grounding/checks/rules.h"
#include "grounding/claim.h"
#include "grounding/facts/dated_events.h"
#include "grounding/facts/receipt_index.h"
#include "grounding/facts/trends.h"
#include "grounding/text/arithmetic.h"
#include "grounding/text/clauses.h"
#include "grounding/text/statements.h"

namespace precedent {

// Of an action or an incident.
enum class ActionState : uint8_t { kOpen, kDone };

class Checker {
 public:
  Checker(std::string_view answer, const ReceiptIndex& evidence, const GroundingRules& rules)
      : answer_(answer),
        evidence_(evidence),
        rules_(rules),
        trends_(find_trends(evidence)),
        events_(find_events(evidence)),
        alerts_(find_active_alerts(evidence)),
        changes_(find_changes(evidence, events_)),
        actions_(find_actions(evidence)) {}

  // None for what claims nothing: an empty heading, a label, a question.
  std::optional<Claim> check(const Statement& statement);

 private:
  struct Fault {
    ClaimKind kind;
    std::string reason;
  };
  using Verdict = std::optional<Fault>;  // none: nothing is wrong

  void check_facts(Alignment& alignment, Claim& claim);
  Verdict check_told(const Alignment& alignment);
  // The records that the citations allow; sets `scoped_`. A citation of what does not exist is a
  // fault.
  Verdict read_citations();
  ReceiptIndex::PathMatch cites_path(const TextRange& bracket);
  Verdict check_cited_words(const TextRange& bracket) const;
  Verdict check_references();
  Verdict check_quotations();
  Verdict check_names(Alignment& alignment);
  Verdict check_quantities(Alignment& alignment);
  Verdict check_times(Alignment& alignment);
  Verdict check_tables(const Alignment& alignment);
  Verdict check_fields();
  Verdict check_compared_fields();
  Verdict check_exchanges();
  bool is_row() const;
  bool is_of_record(uint64_t key, uint64_t term) const;
  Verdict check_comparisons();
  Verdict check_words(const Alignment& alignment);
  Verdict check_polarity(Alignment& alignment);
  Verdict check_absence();
  Verdict check_absent_clauses() const;
  std::optional<Statement> beside_gap() const;
  Verdict check_outcomes();
  bool rolled_back() const;
  Verdict check_denied_cause();
  Verdict check_direction();

  Verdict check_courses();
  Verdict check_alerts();
  Verdict check_order() const;
  Verdict check_always() const;
  Verdict check_change_times() const;
  struct Period {
    double from = -HUGE_VAL, to = HUGE_VAL;  // seconds since the epoch
    Clause tokens;                           // that name it
  };
  std::optional<Period> period_of(size_t first, size_t end) const;
  // What a list says of a clause: what it is not about, it is silent on.
  enum class Listed : uint8_t { kSilent, kProved, kRefuted };
  Listed judge_lists() const;
  Listed judge_no_alert(const Clause& clause) const;
  Listed judge_active_alert(const Clause& clause) const;
  Listed judge_no_change(const Clause& clause) const;
  Listed judge_newest(const Clause& clause) const;
  Listed judge_all_changes(const Clause& clause) const;
  bool is_alerts_name(uint64_t term) const;
  bool is_of_kind(const DatedEvent& change, std::optional<size_t> kind) const;
  bool lists_all_changes(const Period& period, const std::vector<uint64_t>& names) const;
  bool is_number_of_changes(size_t at, size_t wanted) const;
  double latest() const;
  double moment_of(const Mention& mention) const;
  Verdict check_actors() const;
  Verdict check_settings() const;
  Verdict check_causer() const;
  Verdict check_pairings(const Alignment& alignment) const;
  Verdict check_lines() const;
  Verdict check_dated_figures() const;
  Verdict check_line_order() const;
  Verdict check_status();
  Verdict check_items() const;
  static std::vector<std::pair<uint32_t, ActionState>> find_actions(const ReceiptIndex& evidence);
  Verdict check_whole() const;
  Verdict check_possessions() const;
  Verdict check_acts() const;
  Verdict check_people() const;
  Verdict check_own_order() const;
  Verdict check_sequence() const;
  Verdict check_named_order() const;
  Verdict check_bounds() const;
  Verdict check_switches() const;
  Verdict check_change_kinds() const;
  Verdict check_measured_figures() const;
  Verdict check_only() const;
  Verdict check_only_so_many() const;
  Verdict check_owned() const;
  Verdict check_taken_away() const;
  Verdict check_course_after_change() const;
  double told_of(const std::vector<size_t>& cause, const std::vector<size_t>& effect,
                 bool causal) const;

  size_t named_by(uint32_t record) const;
  std::vector<const Trend*> named_courses() const;
  bool measured(const TrendClaim& claim) const;
  bool claims_change_of_unchanged() const;
  bool is_usual_now() const;
  bool ends_elsewhere(uint64_t name) const;
  bool unit_has(uint32_t unit, uint64_t term) const;
  bool any_in_scope(const std::vector<uint64_t>& terms) const;
  std::vector<bool> subject_scope() const;
  bool spelled_otherwise(std::string_view name) const;
  bool gives_causes() const;
  bool stands_in_scope(std::string_view text) const;
  bool is_labelled_quotation(std::string_view body) const;
  bool is_gap() const;
  std::optional<std::vector<size_t>> untold(size_t first, size_t end) const;
  bool told(const std::vector<size_t>& missing, size_t first, size_t end) const;
  Verdict check_untold(Statement& rest, bool& gap) const;
  bool is_general() const;
  ClaimKind kind_of() const;
  bool in_scope(uint32_t token) const;
  bool is_quoted(const Token& token) const;  // of the sentence
  bool is_reference(const Token& token) const;
  bool is_written_together(size_t at) const;
  bool is_rounded_bound(size_t at) const;
  bool is_also_word(uint64_t term) const;
  bool is_former(uint32_t place) const;
  bool in_one_list(uint32_t one, uint32_t other) const;
  std::string_view spelled(const Token& token) const;
  bool stands_in_place(Alignment& alignment, size_t at, const std::vector<uint32_t>& own,
                       const std::vector<uint32_t>& rivals);
  void keep_cited(const std::vector<uint32_t>& own, std::vector<uint32_t>& rivals) const;
  bool shares_subject(uint32_t place) const;
  bool bears_label(size_t at, uint32_t place) const;
  bool of_another_series(uint32_t place) const;
  bool of_other_series(const std::vector<uint32_t>& own) const;
  std::vector<uint32_t> in_passages(const Alignment& alignment, TokenKind kind) const;
  struct Field {
    std::vector<uint64_t> label;  // the words that no other label of the record has
    uint32_t first = 0, end = 0;  // tokens of the receipts behind it, half-open
  };
  std::vector<Field> figure_fields(const EvidenceRecord& record) const;
  const Quantity* figure_of(const Field& field) const;
  bool belongs_to(uint64_t term, size_t at) const;
  bool same_fact(const Token& claimed, const Token& stated) const;
  bool outplaced(size_t at, const std::vector<uint32_t>& own,
                 const std::vector<uint32_t>& rivals) const;
  bool stands_beside(size_t at, const std::vector<uint32_t>& own,
                     const std::vector<uint32_t>& rivals) const;
  bool compares_records() const;
  bool is_of_figure(size_t at, const std::vector<uint32_t>& own) const;
  bool in_span(size_t at, const std::vector<uint32_t>& own) const;
  bool in_header(const std::vector<uint32_t>& places) const;
  bool lies_between(const Alignment& alignment, const Quantity& q, Hedge hedge) const;
  bool between_dates(const Alignment& alignment, const Quantity& q, Hedge hedge) const;
  std::vector<double> days_of(const LexedText& text) const;
  std::vector<const DatedEvent*> events_at(const std::vector<Mention>& mentions) const;
  std::vector<const DatedEvent*> events_near(const Alignment& alignment) const;
  std::vector<const DatedEvent*> events_of(size_t first, size_t end) const;
  bool lies_otherwise(size_t at, size_t order) const;
  std::vector<double> moments_of(uint32_t record) const;
  Verdict check_intervals() const;
  struct Compared {
    std::vector<uint64_t> terms;
    bool smaller = true;  // than the other operand
  };
  Compared compared_with(const Quantity& q) const;
  bool derived_from(const Quantity& q, Hedge hedge, const ArithmeticCues& cues,
                    const Compared& compared, const std::vector<Quantity>& own, uint32_t first_unit,
                    uint32_t end_unit, size_t first) const;
  std::string around(const Quantity& q) const;
  bool derived(const Alignment& alignment, const Quantity& q, Hedge hedge);
  bool counted(size_t at, const Quantity& q) const;
  bool lists(size_t wanted) const;
  bool refers_back(size_t at) const;
  bool is_per(const Quantity& q, Hedge hedge) const;
  void prove(const Alignment& alignment, Claim& claim) const;

  std::string_view answer_;
  const ReceiptIndex& evidence_;
  const GroundingRules& rules_;
  // Of the evidence, which one checker reads once.
  const std::vector<Trend> trends_;
  const std::vector<DatedEvent> events_;
  const std::vector<uint32_t> alerts_;
  const std::vector<DatedEvent> changes_;
  const std::vector<std::pair<uint32_t, ActionState>> actions_;  // by unit
  const Statement* statement_ = nullptr;
  bool told_whole_ = true;  // it says something: no topic, no entry of the list of sources
  // The moments that the sentence names, and those that the last one before it did which named any.
  std::vector<Mention> mentions_, recent_;
  std::vector<double> days_, recent_days_;  // and the days
  uint64_t last_key_ = 0;                   // the id of a record that was named last
  std::vector<bool> scope_;                 // by record
  bool scoped_ = false;
  std::vector<bool> subject_;  // by record: those that the sentence is about
  // Of the receipts: where what the sentence cites stands, if it is a place: "[log.jsonl:64]".
  std::vector<uint32_t> cited_units_;
  std::vector<uint32_t> facts_;  // evidence tokens that proved one: for the proofs
};

}  // namespace precedent
