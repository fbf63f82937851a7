// What the diff of a commit can do to a running system: one table, one loop.
//
// Each row is a kind of edit (a guard that is gone, a number that is another, a call that now runs
// in a loop) with the symptoms that it can bring about. Rows look at the form of an edit, not at
// the words of its message. What keeps its meaning (code that moved, a helper that was taken out,
// formatting) fits no row. Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "investigate/changes/diff.h"
#include "investigate/symptoms/symptom.h"

namespace precedent {

struct Effect {
  std::string_view row;   // "guard_removed"
  std::string_view text;  // "a check is gone"
  SymptomSet can_cause;
  double strength = 0;  // how surely this edit changes behaviour, 0 to 1
  bool at_once = true;  // it shows with the first request; else it builds up
  std::string line;     // of the diff, as it stands
  std::string file;
};

// The strongest first; at most one a row and file.
std::vector<Effect> effects_of(const std::vector<Hunk>& hunks);

// The names of all rows, in order: for the documents and their test.
std::vector<std::string_view> effect_rows();
// What edits of this row are called; "" of a name that is no row's.
std::string_view effect_text(std::string_view row);

}  // namespace precedent
