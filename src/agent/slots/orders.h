// Orders: being told to change something ("restart the payment service for me"). precedent only
// reads: it says so, and answers how that is done instead.
//
// An order is a sentence of its own at the end of what was said, that begins with a verb of change
// and either is addressed to somebody ("please", "can you", "for me", "now") or destroys a thing
// that it points at ("drop the production database"). A question how it is done is none, nor is a
// command
// ("kill -9 the stuck worker"), a thing in general ("can you delete a stuck job") or a line of a
// log. Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace precedent {

struct GivenOrder {
  std::string verb;      // "restart"
  std::string question;  // what was said, with "How do I restart the payment service?" at its end
};

// Nothing: it is a question.
std::optional<GivenOrder> read_order(std::string_view said);

}  // namespace precedent
