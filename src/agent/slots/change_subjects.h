// Change subjects: what a question about changes names: an author, a feature flag, an environment,
// a version, or the words of a change. Authors and flags go by the names that the record of changes
// has.
//
// Thread safety: read_recorded_names() as the source it asks; the others are pure functions.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "changes/change_source.h"

namespace precedent {

struct RecordedNames {
  std::set<std::string> authors, flags;
};
// Of the last two years.
RecordedNames read_recorded_names(const ChangeSource& source, TimePoint now);
// Asked only where a question has the form of one for them: it reads all that was recorded.
using KnownNames = std::function<const RecordedNames&()>;

// "staging" of "what was deployed to staging", as written there; "" if no environment is named.
std::string_view asked_environment(std::string_view question);

// "Magnus Aune" of "what did magnus change": as recorded; as it was said where several are called
// so, or nobody is and it is written as a name. "" if the question asks for nobody's.
std::string asked_author(std::string_view question, const KnownNames& known);

// "Is new_layout on?", "new_layout flag status": its name. "" for "which flags are on". Nothing if
// no flag's state is asked.
std::optional<std::string> asked_flag(std::string_view question, const KnownNames& known);

// The same of a flag that is known, by its name or the words of it, and any verb of switching: "was
// new layout toggled".
std::optional<std::string> asked_flag_switch(std::string_view question, const KnownNames& known);

// The version of "what did search-service 2.31.0 change"; else the words of "the matrix cache" in
// "who changed the matrix cache", "when was the matrix cache last changed", but for what `names`
// has of them (systems); nothing if no question for a change is asked.
std::optional<std::vector<std::string>> asked_change_words(std::string_view question,
                                                           const std::vector<std::string>& names);

// Whether a change of the last two years is about them (changes/about.h).
bool is_recorded(const std::vector<std::string>& words, const ChangeSource& source, TimePoint now);

// "Who wrote handler.go": whoever changed it, whenever that was.
bool asks_who_wrote(std::string_view question);

}  // namespace precedent
