// Words that ask about an incident without saying which: "root cause", "severity", "how long".
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace precedent {

// The analysed terms of the question that are not such words: what it is about by itself.
std::vector<std::string> own_terms(std::string_view question);

// Whether nothing is said but thanks, greetings or assent: "ok", "thx", "perfect, bye".
bool is_chatter(std::string_view question);

}  // namespace precedent
