#include "agent/slots/blame.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/strings.h"

namespace precedent {

std::optional<Blame> read_blame(std::string_view question) {
  static constexpr char kFrame[] = "(?is)(?:^|[,;.!?]\\s*)(?:so |and |but )?";
  static const RE2 kCaused(
      std::string(kFrame) +
      "(?:did|could|might|may|would|has|have|can) (?:the |our )?(.{3,80}?) (?:have |be |been )?"
      "(?:caus(?:e|ed|ing)|break|broken|broke|trigger(?:ed|ing)?|slow(?:ed|ing)? down|bring down|"
      "brought down|lead to|led to|to blame for|responsible for|behind|the "
      "(?:cause|reason|culprit) "
      "(?:of|for|behind)) (?:the |our |all |this |these )*(.{3,80}?)\\s*[?.!]*\\s*$");
  static const RE2 kIsBehind(
      std::string(kFrame) +
      "(?:is|are|was|were) (?:the |our )?(.{3,80}?) (?:to blame for|responsible for|behind|the "
      "(?:cause|reason|culprit) (?:of|for|behind)) (?:the |our |all |this |these "
      ")*(.{3,80}?)\\s*[?.!]*\\s*$");
  static const RE2 kCausedBy(std::string(kFrame) +
                             "(?:is|are|was|were) (?:the |our )?(.{3,80}?) (?:caused by|triggered "
                             "by|due to|because of|down "
                             "to|the fault of) (?:the |our )?(.{3,80}?)\\s*[?.!]*\\s*$");
  const re2::StringPiece text(question.data(), question.size());
  Blame blame;
  if (RE2::PartialMatch(text, kCausedBy, &blame.effect, &blame.cause) ||
      RE2::PartialMatch(text, kIsBehind, &blame.cause, &blame.effect) ||
      RE2::PartialMatch(text, kCaused, &blame.cause, &blame.effect))
    return blame;
  return std::nullopt;
}

std::string read_blamed_deploy(std::string_view question) {
  static constexpr char kFrame[] = "(?is)(?:^|[,;.!?]\\s*)(?:so |and |but |or )?";
  static constexpr char kDeploy[] =
      "(?:the |our |that |this )?((?:[\\w.:'’-]+ ){0,4}?(?:(?:re)?deploy(?:ment)?|release|"
      "roll-?out|upgrade)(?: (?:of|to|in|at|from|on) [\\w.:-]+){0,3}(?: (?:yesterday|today|"
      "last night|tonight|this morning))?)";
  static constexpr char kBad[] =
      "(?:br(?:eak|oke|oken)|caus(?:e|ed)|slow(?:ed)?|hurt|kill(?:ed)?|trigger(?:ed)?|bring|"
      "brought|"
      "take down|took down)";
  static const RE2 kIsIt(
      fmt::format("{}(?:is|was|could|might|can) (?:it|this|that)(?: all)? (?:be |been )?"
                  "(?:because of |due to |caused by |from |down to )?{}\\s*[?.!]*\\s*$",
                  kFrame, kDeploy)),
      kToBlame(fmt::format("{}(?:is|was) {} (?:to blame|at fault|guilty|responsible|the "
                           "(?:cause|culprit|reason|problem))",
                           kFrame, kDeploy)),
      kDid(fmt::format("{}(?:did|has|could|might) {} (?:have )?{}\\b", kFrame, kDeploy, kBad));
  const re2::StringPiece text(question.data(), question.size());
  std::string deploy;
  for (const RE2* form : {&kIsIt, &kToBlame, &kDid})
    if (RE2::PartialMatch(text, *form, &deploy)) return deploy;
  return "";
}

}  // namespace precedent
