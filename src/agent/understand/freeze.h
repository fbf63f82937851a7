// Freeze: the last pass over a question. It takes from the text what is needed of it later, and
// leaves an intent whose text cannot be read.
//
// Thread safety: pure functions over values.
#pragma once

#include <string_view>

#include "agent/understand/open_intent.h"

namespace precedent {

// What the sources know of its names (FrozenQuestion::unknown_names) was looked up before.
Intent freeze(OpenIntent read);

// The same asked with more words, to plan and to search by: titles and ids of the incidents that it
// is about. What was read of it and looked up stays.
Intent asked_with(Intent intent, std::string_view more);

}  // namespace precedent
