#include "agent/slots/orders.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/strings.h"

namespace precedent {
namespace {

// A longer sentence explains something; it does not order it.
constexpr size_t kMaxBytes = 300;

// Verbs after which something is gone; these are orders also where nobody is addressed.
constexpr std::string_view kDestroying = "delete|drop|wipe|erase|purge|truncate|destroy|nuke";
// Verbs that change what runs. Bare they are how people note down a question ("restart
// payment-service").
constexpr std::string_view kChanging =
    "remove|restart|reboot|stop|kill|terminate|shut ?down|scale(?: up| down| out| in)?|roll ?back|"
    "revert|deploy|redeploy|disable|enable|turn off|turn on|switch off|switch on|drain|cordon|"
    "evict|fail ?over|rotate|revoke|renew|flush|clear|silence|mute|acknowledge|ack|cancel|"
    "restore|merge|execute";

// What may stand before the verb, and behind the thing.
constexpr std::string_view kCourtesy =
    "(?:hey|hi|hello|ok|okay|so|then|precedent|please|pls|kindly|just|now|quickly)[, ]+";
constexpr std::string_view kRequest =
    "(?:(?:can|could|would|will) you|i (?:want|need) you to|i['’]?d like you to|"
    "you (?:should|must)|go ahead and|go and) +";
constexpr std::string_view kBehind =
    "(?:,? +(?:for (?:me|us)|please|pls|now|asap|right away|immediately|at once))*";

// The last sentence, where it begins.
size_t last_sentence(std::string_view text) {
  static const RE2 kEnd("[.!?]\\s|\\n");
  size_t begin = 0;
  re2::StringPiece rest(text.data(), text.size());
  while (RE2::FindAndConsume(&rest, kEnd)) {
    if (!trim(std::string_view(rest.data(), rest.size())).empty())
      begin = static_cast<size_t>(rest.data() - text.data());
  }
  return begin;
}

bool addresses(std::string_view before, std::string_view behind) {
  static const RE2 kAddress("(?i)\\b(?:please|pls|kindly|you|go)\\b");
  return RE2::PartialMatch(re2::StringPiece(before.data(), before.size()), kAddress) ||
         !trim(behind).empty();
}

}  // namespace

std::optional<GivenOrder> read_order(std::string_view said) {
  static const RE2 kOrder(fmt::format("(?is)((?:{}|{})*)({}|{}) +(.+?)({})[\\s.!?]*", kCourtesy,
                                      kRequest, kDestroying, kChanging, kBehind));
  static const RE2 kDestroys(fmt::format("(?i)(?:{})", kDestroying));
  static const RE2 kPointsAt("(?i)(?:all|every|everything|the|our|my|this|that|these|those)\\b.*");
  // A thing in general, a command, a line of a log.
  static const RE2 kNoOrder("(?is)(?:an? |-|/|[a-z]+ -).*|.*: .*");
  const std::string_view text = trim(said);
  const size_t begin = last_sentence(text);
  const std::string_view sentence = text.substr(begin);
  if (sentence.size() > kMaxBytes) return std::nullopt;
  std::string before, verb, thing, behind;
  if (!RE2::FullMatch(re2::StringPiece(sentence.data(), sentence.size()), kOrder, &before, &verb,
                      &thing, &behind))
    return std::nullopt;
  if (RE2::FullMatch(thing, kNoOrder)) return std::nullopt;
  const bool destroys = RE2::FullMatch(verb, kDestroys) && RE2::FullMatch(thing, kPointsAt) &&
                        !sentence.contains('?');
  if (!destroys && !addresses(before, behind)) return std::nullopt;
  verb = ascii_lower(verb);
  return GivenOrder{verb,
                    std::string(text.substr(0, begin)) + "How do I " + verb + " " + thing + "?"};
}

}  // namespace precedent
