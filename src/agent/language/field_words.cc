#include "agent/language/field_words.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/ascii.h"
#include "base/strings.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

const std::set<std::string>& field_terms() {
  static const std::set<std::string> kFields = [] {
    const auto terms = Analyzer().terms(
        "resolution resolve resolved root cause caused causes trigger triggered reason fix fixed "
        "impact impacted affect affected severity sev status owner owned own mitigation mitigate "
        "mitigated action actions taken timeline duration last lasted long longer longest short "
        "shorter shortest start started begin began end ended open opened close closed repeat "
        "repeats repeated again happen happened detect detected detection notice noticed customer "
        "customers team responsible accountable person people who when why what whats which how "
        "time date day total done did do does doing application service system title summary "
        "summarize detail details more tell show give explain describe recover recovered recovery "
        "still ongoing source lesson lessons learned prevent prevention incident incidents outage "
        "outages previous before it first recur recurrence recurring whole full everything many "
        "much take took handled handle lead led commander call called tracked reported found find "
        "worse worst bad common both two three ones each any all of pls please item items engineer "
        "been far so afterwards change changed related relate app apps impact hit hurt "
        "now currently workaround workarounds involved learn learnt next after mean means "
        "reference postmortem follow latest newest oldest earliest recent earlier past case cases "
        "severe serious other "
        "because down back over came come comes going went up off out within into onto "
        "blame blamed fault culprit guilty "
        "ttr ttd mttr mttd min mins minute minutes hr hrs hour hours til until notify notified "
        "alerted wrote author product company region limit thing quick remind me was were is");
    return std::set<std::string>(terms.begin(), terms.end());
  }();
  return kFields;
}

}  // namespace

std::vector<std::string> own_terms(std::string_view question) {
  std::vector<std::string> terms = Analyzer().terms(question);
  std::erase_if(terms, [](const std::string& term) { return field_terms().contains(term); });
  return terms;
}

bool is_chatter(std::string_view question) {
  static const std::set<std::string, std::less<>> kWords = {
      "thanks", "thank", "thx",     "ta",    "ty",          "tnx",       "cheers",
      "you",    "ok",    "okay",    "k",     "kk",          "cool",      "great",
      "good",   "nice",  "perfect", "super", "awesome",     "lol",       "haha",
      "bye",    "cu",    "got",     "it",    "understood",  "alright",   "right",
      "fine",   "sure",  "yes",     "yep",   "yeah",        "no",        "nope",
      "hm",     "hmm",   "ah",      "oh",    "wow",         "much",      "so",
      "a",      "lot",   "very",    "that",  "helps",       "helped",    "all",
      "now",    "ack",   "roger",   "will",  "do",          "makes",     "sense",
      "see",    "i",     "goodbye", "night", "appreciated", "brilliant", "excellent",
      "noted",  "done",  "then",    "for",   "the",         "help",      "job",
      "well",   "later", "hi",      "hello", "hey",         "there",     "team",
      "morning"};
  // At least one of these, so that "no" to a question and "it" alone are none.
  static const std::set<std::string, std::less<>> kTelling = {
      "thanks",  "thank",       "thx",       "ta",        "ty",     "tnx",  "cheers",     "ok",
      "okay",    "k",           "kk",        "cool",      "great",  "nice", "perfect",    "super",
      "awesome", "lol",         "haha",      "bye",       "cu",     "got",  "understood", "alright",
      "fine",    "sure",        "yep",       "yeah",      "wow",    "ack",  "roger",      "sense",
      "goodbye", "appreciated", "brilliant", "excellent", "noted",  "ah",   "hm",         "hmm",
      "yes",     "hi",          "hello",     "hey",       "helped", "helps"};
  bool telling = false, letters = false;
  std::string word;
  const auto ends_well = [&] {
    if (word.empty()) return true;
    const bool known = kWords.contains(word);
    telling = telling || kTelling.contains(word);
    word.clear();
    return known;
  };
  for (const char c : ascii_lower(trim(question))) {
    if (is_digit(c)) return false;
    if (is_letter(c)) {
      letters = true;
      word += c;
    } else if (!ends_well()) {
      return false;
    }
  }
  if (!ends_well()) return false;
  // A thumb or a smile alone.
  return telling ||
         (!letters && question.find('?') == std::string_view::npos && !trim(question).empty());
}

}  // namespace precedent
