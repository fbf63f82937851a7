#include "agent/compose/title_words.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <span>

#include "base/strings.h"
#include "base/utf8.h"
#include "text/characters.h"
#include "text/words.h"

namespace precedent {
namespace {

bool is_in(std::string_view word, std::span<const std::string_view> sorted) {
  return std::ranges::binary_search(sorted, word);
}

// Ascending. Beside text/words.h: contractions, courtesies, verbs of asking and of having, time
// words and words that say "wrong" and no more.
constexpr std::string_view kEmpty[] = {
    "afternoon",  "again",      "all",          "already",   "always",    "another",   "any",
    "anybody",    "anyone",     "anything",     "aren't",    "became",    "because",   "become",
    "becomes",    "before",     "between",      "can't",     "cannot",    "check",     "clue",
    "come",       "could",      "couldn't",     "currently", "day",       "days",      "dear",
    "describe",   "didn't",     "do",           "doesn't",   "don't",     "during",    "each",
    "else",       "error",      "errors",       "evening",   "ever",      "every",     "everybody",
    "everyone",   "everything", "experiencing", "explain",   "far",       "figure",    "find",
    "first",      "gave",       "get",          "gets",      "getting",   "give",      "gives",
    "giving",     "go",         "goes",         "going",     "good",      "got",       "guys",
    "hadn't",     "happen",     "happened",     "happening", "hasn't",    "haven't",   "he",
    "hello",      "help",       "here",         "hey",       "hi",        "hitting",   "hour",
    "hours",      "how's",      "i'm",          "i've",      "idea",      "ideas",     "isn't",
    "issue",      "issues",     "it's",         "keep",      "keeps",     "kind",      "know",
    "last",       "let",        "let's",        "like",      "list",      "long",      "look",
    "looking",    "looks",      "make",         "many",      "maybe",     "mean",      "means",
    "midnight",   "minute",     "minutes",      "month",     "months",    "more",      "morning",
    "most",       "much",       "need",         "night",     "no",        "nobody",    "noon",
    "not",        "nothing",    "now",          "once",      "one",       "only",      "other",
    "our",        "ours",       "out",          "please",    "pls",       "problem",   "problems",
    "question",   "quite",      "really",       "received",  "receives",  "receiving", "returned",
    "returning",  "said",       "say",          "says",      "see",       "seeing",    "seem",
    "seems",      "seen",       "show",         "since",     "some",      "somebody",  "someone",
    "something",  "still",      "suddenly",     "summarise", "summarize", "summary",   "sure",
    "take",       "takes",      "tell",         "than",      "thanks",    "that's",    "they're",
    "thing",      "things",     "think",        "throwing",  "throws",    "till",      "today",
    "tomorrow",   "tonight",    "too",          "try",       "trying",    "two",       "under",
    "understand", "until",      "up",           "upon",      "urgent",    "use",       "used",
    "using",      "wait",       "want",         "wasn't",    "we're",     "week",      "week's",
    "weeks",      "went",       "weren't",      "what's",    "where's",   "whether",   "while",
    "who's",      "whose",      "why's",        "won't",     "wouldn't",  "wrong",     "year",
    "years",      "yes",        "yesterday",    "yet",       "you're"};
static_assert(std::ranges::is_sorted(kEmpty));

// Ascending: the same of German, French, Spanish, Italian and Portuguese, as far as they are no
// words of English operations.
constexpr std::string_view kForeign[] = {
    "ach",    "al",     "als",    "au",     "auch",  "auf",   "aus",    "aux",     "avec",
    "bei",    "bin",    "bitte",  "c'est",  "ce",    "ces",   "che",    "comment", "como",
    "cual",   "cuando", "cuál",   "cómo",   "dans",  "das",   "dass",   "de",      "del",
    "dem",    "den",    "depuis", "der",    "des",   "di",    "doch",   "donde",   "du",
    "dónde",  "e",      "ein",    "eine",   "einem", "einen", "einer",  "el",      "elle",
    "em",     "en",     "er",     "es",     "est",   "esta",  "este",   "está",    "et",
    "faire",  "für",    "habe",   "haben",  "hat",   "hay",   "ich",    "ihr",     "il",
    "ils",    "im",     "ist",    "ja",     "je",    "kann",  "kein",   "la",      "las",
    "le",     "les",    "leur",   "lo",     "los",   "mi",    "mich",   "mir",     "mit",
    "muy",    "nach",   "ne",     "nicht",  "noch",  "non",   "nos",    "nous",    "nun",
    "nur",    "não",    "o",      "oder",   "ont",   "os",    "ou",     "où",      "par",
    "para",   "pas",    "per",    "perché", "pero",  "por",   "porque", "pour",    "pourquoi",
    "quand",  "que",    "quel",   "quelle", "qui",   "quoi",  "qué",    "sans",    "se",
    "seit",   "ses",    "si",     "sich",   "sie",   "sind",  "sono",   "sont",    "su",
    "sur",    "tun",    "um",     "uma",    "un",    "una",   "und",    "une",     "uns",
    "vom",    "von",    "vor",    "vous",   "wann",  "warum", "was",    "wer",     "wie",
    "wieder", "wir",    "wird",   "wo",     "y",     "ya",    "zu",     "zum",     "zur"};
static_assert(std::ranges::is_sorted(kForeign));

// Ascending: what follows them is missing at the end of a title.
constexpr std::string_view kNotLast[] = {
    "&",      "above",   "across", "after",   "against", "all",     "along",  "among", "around",
    "back",   "because", "below",  "between", "beyond",  "despite", "down",   "due",   "during",
    "except", "no",      "not",    "off",     "onto",    "out",     "over",   "per",   "since",
    "than",   "through", "till",   "toward",  "towards", "under",   "until",  "up",    "upon",
    "versus", "via",     "vs",     "whether", "while",   "within",  "without"};
static_assert(std::ranges::is_sorted(kNotLast));

// Ascending. Abbreviations of the trade, as they are always written.
constexpr std::string_view kAbbreviations[] = {
    "acl",  "ami",  "api",  "arp",  "aws",  "bgp",  "cdn",  "ci",   "cidr",  "cpu",  "crd",  "csv",
    "cve",  "db",   "ddos", "dhcp", "dlq",  "dns",  "ebs",  "ec2",  "eks",   "etl",  "fx",   "gc",
    "gcp",  "gke",  "gpu",  "grpc", "gui",  "hpa",  "html", "http", "https", "iam",  "id",   "io",
    "ip",   "jdbc", "json", "jvm",  "jwt",  "kms",  "lb",   "ldap", "mfa",   "ntp",  "oidc", "oom",
    "os",   "pdf",  "pg",   "pvc",  "qps",  "raid", "ram",  "rbac", "rds",   "rpc",  "rps",  "s3",
    "saml", "sdk",  "sev1", "sev2", "sev3", "sev4", "sftp", "sla",  "slo",   "smtp", "sql",  "ssd",
    "ssh",  "ssl",  "sso",  "tcp",  "tls",  "ttl",  "udp",  "ui",   "uri",   "url",  "usb",  "utc",
    "vm",   "vpc",  "vpn",  "waf",  "wal",  "xml",  "yaml"};
static_assert(std::ranges::is_sorted(kAbbreviations));

bool joins(char32_t c) {
  return c < 0x80 &&
         std::string_view("_.-/:@+#&'").find(static_cast<char>(c)) != std::string_view::npos;
}

// A month, for the days and years beside it.
bool is_month(const std::string& lower) {
  static const RE2 kMonth(
      "jan(?:uary)?|feb(?:ruary)?|march|april|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
      "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?");
  return RE2::FullMatch(lower, kMonth);
}

}  // namespace

std::vector<TitleWord> title_words(std::string_view text) {
  std::vector<TitleWord> words;
  const auto is_word_at = [&](const CodePoint& point) {
    const CharClass c = char_class(point.value);
    return is_word(c) || c == CharClass::kIdeograph;
  };
  for (size_t at = 0; at < text.size();) {
    CodePoint point = code_point_at(text, at);
    if (!is_word_at(point) && point.value != '/' && point.value != '&') {
      at += point.bytes;
      continue;
    }
    const size_t begin = at;
    while (at < text.size() && (is_word_at(point = code_point_at(text, at)) || joins(point.value)))
      at += point.bytes;
    size_t end = at;
    while (end > begin &&
           std::string_view("_.-/:@+#'").find(text[end - 1]) != std::string_view::npos)
      --end;
    for (const std::string_view possessive : {"'s", "’s"})
      if (text.substr(begin, end - begin).ends_with(possessive)) end -= possessive.size();
    if (end == begin) continue;
    const std::string word(text.substr(begin, end - begin));
    words.push_back({word, ascii_lower(word), begin, end});
  }
  return words;
}

bool is_empty_word(std::string_view lower) {
  return is_stop_word(lower) || is_in(lower, kEmpty) || is_in(lower, kForeign);
}

bool cannot_end_title(std::string_view lower) {
  return is_stop_word(lower) || is_in(lower, kNotLast) || is_in(lower, kForeign);
}

bool is_noise(std::string_view word) {
  // Longer words are encoded bytes, or text of a script without spaces that fills a title alone.
  constexpr size_t kMaxBytes = 48;
  const auto digits = static_cast<size_t>(
      std::ranges::count_if(word, [](unsigned char c) { return std::isdigit(c); }));
  const auto letters = static_cast<size_t>(
      std::ranges::count_if(word, [](unsigned char c) { return std::isalpha(c) || c >= 0x80; }));
  if (word.size() > kMaxBytes || letters + digits == 0) return true;
  const bool hexadecimal =
      digits > 0 && (word.starts_with("0x") ||
                     (word.size() >= 8 && std::ranges::all_of(word, [](unsigned char c) {
                        return std::isxdigit(c) || c == '-';
                      })));
  static const RE2 kMeasure("\\d+(?:[.,]\\d+)?(?:ms|s|sec|m|min|h|hrs?|d|x|%)");
  return hexadecimal || digits > 2 * letters ||
         RE2::FullMatch(re2::StringPiece(word.data(), word.size()), kMeasure);
}

std::string in_title_case(std::string_view word) {
  const std::string lower = ascii_lower(word);
  if (is_in(lower, kAbbreviations)) {
    std::string upper = lower;
    std::ranges::transform(upper, upper.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return upper;
  }
  const bool plain = std::ranges::all_of(
      word, [](unsigned char c) { return std::islower(c) || c == '\'' || c >= 0x80; });
  // "cut-over" is made of words, "checkout-api" is known by its spelling: a particle at the end
  // tells.
  static const RE2 kJoined("([a-z]+)-(over|up|in|out|off|back|down|by|on)");
  std::string first, particle;
  if (RE2::FullMatch(re2::StringPiece(word.data(), word.size()), kJoined, &first, &particle))
    return in_title_case(first) + "-" + in_title_case(particle);
  if (!plain) return std::string(word);
  std::string title(word);
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

bool is_code(const std::vector<TitleWord>& words, size_t i) {
  const std::string& word = words[i].lower;
  static const RE2 kSeveral("[45]\\d\\ds");
  if (RE2::FullMatch(word, kSeveral)) return true;
  if (word.size() > 5 ||
      !std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c); }))
    return false;
  static const RE2 kBefore("https?|error|code|status|exit|signal|errno|e|\\w+(?:error|exception)");
  if (i > 0 && RE2::FullMatch(words[i - 1].lower, kBefore)) return true;
  return word.size() == 3 && (word[0] == '4' || word[0] == '5');
}

std::string last_part(const std::string& word) {
  static const RE2 kQualified("(?:[a-z][\\w]*\\.)+([A-Z]\\w+)");
  std::string last;
  return RE2::FullMatch(word, kQualified, &last) ? last : word;
}

bool is_part_of_date(const std::vector<TitleWord>& words, size_t i) {
  static const RE2 kDayOrYear("\\d{1,2}(?:st|nd|rd|th)?|(?:19|20)\\d\\d");
  if (!RE2::FullMatch(words[i].lower, kDayOrYear)) return false;
  // "August 24, 2025": the year stands beside the day.
  for (const size_t near : {i - 1, i + 1, i - 2})
    if (near < words.size() && is_month(words[near].lower)) return true;
  return false;
}

size_t denied_by(const std::vector<TitleWord>& words, size_t i) {
  static const RE2 kDenials("no|not|never|cannot|without");
  static const RE2 kBetween(
      "a|an|the|be|been|being|to|yet|able|all|any|have|having|get|gets|getting|give|gives|giving|"
      "receive|received|receiving|return|returned|returning|see|seeing|seen");
  if (!RE2::FullMatch(words[i].lower, kDenials)) return words.size();
  const auto follows = [&](size_t at) {
    return at < words.size() && words[at - 1].end + 1 == words[at].begin;
  };
  size_t denied = i + 1;
  while (follows(denied) && RE2::FullMatch(words[denied].lower, kBetween)) ++denied;
  return follows(denied) && !is_empty_word(words[denied].lower) ? denied : words.size();
}

std::string denial(const std::vector<TitleWord>& words, size_t i, size_t denied) {
  static const RE2 kHaving("any|ha\\w+|g[ei][tv]\\w*|receiv\\w+|return\\w*|see\\w*");
  for (size_t at = i + 1; at < denied; ++at)
    if (RE2::FullMatch(words[at].lower, kHaving)) return "No";  // "not returning any results"
  return words[i].lower == "cannot" && denied > i + 1 ? "Not" : in_title_case(words[i].text);
}

bool is_bare_verb(const std::vector<TitleWord>& words, size_t i) {
  static const RE2 kMeasures("rates?|ratios?|counts?|%");
  static const RE2 kGiven("an?|the|no|https?|errors?|status|null|empty|nothing|wrong");
  const std::string& word = words[i].lower;
  const std::string next = i + 1 < words.size() ? words[i + 1].lower : "";
  if (word == "hit" || word == "hits")
    return !RE2::FullMatch(next, kMeasures) && (i == 0 || words[i - 1].lower != "cache");
  if (word == "return" || word == "returns")
    return RE2::FullMatch(next, kGiven) || (i + 1 < words.size() && is_code(words, i + 1));
  return false;
}

}  // namespace precedent
