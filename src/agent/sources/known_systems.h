// Known systems: the names of what runs, and which of them a question means that calls one in short
// or misspells it: "payments", "searchservice", "serach-service".
//
// Thread safety: read_known_systems() as the sources it asks; meant_system() is a pure function.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/sources/sources.h"
#include "agent/sources/system_names.h"

namespace precedent {

// Remembered for a turn (agent/sources/system_names.h). What cannot be read, or not within a
// second, is left out.
KnownSystems read_known_systems(const Sources& sources, TimePoint now);

// Whether a service or an application goes by that name, however it is spelled: "Departure Board"
// and "departure-board".
bool is_system(std::string_view name, const Sources& sources, TimePoint now);

// Whether a word is one of its own, and so none that is misspelt (agent/sources/dictionary.h).
using IsWord = std::function<bool(std::string_view)>;

// The system that a text names, or means; "" if none, or several.
std::string system_in(std::string_view text, const KnownSystems& known, const IsWord& is_word);

struct MeantSystem {
  std::string said, name;
  std::string question;  // with the name instead
};
// Nothing if the question names a system as it is known, or several could be meant. `taken`:
// stretches of the question that say something else, a metric for example.
struct Stretch {
  size_t begin, end;
};
std::optional<MeantSystem> meant_system(std::string_view question, const KnownSystems& known,
                                        const IsWord& is_word, std::span<const Stretch> taken = {});

}  // namespace precedent
