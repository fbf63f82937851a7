// A record as it was known at a moment of the past: without hindsight.
//
// A knowledge base keeps the last state of a record. Asked about a past moment (`--now`), an answer
// must not tell what was found out later. What is left out of a record:
//   all of it              if it began later
//   resolved, updated      if they are later
//   cause, action and      of an incident that was touched later and not over yet: nobody knows
//   since mitigation, status     when they stand. The status is "open" where it cannot have been
//   over a sentence, a row, a further field or an item of one, if it names a later moment
// A record that was not touched after the moment is kept whole; one that does not say when it was
// touched, and began in the two days before, loses its later sentences only.
//
// Times in text: ISO 8601, "19 November [2026] [22:00]", "November 19[, 2026]", and "09:41" alone,
// which is of the date before it in the sentence, else within 12 hours of when the record began.
// UTC. A moment known to the day is its midnight. Thread safety: pure functions. Time is linear.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "knowledge/document.h"

namespace precedent {

// The status of what was not over at the moment, whatever is written there now.
inline constexpr std::string_view kOpenThen = "open";

// Nothing if it had not begun. A golden example and code are kept as they are.
std::optional<Document> known_at(Document document, TimePoint at);

// A piece of the text of `document`, as known_at() leaves it. `document` is the whole record.
std::string text_known_at(std::string_view text, const Document& document, TimePoint at);

}  // namespace precedent
