// Own runbooks: which documents that say what to do are for the system that is investigated.
//
// Thread safety: pure functions over values.
#pragma once

#include <string>
#include <vector>

#include "agent/evidence/evidence.h"

namespace precedent {

// Of `systems` (what is asked about, and what may be behind it), those for which documents among
// the receipts say that they are written. Of others nobody knows whose runbooks are theirs.
std::vector<std::string> systems_of_documents(const std::vector<std::string>& systems,
                                              const std::vector<Receipt>& receipts);

// Whether a document is written for one of the systems: it names one, or names none. True if there
// are no systems.
bool is_written_for(const KnowledgeItem& document, const std::vector<std::string>& systems);

// Without pieces of runbooks, playbooks and known issues of other systems.
std::vector<Evidence> without_others_runbooks(std::vector<Evidence> evidence,
                                              const std::vector<Receipt>& receipts,
                                              const std::vector<std::string>& systems);

// Of those documents, only what is on the trouble as well as on the system: its title holds one of
// the terms that are `asked` beside the name of a system, or the search found nothing nearly as
// relevant.
std::vector<Evidence> runbooks_on(const std::vector<std::string>& asked,
                                  std::vector<Evidence> evidence,
                                  const std::vector<Receipt>& receipts,
                                  const std::vector<std::string>& systems);

}  // namespace precedent
