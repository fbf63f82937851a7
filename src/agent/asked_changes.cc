#include "agent/asked_changes.h"

#include <re2/re2.h>

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "changes/change_record.h"
#include "knowledge/case_fold.h"

namespace precedent {
namespace {

constexpr std::chrono::days kTwoYears{730};
constexpr size_t kMostRead = 20'000;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

// Whoever may be meant, as it was said; "" if nobody.
std::string said_author(std::string_view question) {
  static constexpr const char* kDoing =
      "(?:changed?|deploy(?:ed)?|released?|ship(?:ped)?|merged?|push(?:ed)?|commit(?:ted)?|"
      "roll(?:ed)? (?:out|back)|flip(?:ped)?|toggled?|switch(?:ed)?|touch(?:ed)?|done?)";
  static constexpr const char* kName = "([\\pL][\\pL'’-]+(?: [\\pL][\\pL'’-]+)?)";
  static const RE2 kForms[] = {
      std::string("(?i)\\b(?:what|which \\w+|when) (?:all )?(?:did|has|have) ") + kName +
          " (?:last )?" + kDoing + "\\b",
      std::string("(?i)^(?:did|has) ") + kName + " " + kDoing + "\\b",
      std::string("(?i)\\b(?:changes|(?:re)?deploys|deployments|releases|commits|flags?|changed|"
                  "deployed|released|shipped|merged|flipped|done) (?:made )?by ") +
          kName};
  std::string said;
  for (const RE2& form : kForms)
    if (RE2::PartialMatch(piece(question), form, &said)) return said;
  return "";
}

bool is_called(const std::string& author, const std::string& said) {
  return (" " + case_fold(author) + " ").contains(" " + case_fold(said) + " ");
}

bool is_written_as_a_name(std::string_view said) {
  static const RE2 kName("\\p{Lu}\\p{Ll}[\\pL'’-]*(?: \\p{Lu}[\\pL'’-]+)?");
  return RE2::FullMatch(piece(said), kName);
}

}  // namespace

RecordedNames read_recorded_names(const ChangeSource& source, TimePoint now) {
  RecordedNames names;
  const auto list = source.changes(
      {.range = {now - kTwoYears, now + std::chrono::seconds(1)}, .limit = kMostRead});
  for (const Change& change : list ? list->changes : std::vector<Change>()) {
    if (!change.author.empty()) names.authors.insert(change.author);
    if (const std::string_view flag = flag_of(change); !flag.empty()) names.flags.emplace(flag);
  }
  return names;
}

std::string asked_author(std::string_view question, const KnownNames& known) {
  std::string said = said_author(question);
  // "What did Magnus deploy": the verb is no name; "changes by Clara this week" holds more than one.
  for (;; said.resize(said.rfind(' '))) {
    std::vector<std::string> called;
    if (said.empty()) return "";
    for (const std::string& author : known().authors)
      if (is_called(author, said)) called.push_back(author);
    if (called.size() == 1) return called.front();
    if (!called.empty()) return said;
    if (!said.contains(' ')) break;
    if (is_written_as_a_name(said)) return said;
  }
  return is_written_as_a_name(said) ? said : "";
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

bool asks_who_wrote(std::string_view question) {
  static const RE2 kWho(
      "(?i)\\bwho (?:last )?(?:wrote|authored|changed|modified|edited|touched|committed)\\b");
  return RE2::PartialMatch(piece(question), kWho);
}

}  // namespace precedent
