#include "agent/understand/asked_settings.h"

#include <re2/re2.h>

#include <algorithm>

#include "agent/language/setting_values.h"
#include "base/strings.h"
#include "text/code_analyzer.h"

namespace precedent {
namespace {

// Places of the code that are looked at.
constexpr size_t kPlaces = 10;

bool asks_for_a_setting(const OpenIntent& intent) {
  const Signals& s = intent.signals;
  const Asks& a = intent.asks;
  const bool other = intent.follow_up || !intent.ids.empty() || !intent.documents.kinds.empty() ||
                     intent.questions.size() > 1 || a.steps || a.contact || a.cause || a.remedy ||
                     s.changes || s.firing || s.precedent || s.architecture || s.slo || s.alerts;
  const bool written =
      intent.type == QuestionType::kKnowledge || intent.type == QuestionType::kConceptual;
  static const RE2 kValue(
      "(?i)\\b(?:time-?outs?|ttl|limits?|sizes?|intervals?|retr(?:y|ies)|attempts|delays?|backoff|"
      "thresholds?|ports?|capacity|concurrency|workers|threads|batch|window|retention|expiry|"
      "lifetime|period|max(?:imum)?|min(?:imum)?|defaults?|quota|depth|length|replicas|policy|"
      "bound|"
      "budget)\\b");
  static const RE2 kGeneral("(?i)^\\W*(?:what|whats|what's) (?:is|are)? ?an? ");
  return !other && written && RE2::PartialMatch(intent.question, kValue) &&
         !RE2::PartialMatch(intent.question, kGeneral);
}

// Its words in lower case with a space around each, those of a name that is written as one, too.
std::string apart(std::string_view text) {
  std::string words = " ";
  for (const WordSpan& word : identifier_words(text))
    words += ascii_lower(text.substr(word.begin, word.end - word.begin)) + " ";
  return words;
}

std::string plain(std::string_view question) {
  std::string words = " ";
  for (const char c : ascii_lower(question)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = isalnum(byte) || byte >= 0x80;
    if (letter)
      words += c;
    else if (words.back() != ' ')
      words += ' ';
  }
  return words + " ";
}

}  // namespace

bool is_called_by(const std::string& name, const OpenIntent& intent) {
  const std::string asked = plain(intent.question), own = apart(name);
  const std::vector<std::string_view> words = split(trim(own), ' ');
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string pair = " " + std::string(words[i]) + " " + std::string(words[i + 1]) + " ";
    const auto is_system = [&](const Subject& subject) {
      return (subject.kind == SubjectKind::kService || subject.kind == SubjectKind::kApplication) &&
             plain(subject.text).contains(pair);
    };
    if (asked.contains(pair) && std::ranges::none_of(intent.subjects, is_system)) return true;
  }
  return false;
}

std::string asked_setting(const OpenIntent& intent, const Searcher& search) {
  if (!asks_for_a_setting(intent)) return "";
  SearchRequest request;
  request.text = intent.question;
  request.filter.kinds = {Kind::kCode};
  request.limit = kPlaces;
  request.per_document = 2;
  request.self_query = false;
  request.now = intent.now;
  const auto response = search.search(request);
  for (const Hit& hit : response ? response->hits : std::vector<Hit>())
    for (const SettingValue& set : setting_values(hit.payload.text))
      if (is_called_by(set.name, intent)) return set.name;
  return "";
}

}  // namespace precedent
