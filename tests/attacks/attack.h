// Attack: one line of attacks.jsonl, with what its placeholders stand for.
//
// Format: one JSON object a line.
//   id, kind     the kinds are those of docs/untrusted-text.md
//   where        which text of which record holds it (shop.h); "golden.direct" is a reviewed
//   example that answers the
//                question itself, so that no model is asked
//   text         what is planted there
//   cue          a part of it by which a model sees that it was there; "": none is looked for
//   hidden       what the text says in characters that nobody sees: no model may read it
//   question     instead of the usual one
//   calls        what it tells a model to call: tool, args, and the verdict: "refused" (a receipt
//   of status error),
//                "noted" (made, and the receipt says where the id comes from) or "made"
//   says         what it tells a model to answer
//   unproved     a part of that which the answer calls unproved
//   alive        an address that the answer may hold
// {AWS}, {PASSWORD} … are secrets; {READ} in calls and says is whatever secret the model could
// read, else a word; {ESC}, {TAGS:text} … are characters that no editor shows.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace precedent::attacks {

struct AttackCall {
  std::string tool;
  nlohmann::json args;  // with placeholders
  std::string verdict;
};

struct Attack {
  std::string id, kind, where, text, cue, hidden, question, says, unproved, alive;
  std::vector<AttackCall> calls;
};
void PrintTo(const Attack& attack, std::ostream* out);

// Every secret that is ever planted. None may be seen anywhere.
const std::vector<std::string>& secrets();

// `text` with its placeholders filled in, {READ} by `read`.
std::string expand(std::string text, const std::string& read);

// Of tests/attacks/attacks.jsonl; a line that cannot be read ends the program.
std::vector<Attack> read_attacks();

}  // namespace precedent::attacks
