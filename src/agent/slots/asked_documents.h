// Questions about a document as such.
//
// "Is there a runbook for X?", "which ADR decided on Y": the question asks for documents of a kind
// rather than for what they say.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "knowledge/kind.h"
#include "tools/receipt.h"

namespace precedent {

struct AskedDocuments {
  std::vector<Kind> kinds;             // empty: no document is asked for
  bool all = false;                    // nothing but the kind is said: "list the runbooks"
  std::vector<std::string> incidents;  // the ids of those that a follow-up wants them on
  bool one = false;                    // in the singular: "is there a runbook?"
};

// `question` in lower case. "The runbook says …" and "which runbook step …" ask for content.
AskedDocuments find_asked_documents(std::string_view question);

// "KubePodCrashLooping", "disk-full", and what is too long for an ordinary word.
bool looks_like_a_name(std::string_view word);

// The id of the document among the receipts that one of the names calls by its title, its path or
// the name of its file, as an alert calls its runbook: "KubePodCrashLooping". "" if none.
std::string find_named_document(const std::vector<std::string>& names,
                                const std::vector<Receipt>& receipts);

}  // namespace precedent
