// Titles of conversations: two to four words that an engineer would look for later.
//
//   "How do I fix HTTP 403 errors in PayU?"            → PayU HTTP 403 Fix
//   "What was the root cause of INC-2025-08-24-001?"   → INC-2025-08-24-001 Root Cause
//   "hi"                                               → Untitled Chat
//
// Offline: names of the catalogue, ids and codes first, then the words that carry the question,
// then what is asked of it. From a model: cleaned and bounded. Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chat/message.h"
#include "search/self_query.h"

namespace precedent {

inline constexpr std::string_view kUntitled = "Untitled Chat";

// Words keep the spelling of the catalogue and of names; others are in title case. Never ends with
// a stop word. kUntitled where nothing says what it is about.
std::string offline_title(std::string_view question, const Catalogue& catalogue);
// Of the first thing a user said that gives one.
std::string offline_title(const std::vector<Message>& transcript, const Catalogue& catalogue);

// What a model answered to the prompt "title": without fences, quotation marks, "Title:" and
// Markdown, cut to four words. `fallback` for what is no title: nothing, one word, an apology, an
// essay.
std::string clean_title(std::string_view model_text, std::string_view fallback);

}  // namespace precedent
