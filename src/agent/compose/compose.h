// Compose: receipts and ranked evidence → the text of an answer, every line with its source.
//
// Purely extractive: the words are the receipts', the frame around them is ours.
// Thread safety: pure functions over values.
#pragma once

#include <string>
#include <vector>

#include "agent/evidence/answer.h"
#include "agent/evidence/evidence.h"

namespace precedent {

// Whether the answer to such a question quotes ranked evidence at all: a record or a list that was
// asked for is shown as it is.
bool quotes_evidence(const Intent& intent);

// What one question of several gets: evidence and unknown names are its own.
struct AnswerPart {
  Intent intent;
  std::vector<Receipt> receipts;
  std::vector<Evidence> evidence;
  std::vector<std::string> unknown;
  NamedThings named;
};
// A message that asks several things: each is answered under its question.
// `left_out`: questions that are not answered, as they lean on what the others find.
void compose_parts(Answer& answer, const std::vector<AnswerPart>& parts,
                   const std::vector<FrozenText>& left_out);

// Fills text, sources, missing and status. REQUIRES: answer.intent, receipts and remembered are
// set.
// `evidence` is ranked, best first; `unknown` are names in the question that nothing in the
// knowledge base mentions.
void compose(Answer& answer, const std::vector<Evidence>& evidence,
             const std::vector<std::string>& unknown);

}  // namespace precedent
