// Blame: "did the portal deploy cause the slot latency?" holds a cause and an effect, which are
// different systems; "is it the 22:50 deploy?" holds a deploy.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace precedent {

struct Blame {
  std::string cause, effect;  // in the words of the question
};

// Nothing if the question asks no such thing.
std::optional<Blame> read_blame(std::string_view question);

// The deploy that is suspected, in the words of the question, without an article: "22:50 deploy of
// fares". "" if none is.
std::string read_blamed_deploy(std::string_view question);

}  // namespace precedent
