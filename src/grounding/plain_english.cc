#include "grounding/plain_english.h"

#include <algorithm>
#include <array>
#include <utility>

namespace precedent {
namespace {

using namespace std::string_view_literals;

template <size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array kNegators = {"not"sv,     "no"sv,      "never"sv,   "none"sv,
                                  "nobody"sv,  "nothing"sv, "neither"sv, "nor"sv,
                                  "without"sv, "rather"sv,  "hardly"sv};

// "under" and "union" begin alike and deny nothing; these participles and adjectives do.
constexpr std::array kNegatedForms = {
    "unaffected"sv,  "unavailable"sv, "unchanged"sv,   "unsuccessful"sv, "unhealthy"sv,
    "unreachable"sv, "unrelated"sv,   "uninvolved"sv,  "unused"sv,       "unknown"sv,
    "unexpected"sv,  "unresolved"sv,  "unconfirmed"sv, "unnecessary"sv,  "unsupported"sv,
    "inactive"sv,    "incomplete"sv,  "inconsistent"sv};

struct Irregular {
  std::string_view form, base;
};
constexpr std::array kIrregular = {
    Irregular{"began", "begin"},   Irregular{"begun", "begin"},   Irregular{"ran", "run"},
    Irregular{"went", "go"},       Irregular{"gone", "go"},       Irregular{"took", "take"},
    Irregular{"taken", "take"},    Irregular{"broke", "break"},   Irregular{"broken", "break"},
    Irregular{"sent", "send"},     Irregular{"fell", "fall"},     Irregular{"fallen", "fall"},
    Irregular{"rose", "rise"},     Irregular{"risen", "rise"},    Irregular{"gave", "give"},
    Irregular{"given", "give"},    Irregular{"came", "come"},     Irregular{"kept", "keep"},
    Irregular{"built", "build"},   Irregular{"rebuilt", "build"}, Irregular{"found", "find"},
    Irregular{"wrote", "write"},   Irregular{"written", "write"}, Irregular{"grew", "grow"},
    Irregular{"grown", "grow"},    Irregular{"lost", "lose"},     Irregular{"made", "make"},
    Irregular{"paid", "pay"},      Irregular{"saw", "see"},       Irregular{"seen", "see"},
    Irregular{"shown", "show"},    Irregular{"spun", "spin"},     Irregular{"stood", "stand"},
    Irregular{"threw", "throw"},   Irregular{"thrown", "throw"},  Irregular{"told", "tell"},
    Irregular{"drove", "drive"},   Irregular{"driven", "drive"},  Irregular{"froze", "freeze"},
    Irregular{"frozen", "freeze"}, Irregular{"held", "hold"},     Irregular{"knew", "know"},
    Irregular{"known", "know"},    Irregular{"led", "lead"},      Irregular{"left", "leave"},
    Irregular{"met", "meet"},      Irregular{"meant", "mean"},    Irregular{"said", "say"},
    Irregular{"stuck", "stick"},   Irregular{"woke", "wake"},     Irregular{"chosen", "choose"},
    Irregular{"chose", "choose"},  Irregular{"bound", "bind"},    Irregular{"dealt", "deal"},
    Irregular{"peak", "max"},      Irregular{"peaks", "max"},     Irregular{"peaked", "max"},
    Irregular{"highest", "max"},   Irregular{"maximum", "max"},   Irregular{"lowest", "min"},
    Irregular{"minimum", "min"},   Irregular{"average", "mean"},  Irregular{"averaged", "mean"},
    Irregular{"brought", "bring"}, Irregular{"hit", "hit"},       Irregular{"thought", "think"},
};

constexpr WordPair kOpposites[] = {
    {"succeed", "fail"},      {"success", "failure"},   {"accept", "refuse"},
    {"accept", "reject"},     {"enable", "disable"},    {"ascending", "descending"},
    {"increase", "decrease"}, {"rise", "fall"},         {"allow", "block"},
    {"allow", "deny"},        {"healthy", "unhealthy"}, {"upgrade", "downgrade"},
    {"grow", "shrink"},       {"include", "exclude"},   {"connect", "disconnect"},
    {"faster", "slower"},     {"raise", "lower"},       {"synchronous", "asynchronous"},
    {"internal", "external"}, {"inbound", "outbound"},  {"always", "never"}};

constexpr std::array kComponents = {
    "api"sv,        "service"sv,    "worker"sv,   "gateway"sv,   "db"sv,        "engine"sv,
    "dispatcher"sv, "scorer"sv,     "vault"sv,    "builder"sv,   "portal"sv,    "proxy"sv,
    "server"sv,     "cache"sv,      "queue"sv,    "consumer"sv,  "producer"sv,  "scheduler"sv,
    "manager"sv,    "controller"sv, "agent"sv,    "broker"sv,    "store"sv,     "frontend"sv,
    "backend"sv,    "exporter"sv,   "client"sv,   "app"sv,       "job"sv,       "web"sv,
    "ui"sv,         "rates"sv,      "operator"sv, "router"sv,    "balancer"sv,  "primary"sv,
    "replica"sv,    "sidecar"sv,    "runner"sv,   "svc"sv,       "daemon"sv,    "relay"sv,
    "search"sv,     "auth"sv,       "registry"sv, "collector"sv, "processor"sv, "handler"sv};

constexpr std::array kExtensions = {
    "md"sv,    "py"sv,  "go"sv,  "js"sv,    "ts"sv,   "tsx"sv,        "jsx"sv,    "java"sv,
    "kt"sv,    "c"sv,   "h"sv,   "cc"sv,    "cpp"sv,  "hpp"sv,        "cs"sv,     "rs"sv,
    "rb"sv,    "php"sv, "sh"sv,  "sql"sv,   "yaml"sv, "yml"sv,        "json"sv,   "jsonl"sv,
    "toml"sv,  "ini"sv, "cfg"sv, "conf"sv,  "xml"sv,  "html"sv,       "css"sv,    "txt"sv,
    "log"sv,   "csv"sv, "tf"sv,  "proto"sv, "lua"sv,  "scala"sv,      "swift"sv,  "p12"sv,
    "pem"sv,   "crt"sv, "key"sv, "env"sv,   "lock"sv, "properties"sv, "gradle"sv, "rst"sv,
    "ipynb"sv, "tpl"sv, "j2"sv,  "patch"sv};

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};

constexpr std::array kWeekdays = {"monday"sv, "tuesday"sv,  "wednesday"sv, "thursday"sv,
                                  "friday"sv, "saturday"sv, "sunday"sv};

constexpr std::array kMeasureAdjectives = {"working"sv,  "business"sv,   "full"sv,
                                           "calendar"sv, "more"sv,       "consecutive"sv,
                                           "whole"sv,    "additional"sv, "long"sv};

constexpr std::array kFrameWords = {
    "root"sv,    "next"sv,        "likely"sv,    "what"sv,       "who"sv,     "why"sv,
    "how"sv,     "when"sv,        "where"sv,     "see"sv,        "note"sv,    "after"sv,
    "before"sv,  "during"sv,      "since"sv,     "until"sv,      "on"sv,      "in"sv,
    "at"sv,      "for"sv,         "from"sv,      "by"sv,         "with"sv,    "the"sv,
    "a"sv,       "an"sv,          "only"sv,      "both"sv,       "all"sv,     "most"sv,
    "three"sv,   "two"sv,         "according"sv, "call"sv,       "ask"sv,     "according"sv,
    "commit"sv,  "incident"sv,    "similar"sv,   "watch"sv,      "check"sv,   "switching"sv,
    "failing"sv, "redeploy"sv,    "restart"sv,   "restarting"sv, "some"sv,    "many"sv,
    "card"sv,    "accountable"sv, "owner"sv,     "status"sv,     "severity"sv};

constexpr std::array kSupposing = {"may"sv,        "might"sv,     "could"sv,      "likely"sv,
                                   "probably"sv,   "possible"sv,  "possibly"sv,   "perhaps"sv,
                                   "suspect"sv,    "suspected"sv, "suspicion"sv,  "hypothesis"sv,
                                   "seems"sv,      "appears"sv,   "presumably"sv, "potentially"sv,
                                   "plausible"sv,  "suggests"sv,  "unproven"sv,   "hypotheses"sv,
                                   "suspects"sv,   "assume"sv,    "apparently"sv, "unconfirmed"sv,
                                   "consistent"sv, "candidate"sv};

constexpr std::array kImperatives = {
    "check"sv,   "verify"sv,   "confirm"sv, "look"sv,        "run"sv,    "review"sv, "inspect"sv,
    "compare"sv, "consider"sv, "restart"sv, "roll"sv,        "ask"sv,    "see"sv,    "watch"sv,
    "monitor"sv, "escalate"sv, "open"sv,    "query"sv,       "re-run"sv, "try"sv,    "add"sv,
    "search"sv,  "contact"sv,  "read"sv,    "investigate"sv, "ensure"sv, "test"sv,   "keep"sv,
    "collect"sv, "capture"sv,  "disable"sv, "enable"sv,      "raise"sv,  "lower"sv,  "provide"sv,
    "tell"sv,    "name"sv,     "specify"sv};

constexpr std::array kCausal = {"because"sv, "caused"sv, "due"sv,    "owing"sv,
                                "cause"sv,   "causes"sv, "reason"sv, "triggered"sv};

constexpr std::array kConnectives = {
    "however"sv, "while"sv,   "whereas"sv, "although"sv, "though"sv,  "since"sv,  "yet"sv,
    "hence"sv,   "thus"sv,    "i.e"sv,     "e.g"sv,      "namely"sv,  "again"sv,  "already"sv,
    "still"sv,   "now"sv,     "only"sv,    "even"sv,     "besides"sv, "too"sv,    "both"sv,
    "each"sv,    "every"sv,   "all"sv,     "any"sv,      "some"sv,    "most"sv,   "more"sv,
    "about"sv,   "around"sv,  "roughly"sv, "almost"sv,   "over"sv,    "nearly"sv, "according"sv,
    "against"sv, "until"sv,   "till"sv,    "within"sv,   "between"sv, "upon"sv,   "per"sv,
    "utc"sv,     "instead"sv, "overall"sv, "see"sv,      "during"sv,  "there"sv,  "here"sv};

// Verbs and nouns that any sentence may have.
constexpr std::array kLight = {
    "make"sv,     "makes"sv,     "made"sv,      "making"sv,   "get"sv,      "gets"sv,
    "got"sv,      "take"sv,      "takes"sv,     "took"sv,     "put"sv,      "give"sv,
    "gave"sv,     "come"sv,      "came"sv,      "go"sv,       "goes"sv,     "went"sv,
    "gone"sv,     "see"sv,       "saw"sv,       "seen"sv,     "thing"sv,    "things"sv,
    "way"sv,      "kind"sv,      "case"sv,      "bit"sv,      "lot"sv,      "worse"sv,
    "better"sv,   "well"sv,      "same"sv,      "other"sv,    "another"sv,  "right"sv,
    "just"sv,     "basically"sv, "quite"sv,     "happened"sv, "happen"sv,   "happens"sv,
    "describe"sv, "described"sv, "describes"sv, "say"sv,      "says"sv,     "said"sv,
    "show"sv,     "shows"sv,     "showed"sv,    "shown"sv,    "mean"sv,     "means"sv,
    "meant"sv,    "detail"sv,    "details"sv,   "like"sv,     "compared"sv, "compare"sv,
    "them"sv,     "whose"sv,     "much"sv,      "many"sv,     "else"sv,     "longer"sv,
    "further"sv,  "also"sv,      "therefore"sv};

constexpr std::array kGeneral = {"generally"sv, "typically"sv, "usually"sv,
                                 "often"sv,     "normally"sv,  "commonly"sv};

constexpr std::array kFindings = {
    "found"sv,    "find"sv,        "mentions"sv,  "mention"sv,  "data"sv,      "results"sv,
    "result"sv,   "match"sv,       "matches"sv,   "matching"sv, "record"sv,    "records"sv,
    "recorded"sv, "available"sv,   "exists"sv,    "exist"sv,    "know"sv,      "known"sv,
    "returned"sv, "contains"sv,    "documents"sv, "opened"sv,   "incidents"sv, "incident"sv,
    "says"sv,     "knowledge"sv,   "called"sv,    "holds"sv,    "metrics"sv,   "series"sv,
    "evidence"sv, "information"sv, "stated"sv};

}  // namespace

bool is_negator(std::string_view word) { return contains(kNegators, word); }
bool is_negated_form(std::string_view word) { return contains(kNegatedForms, word); }

std::string_view base_form(std::string_view word) {
  const auto found = std::ranges::find(kIrregular, word, &Irregular::form);
  return found == kIrregular.end() ? std::string_view() : found->base;
}

std::span<const WordPair> opposite_words() { return kOpposites; }

bool is_component_word(std::string_view word) { return contains(kComponents, word); }
bool is_file_extension(std::string_view word) { return contains(kExtensions, word); }

uint8_t month_of(std::string_view word) {
  if (word.size() < 3) return 0;
  for (size_t i = 0; i < kMonths.size(); ++i) {
    if (kMonths[i] == word || (word.size() == 3 && kMonths[i].starts_with(word)) ||
        (word == "sept" && i == 8))
      return static_cast<uint8_t>(i + 1);
  }
  return 0;
}

bool is_weekday(std::string_view word) { return contains(kWeekdays, word); }
bool is_measure_adjective(std::string_view word) { return contains(kMeasureAdjectives, word); }

std::optional<double> multiplier_word(std::string_view word) {
  if (word == "twice" || word == "double" || word == "doubled" || word == "doubles") return 2;
  if (word == "triple" || word == "tripled" || word == "triples") return 3;
  return std::nullopt;
}

bool is_frame_word(std::string_view word) { return contains(kFrameWords, word); }
bool is_supposing(std::string_view word) { return contains(kSupposing, word); }
bool is_imperative(std::string_view word) { return contains(kImperatives, word); }
bool is_generalising(std::string_view word) { return contains(kGeneral, word); }
bool is_causal(std::string_view word) { return contains(kCausal, word); }
bool is_connective(std::string_view word) {
  return contains(kConnectives, word) || contains(kLight, word) || is_causal(word);
}
bool is_finding(std::string_view word) { return contains(kFindings, word); }

}  // namespace precedent
