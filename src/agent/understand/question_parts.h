// QuestionParts: a message that asks several things is read, looked up and answered as several
// questions.
//
// "What is the SLO of search, and how do I roll back a deploy?" → two, as each names a subject of
// its own. "What does SearchLatencyHigh mean and is it firing?" → two, as a document answers the
// one and the alerts the other: the second becomes "is SearchLatencyHigh firing". "How is the
// ledger backed up and where to?" stays one, and so does what an investigation tells anyway. Thread
// safety: pure functions over values, but for what `read` does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agent/understand/open_intent.h"

namespace precedent {

struct QuestionParts {
  std::vector<std::string>
      questions;  // in order; empty where the message is to be answered as a whole
  // Those that lean on what the others find, which nobody knows before: "and who owns them?"
  std::vector<std::string> left_out;
};
// `read`: one question as the whole would be read, its service resolved.
using ReadPart = std::function<OpenIntent(const std::string& question)>;
QuestionParts find_parts(const OpenIntent& whole, const ReadPart& read);

}  // namespace precedent
