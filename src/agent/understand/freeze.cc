#include "agent/understand/freeze.h"

#include <re2/re2.h>

#include <algorithm>

#include "agent/frozen/time_word.h"
#include "agent/slots/change_subjects.h"
#include "base/ids.h"
#include "base/strings.h"

namespace precedent {
namespace {

std::string without_times(const std::string& question, const Intent& intent) {
  std::string text = question;
  const auto cut = [&](const std::string& part) {
    if (const size_t at = text.find(part); !part.empty() && at != std::string::npos)
      text.erase(at, part.size());
  };
  if (intent.deploy) cut(intent.deploy->text);
  for (const TimeHint& hint : intent.times) cut(hint.text);
  static const RE2 kGap("\\s+([.,;:?!])");
  RE2::GlobalReplace(&text, kGap, "\\1");
  return trim(text).size() < 3 ? question : squeeze(text);
}

std::string without_ids(const std::string& question, const Intent& intent) {
  std::string text;
  size_t from = 0;
  for (const IdMention& mention : find_ids(question)) {
    if (std::ranges::find(intent.ids, mention.id) == intent.ids.end()) continue;
    text += question.substr(from, mention.begin - from);
    from = mention.end;
  }
  text += question.substr(from);
  return trim(text).empty() ? question : text;
}

// "What changed in the refund policy": what documents may tell.
bool is_on_records_alone(const std::string& question, const Intent& intent) {
  static const RE2 kOfAnything(
      "^(?:what|which|who|when|was|were|is|are|did|has|have|been|there|any|all|the|an?|list|show|"
      "me|"
      "we|our|us|they|anyone|anybody|anything|someone|something|else|new|recent|recently|lately|"
      "latest|"
      "last|newest|changes?|changed|(?:re)?deploy\\w*|releas\\w+|shipped|ship|merged?|rolled|roll|"
      "out|roll-?(?:outs?|backs?)|back|went|gone|go|live|pushed|push|commits?|feature|flags?|flips?"
      "|flipped|"
      "toggled?|switched|turned|on|off|in|to|into|of|since|prod|production|please|alerts?|alerting|"
      "active|firing|open|current|currently|now|paging|going|and|or|by|whom|at|around|so|far|yet|"
      "made|[\\W\\d]+)$");
  std::string rest = ascii_lower(question);
  for (const TimeHint& hint : intent.times)
    std::fill_n(rest.begin() + static_cast<ptrdiff_t>(hint.begin), hint.end - hint.begin, ' ');
  if (const std::string_view environment = asked_environment(rest); !environment.empty())
    std::fill_n(rest.begin() + (environment.data() - rest.data()), environment.size(), ' ');
  for (char& c : rest)
    if (std::string_view("?!.,;:\"'").contains(c)) c = ' ';
  return std::ranges::all_of(split(squeeze(rest), ' '), [](std::string_view word) {
    return word.empty() || RE2::FullMatch(re2::StringPiece(word.data(), word.size()), kOfAnything);
  });
}

// What a search is made by.
void freeze_texts(std::string question, Intent& intent) {
  intent.asked.without_times = FrozenText(without_times(question, intent));
  intent.asked.without_ids = FrozenText(without_ids(question, intent));
  intent.asked.text = FrozenText(std::move(question));
}

}  // namespace

Intent freeze(OpenIntent read) {
  Intent intent = std::move(static_cast<Intent&>(read));
  FrozenQuestion& asked = intent.asked;
  const std::string& question = read.question;
  asked.says_live = !intent.live.empty() && question.contains(intent.live);
  asked.records_alone = intent.signals.changes && is_on_records_alone(question, intent);
  asked.time_word = time_word(question, intent.now);
  asked.things = names_of_things(question);
  freeze_texts(std::move(read.question), intent);
  return intent;
}

Intent asked_with(Intent intent, std::string_view more) {
  freeze_texts(intent.asked.text.with(more).text_, intent);
  return intent;
}

}  // namespace precedent
