// Writer: the text of an answer as it grows, every line with its source; and the forms in which
// incidents and quotations are written. Only compose*.cc include this.
//
// Thread safety: one thread. Lifetime: the answer outlives its writer.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agent/evidence/answer.h"
#include "agent/evidence/evidence.h"
#include "agent/language/durations.h"

namespace precedent {

// The most quotations in a row.
constexpr size_t kMaxQuotes = 3;
// Below this share of the best one's relevance something found is not what is being asked for.
constexpr float kRelatedShare = 0.6f;

class Writer {
 public:
  explicit Writer(Answer& answer) : answer_(answer) {}

  // Made of what receipts hold, among them those that were cited for it since the line before.
  void line(std::string_view text);
  // What the program says of itself.
  void note(std::string_view text);
  // A line with words of the source between what leads to them and what follows.
  void quotation(std::string_view before, std::string_view words, std::string_view after,
                 const Source& source);
  // Sentences that the program says of itself, between the first line or short paragraph and the
  // rest.
  void below_headline(const std::vector<std::string>& sentences);
  // What another writer wrote, with its sources and what it misses.
  void take(Answer part);
  // An empty line, unless there is one or nothing stands before it.
  void gap();
  // A sentence about what is not there, each once.
  void missing(std::string sentence);
  // The citation of a source, which thereby is one of the answer's.
  std::string cite(const Source& source);
  // "**Cause:** text [source]"; nothing for blank text.
  void paragraph(std::string_view label, std::string_view text, const Source& source);

 private:
  void put(std::string_view text, Origin origin, std::vector<std::string> receipts);

  Answer& answer_;
  std::vector<std::string> cited_;  // receipts, since the last line
};

Source source_of(const IncidentItem& item, const Receipt& receipt);
// "application X · severity Y · …": the short fields of a record.
std::string facts(const Incident& incident);
// "lasted 1 h 5 min"; "" if that is not known.
std::string lasted_text(const Incident& incident);
// "**ID** title (date, application, severity, status)".
std::string one_line(const Incident& incident);
// As an item of a list: what it was, when, and how its cause begins; with its source.
void tell_in_short(Writer& out, const IncidentItem& item, const Receipt& receipt);
// The same in whole, with the cause.
std::string with_cause(const Incident& incident);

// That a document has expired, with the remedy.
std::string expired_text(std::string_view title, TimePoint expired_at);

// A cited quotation in the form that reads best.
void quote(Writer& out, const Evidence& piece);
// Whether a piece shares enough words or meaning with the question, or answers it likely enough, to
// be quoted.
bool is_convincing(const Evidence& piece);
// Whether a piece holds, word for word, a message that the question pasted.
bool is_message(const Evidence& piece);
// The piece that holds, word for word, what the question pasted; nullptr if none does.
const Evidence* pasted_message(const std::vector<Evidence>& evidence);
// Whether none of it answers the question, however much the best resembles it: `evidence` is
// ranked. Never without vectors.
bool is_remote(const std::vector<Evidence>& evidence);
// The best pieces, nearly as good as the first, at most `most`; returns whether there was any.
bool quote_best(Writer& out, const std::vector<Evidence>& evidence, size_t most);

// The receipt of a tool's first call; nullptr if it was not called.
const Receipt* receipt_of(const Answer& answer, std::string_view tool);
// nullptr if `receipt` is, or holds something else.
const IncidentsResult* incidents_of(const Receipt* receipt);

}  // namespace precedent
