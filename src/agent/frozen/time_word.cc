#include "agent/frozen/time_word.h"

#include <re2/re2.h>

#include "time/time_hints.h"

namespace precedent {

std::string time_word(std::string_view question, TimePoint now) {
  if (const auto hints = find_time_hints(question, now); !hints.empty()) return hints.front().text;
  // "last" and "on call" change their meaning by the day even where no window is named.
  static const RE2 kWords(
      "(?i)\\b(now|nowadays|current|currently|present|presently|today|tonight|tomorrow|yesterday|"
      "recent|recently|lately|latest|newest|last|next|still|yet|already|ongoing|anymore|any more|"
      "at the moment|these days|so far|as of|ago|upcoming|on[- ]?call)\\b");
  re2::StringPiece word;
  if (RE2::PartialMatch(re2::StringPiece(question.data(), question.size()), kWords, &word))
    return word.as_string();
  return "";
}

}  // namespace precedent
