// Citations: what a sentence may rest on.
//
// Thread safety: pure functions.
#pragma once

#include "grounding/checks/sentence.h"
#include "grounding/facts/facts.h"

namespace precedent {

// Sets scope, scoped, cited_units and citations of a new sentence. A citation of what does not
// exist is a fault.
void read_citations(Sentence& sentence, const Facts& facts);

// The records that the sentence is about: those that its first words name by their id, or that
// alone have the words of their title in the sentence; else all of its scope.
std::vector<bool> subject_of(const Sentence& sentence, const Facts& facts);

// The ids of records among these words.
std::vector<uint64_t> record_keys(std::span<const Token> words, const ReceiptIndex& index);
// The id of the record that these words named last, `before` if they name none, 0 if they name
// several in one clause.
uint64_t last_record_key(const LexedText& lexed, const ReceiptIndex& index, uint64_t before);

}  // namespace precedent
