#include "agent/slots/change_subjects.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <vector>

#include "agent/slots/subjects.h"
#include "base/strings.h"
#include "changes/about.h"
#include "changes/change_record.h"
#include "tools/people.h"

namespace precedent {
namespace {

constexpr std::chrono::days kTwoYears{730};
constexpr size_t kMostRead = 20'000;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

// Whoever may be meant, as it was said: "of" and "'s" may as well tell of a thing, and only a name
// that is known is meant.
struct SaidAuthor {
  std::string name;  // "": nobody
  bool only_known = false;
};

SaidAuthor said_author(std::string_view question) {
  static constexpr std::string_view kDoing =
      "(?:changed?|deploy(?:ed)?|released?|ship(?:ped)?|merged?|push(?:ed)?|commit(?:ted)?|"
      "roll(?:ed)? (?:out|back)|flip(?:ped)?|toggled?|switch(?:ed)?|touch(?:ed)?|done?)";
  static constexpr std::string_view kName = "([\\pL][\\pL'’-]+(?: [\\pL][\\pL'’-]+)?)";
  static const RE2 kForms[] = {
      fmt::format("(?i)\\b(?:what|which \\w+|when) (?:all )?(?:did|has|have) {} (?:last )?{}\\b",
                  kName, kDoing),
      fmt::format("(?i)^(?:did|has) {} {}\\b", kName, kDoing),
      fmt::format("(?i)\\b(?:changes|(?:re)?deploys|deployments|releases|commits|flags?|changed|"
                  "deployed|released|shipped|merged|flipped|done) (?:made )?by {}",
                  kName)};
  std::string said;
  for (const RE2& form : kForms)
    if (RE2::PartialMatch(piece(question), form, &said)) return {said};
  static constexpr std::string_view kDone =
      "(?:changes?|(?:re)?deploys?|deployments?|releases?|commits?|merges?|work|pull "
      "requests?|prs?)";
  static const RE2 kKnownForms[] = {
      fmt::format("(?i)\\b{} (?:of|from|made by|by) {}", kDone, kName),
      fmt::format("(?i){}['’]s? (?:\\w+ )?{}\\b", kName, kDone),
      fmt::format("(?i)\\bwhat (?:is|was|has) {} (?:been )?(?:doing|working on)\\b", kName)};
  for (const RE2& form : kKnownForms)
    if (RE2::PartialMatch(piece(question), form, &said)) return {said, true};
  return {};
}

// " portal dark mode " of "portal_dark_mode": its words in lower case, with a space around each.
std::string apart(std::string_view text) {
  std::string words = " ";
  for (const char c : ascii_lower(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (isalnum(byte) || byte >= 0x80)
      words += c;
    else if (words.back() != ' ')
      words += ' ';
  }
  return words.back() == ' ' ? words : words + ' ';
}

bool is_written_as_a_name(std::string_view said) {
  static const RE2 kName("\\p{Lu}\\p{Ll}[\\pL'’-]*(?: \\p{Lu}[\\pL'’-]+)?");
  return RE2::FullMatch(piece(said), kName);
}

std::vector<Change> recorded(const ChangeSource& source, TimePoint now) {
  auto list = source.changes(
      {.range = {now - kTwoYears, now + std::chrono::seconds(1)}, .limit = kMostRead});
  return list ? std::move(list->changes) : std::vector<Change>();
}

}  // namespace

std::string_view asked_environment(std::string_view question) {
  static const RE2 kEnvironment(
      "(?i)\\b(?:on|in|to|at) (?:the |our )?(staging|stage|stg|production|prod|sandbox|qa|uat|"
      "preprod|pre-?production|test|dev|development)\\b");
  re2::StringPiece environment;
  RE2::PartialMatch(re2::StringPiece(question.data(), question.size()), kEnvironment, &environment);
  return {environment.data(), environment.size()};
}

RecordedNames read_recorded_names(const ChangeSource& source, TimePoint now) {
  RecordedNames names;
  for (const Change& change : recorded(source, now)) {
    if (!change.author.empty()) names.authors.insert(change.author);
    if (const std::string_view flag = flag_of(change); !flag.empty()) names.flags.emplace(flag);
  }
  return names;
}

std::string asked_author(std::string_view question, const KnownNames& known) {
  auto [said, only_known] = said_author(question);
  // "Show Noor's commits": the name is the last word.
  const auto is_known = [&](const std::string& name) {
    return std::ranges::any_of(known().authors,
                               [&](const std::string& author) { return is_called(author, name); });
  };
  if (const size_t space = said.find(' '); only_known && space != std::string::npos &&
                                           !is_known(said) && is_known(said.substr(space + 1)))
    said.erase(0, space + 1);
  // "What did Magnus deploy": the verb is no name; "changes by Clara this week" holds more than
  // one.
  for (;; said.resize(said.rfind(' '))) {
    std::vector<std::string> authors;
    if (said.empty()) return "";
    for (const std::string& author : known().authors)
      if (is_called(author, said)) authors.push_back(author);
    if (authors.size() == 1) return authors.front();
    if (!authors.empty()) return said;
    if (!said.contains(' ')) break;
    if (!only_known && is_written_as_a_name(said)) return said;
  }
  return !only_known && is_written_as_a_name(said) ? said : "";
}

std::optional<std::string> asked_flag(std::string_view question, const KnownNames& known) {
  static const RE2 kAll(
      "(?i)\\b(?:which|what|list|show)(?: me)?(?: all| the| our)* (?:feature[ -])?flags (?:are |is "
      ")?(?:currently |now )?(?:on|off|enabled|disabled|active|live|set)\\b");
  if (RE2::PartialMatch(piece(question), kAll)) return "";
  static const RE2 kForms[] = {
      "(?i)^(?:\\W*(?:is|was)) (?:the )?(?:feature )?(?:flag )?['\"`]?([\\w.-]+)['\"`]?(?: flag)? "
      "(?:still |currently |now |switched |turned |already "
      ")*(?:on|off|enabled|disabled|active|live)\\b",
      "(?i)\\b(?:status|state|value) of (?:the )?(?:feature )?(?:flag )?['\"`]?([\\w.-]+)",
      "(?i)([\\w.-]+) (?:feature )?flag(?:'s)? (?:status|state|value)\\b",
      "(?i)\\bflag ['\"`]?([\\w.-]+)['\"`]? (?:status|state|value|on|off|enabled|disabled)\\b"};
  for (const RE2& form : kForms) {
    std::string said;
    if (!RE2::PartialMatch(piece(question), form, &said)) continue;
    while (said.ends_with('.')) said.pop_back();
    for (const std::string& flag : known().flags)
      if (bare_name(flag) == bare_name(said)) return flag;
  }
  return std::nullopt;
}

std::optional<std::string> asked_flag_switch(std::string_view question, const KnownNames& known) {
  static const RE2 kSwitching(
      "(?i)\\b(?:flags?|switch(?:ed|es)?|toggl(?:e|ed|es)|turn(?:ed)? (?:on|off)|(?:en|dis)abled?|"
      "flip(?:ped|s)?|changed?|rolled (?:out|back)|raised|lowered|activated|deactivated|set|on|off|"
      "live|status|state|percent\\w*)\\b");
  if (!RE2::PartialMatch(piece(question), kSwitching)) return std::nullopt;
  const std::string said = apart(question);
  std::string longest;
  for (const std::string& flag : known().flags) {
    const std::string name = apart(flag);
    // One word may be anything's.
    if (std::ranges::count(name, ' ') > 2 && said.contains(name) && flag.size() > longest.size())
      longest = flag;
  }
  return longest.empty() ? std::nullopt : std::optional(longest);
}

std::optional<std::vector<std::string>> asked_change_words(std::string_view question,
                                                           const std::vector<std::string>& names) {
  static constexpr std::string_view kChanged =
      "(?:changed|touched|modified|edited|merged|committed|pushed|added|removed|introduced|bumped|"
      "raised|lowered)";
  static const RE2 kWho(fmt::format("(?i)\\bwho (?:has |have )?(?:last )?{}\\b(.*)", kChanged)),
      kWhoMade(
          "(?i)\\bwho (?:has |have )?(?:last )?(?:made|did|wrote) the (?:last |latest "
          ")?(?:change|commit|pull request|pr)\\b(.*)"),
      kWhen(fmt::format("(?i)\\bwhen (?:was|were|has|have) (.+?) (?:last |been )*{}\\b", kChanged)),
      kWas(fmt::format("(?i)^(?:was|were|has|have) (.+?) (?:last |been )*{}\\b", kChanged)),
      kNoun("(?i)\\b(?:latest|last|recent|any|the) (?:changes?|commits?) (?:of|to|in|on) (.+)");
  // "What did search-service 2.31.0 change", "which commits are in v5.12.0": those of the version,
  // unless what came of it is asked.
  static const RE2 kOfAVersion(
      "(?i)^\\W*(?:what|which|who|when|was|list|show)\\b.*?[ @:]v?(\\d+(?:\\.\\d+)+)\\b"),
      kItsChange(
          "(?i)\\b(?:chang(?:e|es|ed)|commits?|bring|brought|contains?|includes?|included|deploys?|"
          "deployed|released?|what(?:'|’)?s in|what is in|ship(?:ped)?|merged?|pushed|new|rolled "
          "out|go live|went live|go "
          "out)\\b"),
      kOfWhatCame(
          "(?i)\\b(?:incidents?|outages?|break|broke|broken|cause[ds]?|causing|fix(?:ed|es)?|"
          "fail\\w*|"
          "after|since|before)\\b");
  std::string version;
  if (RE2::PartialMatch(piece(question), kOfAVersion, &version) &&
      RE2::PartialMatch(piece(question), kItsChange) &&
      !RE2::PartialMatch(piece(question), kOfWhatCame))
    return std::vector{version};
  std::string rest;
  const auto reads = [&](const RE2* form) {
    return RE2::PartialMatch(piece(question), *form, &rest);
  };
  if (std::ranges::none_of(std::array{&kWho, &kWhoMade, &kWhen, &kWas, &kNoun}, reads))
    return std::nullopt;
  rest = apart(rest);
  for (const std::string& name : names)
    if (const size_t at = rest.find(apart(name)); at != std::string::npos)
      rest.replace(at, apart(name).size(), " ");
  std::vector<std::string> words;
  for (const std::string_view word : split(rest, ' '))
    if (word.size() > 1 && !frames_a_question(word)) words.emplace_back(word);
  return words;
}

bool is_recorded(const std::vector<std::string>& words, const ChangeSource& source, TimePoint now) {
  const std::set<std::string> said(words.begin(), words.end());
  return std::ranges::any_of(recorded(source, now),
                             [&](const Change& change) { return is_about(change, said); });
}

bool asks_who_wrote(std::string_view question) {
  static const RE2 kWho(
      "(?i)\\bwho (?:last )?(?:wrote|authored|changed|modified|edited|touched|committed)\\b");
  return RE2::PartialMatch(piece(question), kWho);
}

}  // namespace precedent
