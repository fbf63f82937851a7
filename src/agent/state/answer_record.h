// AnswerRecord: what a conversation keeps of an answer. A plain value; written by state_codec.h.
#pragma once

#include <string>
#include <vector>

#include "agent/evidence/answer.h"

namespace precedent {

// The answer to the last question, beside its text, which is the last message.
struct AnswerRecord {
  AnswerStatus status = AnswerStatus::kOk;
  std::vector<Source> sources = {};
  std::vector<std::string> missing = {};
  std::vector<std::string> remembered = {};  // ids of earlier receipts that it rests on
  std::vector<std::string> explain = {};     // only where CopilotState::explain asks for it
  std::string fallback = {};            // why the offline reasoner answers in the place of a model
  std::vector<std::string> unmet = {};  // rules of the policy that no call met
  Verification proof = {};              // Answer::proof
  std::vector<TypedSection> sections = {};  // Answer::sections
  bool operator==(const AnswerRecord&) const = default;
};

}  // namespace precedent
