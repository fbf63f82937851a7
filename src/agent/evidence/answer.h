// Answer: what a question gets, with all that it rests on.
//
// Everything an answer states stands in one of its receipts; what could not be found is named.
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agent/sources/unknown_names.h"
#include "agent/understand/intent.h"
#include "grounding/claim.h"
#include "tools/receipt.h"

namespace precedent {

enum class AnswerStatus {
  kOk,
  kPartial,     // answered, but something was missing: see Answer::missing
  kNeedsInput,  // the question gives nothing to go on
  kRefused,
  kError,
};
std::string_view name(AnswerStatus status);

// Where a stretch of an answer that the program composed comes from. Who writes it sets it; nothing
// reads it off the words, and a model's answer has none.
enum class Origin : uint8_t {
  kNote,       // the program says it of itself
  kQuotation,  // words of a receipt
  kComputed,   // made of what receipts hold
};
struct AnswerSpan {
  TextRange bytes;  // of Answer::text
  Origin origin = Origin::kComputed;
  std::vector<std::string> receipts = {};  // those that it cites
};

// A part of an answer that the program composed, by the name of the row that wrote it
// (compose/section.h): "steps", "sources". Whoever shows an answer may fold it.
struct TypedSection {
  std::string type;
  TextRange bytes;  // of Answer::text
  bool operator==(const TypedSection&) const = default;
};

struct Answer {
  AnswerStatus status = AnswerStatus::kOk;
  std::string text;                    // Markdown
  std::vector<AnswerSpan> spans;       // of the text, in order; empty if a model wrote it
  std::vector<TypedSection> sections;  // of the text, in order, apart; empty if a model wrote it
  Intent intent;
  std::vector<Receipt> receipts;     // of this question's tool calls
  std::vector<Receipt> remembered;   // of earlier questions, cut down to what this answer uses
  std::string chosen;                // Recollection::chosen, which begins the answer
  std::vector<Source> sources;       // cited, in order of first use
  std::vector<std::string> missing;  // each a sentence: "no incident INC-… in the knowledge base"
  std::vector<std::string> unasked;  // what could not be looked at, as it is not set up here
  NamedThings named;                 // what the question calls by a name of its own
  std::vector<std::string> explain;  // why these tools, why these quotations
  Verification proof;  // of the text as it leaves; empty where there was nothing to hold it against
};

}  // namespace precedent
