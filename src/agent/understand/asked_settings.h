// Asked settings: whether a question for a value means a setting of the indexed code, called by the
// plain words of its name: "the ack timeout" is LIS_ACK_TIMEOUT_MS.
//
// Thread safety: as the searcher.
#pragma once

#include <string>

#include "agent/understand/open_intent.h"
#include "search/searcher.h"

namespace precedent {

// The name as the code has it; "" if the question is for no value, or no line of the code nearest
// to it gives one to such a name.
std::string asked_setting(const OpenIntent& intent, const Searcher& search);

// Whether two neighbouring words of the question, neither of them of a system's name, are
// neighbours in the name as well.
bool is_called_by(const std::string& name, const OpenIntent& intent);

}  // namespace precedent
