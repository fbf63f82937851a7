// FrozenQuestion: what only the words of a question say, taken from them once
// (agent/understand/freeze.h). Whoever plans, ranks or composes has this, and no text to read.
//
// Thread safety: plain values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/frozen/frozen_text.h"
#include "agent/sources/unknown_names.h"

namespace precedent {

struct FrozenQuestion {
  FrozenText text;  // what is asked, a follow-up made whole
  // To search by. The time of the present trouble says nothing about when it happened before; an id
  // says which record is meant, not which of its lines.
  FrozenText without_times;
  FrozenText without_ids;
  bool says_live = false;      // it has the words of Intent::live
  bool records_alone = false;  // of one on what was changed: it speaks of nothing but the record
  std::string time_word;       // that makes the answer depend on the time: "still"; "": none does
  std::vector<ThingName> things;
  // That no document holds; nothing where they could not be looked up.
  std::optional<std::vector<std::string>> unknown_names;
};

}  // namespace precedent
