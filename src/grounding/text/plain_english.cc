#include "grounding/text/plain_english.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace precedent {
namespace {

using WordSet = std::unordered_set<std::string_view>;

const WordSet& negators_words() {
  static const WordSet words = {
      "not",     "no",     "never",   "none",    "nobody",   "nothing",   "neither",   "nor",
      "without", "rather", "hardly",  "seldom",  "rarely",   "scarcely",  "unable",    "lack",
      "lacks",   "lacked", "lacking", "prevent", "prevents", "prevented", "preventing"};
  return words;
}

// "under" and "union" begin alike and deny nothing; these participles and adjectives do.
const WordSet& negated_forms_words() {
  static const WordSet words = {
      "unaffected",   "unavailable", "unchanged",     "unsuccessful",   "unhealthy",
      "unreachable",  "unrelated",   "uninvolved",    "unused",         "unknown",
      "unexpected",   "unresolved",  "unconfirmed",   "unnecessary",    "unsupported",
      "inactive",     "incomplete",  "inconsistent",  "inaccessible",   "unresponsive",
      "insufficient", "incorrect",   "invalid",       "impossible",     "unfinished",
      "unnoticed",    "undetected",  "unintended",    "unintentional",  "unstable",
      "unreliable",   "unsafe",      "unaddressed",   "uninterrupted",  "unpatched",
      "unprotected",  "unread",      "unsent",        "unacknowledged", "unclear",
      "uncertain",    "indirect",    "unusable",      "undocumented",   "unmonitored",
      "untested",     "unscheduled", "unschedulable", "immutable"};
  return words;
}

struct Irregular {
  std::string_view form, base;
};
constexpr std::array kIrregular = {
    Irregular{"began", "begin"},
    Irregular{"begun", "begin"},
    Irregular{"ran", "run"},
    Irregular{"went", "go"},
    Irregular{"gone", "go"},
    Irregular{"took", "take"},
    Irregular{"taken", "take"},
    Irregular{"broke", "break"},
    Irregular{"broken", "break"},
    Irregular{"sent", "send"},
    Irregular{"fell", "fall"},
    Irregular{"fallen", "fall"},
    Irregular{"rose", "rise"},
    Irregular{"risen", "rise"},
    Irregular{"gave", "give"},
    Irregular{"given", "give"},
    Irregular{"came", "come"},
    Irregular{"kept", "keep"},
    Irregular{"built", "build"},
    Irregular{"rebuilt", "build"},
    Irregular{"found", "find"},
    Irregular{"wrote", "write"},
    Irregular{"written", "write"},
    Irregular{"grew", "grow"},
    Irregular{"grown", "grow"},
    Irregular{"lost", "lose"},
    Irregular{"made", "make"},
    Irregular{"paid", "pay"},
    Irregular{"saw", "see"},
    Irregular{"seen", "see"},
    Irregular{"shown", "show"},
    Irregular{"spun", "spin"},
    Irregular{"stood", "stand"},
    Irregular{"threw", "throw"},
    Irregular{"thrown", "throw"},
    Irregular{"told", "tell"},
    Irregular{"drove", "drive"},
    Irregular{"driven", "drive"},
    Irregular{"froze", "freeze"},
    Irregular{"frozen", "freeze"},
    Irregular{"held", "hold"},
    Irregular{"knew", "know"},
    Irregular{"known", "know"},
    Irregular{"led", "lead"},
    Irregular{"left", "leave"},
    Irregular{"met", "meet"},
    Irregular{"meant", "mean"},
    Irregular{"said", "say"},
    Irregular{"stuck", "stick"},
    Irregular{"woke", "wake"},
    Irregular{"chosen", "choose"},
    Irregular{"chose", "choose"},
    Irregular{"bound", "bind"},
    Irregular{"dealt", "deal"},
    Irregular{"peak", "max"},
    Irregular{"peaks", "max"},
    Irregular{"peaked", "max"},
    Irregular{"highest", "max"},
    Irregular{"worst", "max"},
    Irregular{"maximum", "max"},
    Irregular{"lowest", "min"},
    Irregular{"minimum", "min"},
    Irregular{"average", "mean"},
    Irregular{"averaged", "mean"},
    Irregular{"brought", "bring"},
    Irregular{"hit", "hit"},
    Irregular{"thought", "think"},
    Irregular{"rollback", "roll"},
    // Nouns of verbs, where the stemmer has two stems for them.
    Irregular{"resolution", "resolve"},
    Irregular{"recovery", "recover"},
    Irregular{"delivery", "deliver"},
    Irregular{"discovery", "discover"},
    Irregular{"expiry", "expire"},
    Irregular{"growth", "grow"},
    Irregular{"loss", "lose"},
    Irregular{"losses", "lose"},
    Irregular{"decision", "decide"},
    Irregular{"decisions", "decide"},
    Irregular{"analysis", "analyse"},
    Irregular{"analyze", "analyse"},
    Irregular{"suspension", "suspend"},
    Irregular{"expansion", "expand"},
    Irregular{"extension", "extend"},
    Irregular{"reduction", "reduce"},
    Irregular{"consumption", "consume"},
    Irregular{"assumption", "assume"},
    Irregular{"description", "describe"},
    Irregular{"success", "succeed"},
    Irregular{"successful", "succeed"},
    Irregular{"proof", "prove"},
    Irregular{"belief", "believe"},
    Irregular{"choice", "choose"},
    Irregular{"maintenance", "maintain"},
    Irregular{"response", "respond"},
    Irregular{"failure", "fail"},
    Irregular{"failures", "fail"},
    Irregular{"exposure", "expose"},
    Irregular{"closure", "close"},
    Irregular{"configuration", "config"},
    Irregular{"configurations", "config"},
    Irregular{"configure", "config"},
    Irregular{"configured", "config"},
    Irregular{"permission", "permit"},
    Irregular{"permissions", "permit"},
    Irregular{"transmission", "transmit"},
    Irregular{"starvation", "starve"},
    Irregular{"sale", "sell"},
    Irregular{"sold", "sell"},
    Irregular{"invasion", "invade"},
    Irregular{"removal", "remove"},
    Irregular{"arrival", "arrive"},
    Irregular{"departure", "depart"},
    Irregular{"centre", "center"},
    Irregular{"centres", "center"},
    Irregular{"behaviour", "behavior"},
    Irregular{"unavailability", "unavailable"},
    Irregular{"shrank", "shrink"},
    Irregular{"sank", "sink"},
    Irregular{"forgot", "forget"},
    Irregular{"forgotten", "forget"},
    Irregular{"understood", "understand"},
    Irregular{"spent", "spend"},
    Irregular{"became", "become"},
    Irregular{"overwrote", "overwrite"},
    Irregular{"hid", "hide"},
    Irregular{"hidden", "hide"},
    Irregular{"caught", "catch"},
    Irregular{"sought", "seek"},
    Irregular{"withdrew", "withdraw"},
    Irregular{"withdrawn", "withdraw"},
    Irregular{"overran", "overrun"},
    Irregular{"spoke", "speak"},
    Irregular{"lay", "lie"},
    Irregular{"strength", "strong"},
    Irregular{"strengthen", "strong"},
    Irregular{"length", "long"},
    Irregular{"misunderstanding", "misunderstand"},
    // "Lasted" is not "the last".
    Irregular{"lasted", "endure"},
    Irregular{"lasts", "endure"},
    Irregular{"lasting", "endure"},
};

const WordSet& components_words() {
  static const WordSet words = {
      "api",     "service",  "worker",   "gateway",   "db",        "engine",     "dispatcher",
      "scorer",  "vault",    "builder",  "portal",    "proxy",     "server",     "cache",
      "queue",   "consumer", "producer", "scheduler", "manager",   "controller", "agent",
      "broker",  "store",    "frontend", "backend",   "exporter",  "client",     "app",
      "job",     "web",      "ui",       "rates",     "operator",  "router",     "balancer",
      "primary", "replica",  "sidecar",  "runner",    "c",         "daemon",     "relay",
      "search",  "auth",     "registry", "collector", "processor", "handler"};
  return words;
}

const WordSet& extensions_words() {
  static const WordSet words = {
      "md",   "py",         "go",     "js",  "ts",    "tsx",   "jsx", "java", "kt",  "c",    "h",
      "cc",   "cpp",        "hpp",    "cs",  "rs",    "rb",    "php", "sh",   "sql", "yaml", "yml",
      "json", "jsonl",      "toml",   "ini", "cfg",   "conf",  "xml", "html", "css", "txt",  "log",
      "csv",  "tf",         "proto",  "lua", "scala", "swift", "p12", "pem",  "crt", "key",  "env",
      "lock", "properties", "gradle", "rst", "ipynb", "tpl",   "j2",  "patch"};
  return words;
}

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};

const WordSet& weekdays_words() {
  static const WordSet words = {"monday", "tuesday",  "wednesday", "thursday",
                                "friday", "saturday", "sunday"};
  return words;
}

const WordSet& measure_adjectives_words() {
  static const WordSet words = {"working",     "business", "full",       "calendar", "more",
                                "consecutive", "whole",    "additional", "long"};
  return words;
}

const WordSet& frame_words_words() {
  static const WordSet words = {
      "root",      "next",        "likely",   "what",    "who",        "why",     "how",
      "when",      "where",       "see",      "note",    "after",      "before",  "during",
      "since",     "until",       "on",       "in",      "at",         "for",     "from",
      "by",        "with",        "the",      "a",       "an",         "only",    "both",
      "all",       "most",        "three",    "two",     "according",  "call",    "ask",
      "according", "commit",      "incident", "alert",   "similar",    "watch",   "check",
      "switching", "failing",     "redeploy", "restart", "restarting", "some",    "many",
      "card",      "accountable", "owner",    "status",  "severity",   "under",   "over",
      "through",   "without",     "between",  "among",   "within",     "via",     "per",
      "despite",   "because",     "although", "while",   "as",         "if",      "once",
      "every",     "each",        "neither",  "either",  "besides",    "instead", "unlike",
      "like",      "about",       "around",   "behind",  "below",      "above",   "against",
      "beyond"};
  return words;
}

const WordSet& supposing_words() {
  static const WordSet words = {
      "may",        "might",      "could",      "likely",      "probably",   "possible",
      "possibly",   "perhaps",    "suspect",    "suspected",   "suspicion",  "hypothesis",
      "seems",      "appears",    "presumably", "potentially", "plausible",  "suggests",
      "unproven",   "hypotheses", "suspects",   "assume",      "apparently", "unconfirmed",
      "consistent", "candidate",  "maybe"};
  return words;
}

const WordSet& imperatives_words() {
  static const WordSet words = {
      "check",    "verify",  "confirm", "look",    "run",     "review",  "inspect",  "compare",
      "consider", "restart", "ask",     "see",     "watch",   "monitor", "escalate", "open",
      "query",    "re-run",  "try",     "add",     "search",  "contact", "read",     "investigate",
      "ensure",   "test",    "keep",    "collect", "capture", "disable", "enable",   "raise",
      "lower",    "provide", "tell",    "name",    "specify", "switch",  "roll",     "revert",
      "stop",     "wait",    "undo",    "expect"};
  return words;
}

const WordSet& causal_list() {
  static const WordSet words = {"because",  "caused",  "due",     "owing",      "cause",
                                "causes",   "reason",  "reasons", "triggered",  "stems",
                                "stemmed",  "traced",  "thanks",  "attributed", "resulted",
                                "provoked", "triggers"};
  return words;
}

const WordSet& connectives_words() {
  static const WordSet words = {
      "however", "while",   "whereas", "although", "though",  "since",  "yet",
      "hence",   "thus",    "i.e",     "e.g",      "namely",  "again",  "already",
      "still",   "now",     "only",    "even",     "besides", "too",    "both",
      "each",    "every",   "all",     "any",      "some",    "most",   "more",
      "about",   "around",  "roughly", "almost",   "over",    "nearly", "according",
      "against", "until",   "till",    "within",   "between", "upon",   "per",
      "utc",     "instead", "overall", "see",      "during",  "there",  "here"};
  return words;
}

// Verbs and nouns that any sentence may have.
const WordSet& light_words() {
  static const WordSet words = {
      "make",      "makes",   "made",     "making",    "get",       "gets",       "got",
      "take",      "takes",   "took",     "put",       "set",       "versus",     "vs",
      "yesterday", "today",   "ago",      "currently", "occurred",  "occur",      "give",
      "gave",      "come",    "came",     "go",        "goes",      "went",       "gone",
      "see",       "saw",     "seen",     "thing",     "things",    "way",        "kind",
      "case",      "bit",     "lot",      "worse",     "better",    "well",       "same",
      "other",     "another", "right",    "just",      "basically", "quite",      "happened",
      "happen",    "happens", "describe", "described", "describes", "say",        "says",
      "said",      "show",    "shows",    "showed",    "shown",     "mean",       "means",
      "meant",     "detail",  "details",  "like",      "compared",  "compare",    "them",
      "whose",     "much",    "many",     "else",      "longer",    "further",    "also",
      "therefore", "back",    "shortly",  "soon",      "later",     "earlier",    "afterwards",
      "reached",   "reach",   "away",     "able",      "itself",    "themselves", "different",
      "matter",    "option",  "options",  "choice",    "choices",   "apart",      "year",
      "years"};
  return words;
}

const WordSet& general_words() {
  static const WordSet words = {"generally", "typically", "usually",
                                "often",     "normally",  "commonly"};
  return words;
}

const WordSet& findings_words() {
  static const WordSet words = {
      "looked",   "asked",     "checked",  "found",    "find",        "mentions",
      "mention",  "data",      "results",  "result",   "match",       "matches",
      "matching", "record",    "records",  "recorded", "available",   "exists",
      "exist",    "know",      "known",    "returned", "contains",    "documents",
      "opened",   "incidents", "incident", "says",     "knowledge",   "called",
      "holds",    "metrics",   "series",   "evidence", "information", "stated"};
  return words;
}

}  // namespace

bool is_negator(std::string_view word) { return negators_words().contains(word); }
bool is_quantifier(std::string_view word) {
  return word == "no" || word == "none" || word == "nobody" || word == "nothing" ||
         word == "without" || word.starts_with("lack");
}
bool is_negated_form(std::string_view word) { return negated_forms_words().contains(word); }

std::string_view base_form(std::string_view word) {
  static const auto bases = [] {
    std::unordered_map<std::string_view, std::string_view> out;
    for (const Irregular& entry : kIrregular) out.emplace(entry.form, entry.base);
    return out;
  }();
  const auto found = bases.find(word);
  return found == bases.end() ? std::string_view() : found->second;
}

bool is_component_word(std::string_view word) { return components_words().contains(word); }
bool is_file_extension(std::string_view word) { return extensions_words().contains(word); }

uint8_t month_of(std::string_view word) {
  if (word.size() < 3) return 0;
  for (size_t i = 0; i < kMonths.size(); ++i) {
    if (kMonths[i] == word || (word.size() == 3 && kMonths[i].starts_with(word)) ||
        (word == "sept" && i == 8))
      return static_cast<uint8_t>(i + 1);
  }
  return 0;
}

bool is_weekday(std::string_view word) { return weekdays_words().contains(word); }
bool is_measure_adjective(std::string_view word) {
  return measure_adjectives_words().contains(word);
}

std::optional<double> multiplier_word(std::string_view word) {
  if (word == "twice" || word == "double" || word == "doubled" || word == "doubles") return 2;
  if (word == "halved" || word == "halves" || word == "halving") return 0.5;
  if (word == "triple" || word == "tripled" || word == "triples") return 3;
  return std::nullopt;
}

bool is_frame_word(std::string_view word) { return frame_words_words().contains(word); }
bool is_supposing(std::string_view word) { return supposing_words().contains(word); }
bool is_imperative(std::string_view word) { return imperatives_words().contains(word); }
bool is_generalising(std::string_view word) { return general_words().contains(word); }
bool is_ours(std::string_view word) {
  return word == "our" || word == "ours" || word == "we" || word == "us" || word == "this" ||
         word == "these" || word == "here";
}
bool is_causal(std::string_view word) { return causal_words().contains(word); }
const WordSet& causal_words() { return causal_list(); }
bool is_connective(std::string_view word) {
  const bool noun = word == "cause" || word == "causes" || word == "reason" || word == "reasons";
  return connectives_words().contains(word) || light_words().contains(word) ||
         general_words().contains(word) || (is_causal(word) && !noun);
}
bool is_finding(std::string_view word) { return findings_words().contains(word); }

}  // namespace precedent
