#include "agent/compose/title.h"

#include <re2/re2.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "agent/compose/title_words.h"
#include "agent/understand/intent.h"
#include "base/ids.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"

namespace precedent {
namespace {

constexpr size_t kMaxWords = 4;
// A model that says more than this for a title explains itself.
constexpr size_t kMaxModelWords = 12;
// Of a long paste the beginning says what it is.
constexpr size_t kMaxBytes = 2000;

// What is asked of the subject, and the words that ask it: those say nothing more once the noun
// stands at the end.
struct Aim {
  const char* cue;  // RE2, over lower case
  const char* noun;
  const char* spent;  // RE2, of single words
};
constexpr Aim kAims[] = {
    // "Which incidents were caused by …" asks for them, not for their cause.
    {"\\b(?:incidents|outages)\\b.*\\b(?:caused|triggered) by\\b|\\bhow many "
     "(?:incidents|outages)\\b",
     "Incidents", "incidents?|outages?|caused|triggered|quarters?"},
    {"\\broot cause\\b|^why\\b|\\bcaus(?:e|ed|es)\\b|\\breason for\\b|\\bwhat triggered\\b|\\bwhat "
     "broke\\b",
     "Root Cause", "root|caus\\w+|why|reason|triggered|broke"},
    {"\\bpost[- ]?mortems?\\b", "Postmortem", "post|mortems?|post-?mortems?|write|draft|read"},
    {"\\brunbook|\\bplaybook", "Runbook", "runbooks?|playbooks?|covers?|procedure"},
    {"\\bhow "
     "(?:do|can|should|would|to|2)\\b.*\\b(?:fix|resolve|solve|repair|mitigate|troubleshoot|debug|"
     "get rid of)\\b|^fix\\b",
     "Fix", "fix\\w*|resolve|solve|repair|mitigate|troubleshoot|debug|rid"},
    {"\\bresolution\\b|\\bresolved?\\b|\\bwhat was done\\b|\\b(?:was|were) "
     ".*fixed\\b|\\bremedy\\b|\\bwork-?around\\b",
     "Resolution", "resol\\w+|done|fix\\w*|remedy|work-?around"},
    {"\\bwho (?:is )?(?:owns?|responsible|maintains)\\b|\\bwhich team\\b|\\bowners?\\b|\\bwho "
     "owns\\b",
     "Owner", "owns?|owners?|ownership|responsible|maintains|team"},
    {"\\bsteps (?:\\S+ ){0,2}(?:to|for|of)\\b", "Steps", "steps?"},
    {"\\bwho (?:do|should|must|can) (?:i|we) (?:call|contact|page|ask|reach|notify)\\b", "Contact",
     "call|contact|page|ask|reach|notify"},
    {"^where\\b.*\\b(?:configured|set)\\b", "Configuration", "configured|set"},
    {"\\bon[ -]?call\\b", "On-Call", "on-?call|call|on"},
    {"\\btimeline\\b|^when\\b", "Timeline", "timeline|start\\w*|began|begin"},
    {"\\bstatus update\\b", "Status Update", "status|update|write|draft"},
    {"\\bstill open\\b|\\bstatus of\\b|\\bcurrent status\\b", "Status", "status|open|current"},
    {"\\bimpact\\b|\\baffected\\b.*\\b(?:users|customers)\\b|\\bwho was "
     "(?:affected|hit)\\b|\\bblast radius\\b",
     "Impact", "impact\\w*|affect\\w*|blast|radius|hit"},
    {"\\bknown issues?\\b", "Known Issues", "known|issues?"},
    {"\\b(?:which|what|list|show|recent|any|open|all) (?:\\S+ "
     "){0,3}(?:incidents|outages)\\b|\\bincidents (?:in|of|from|for|since)\\b",
     "Incidents", "incidents?|outages?|affected|recent|days?|weeks?|months?|hours?|past|all|open"},
    {"\\bwhat(?: has| have)?(?: been)? changed\\b|\\bwhat (?:was|were) changed\\b", "Changes",
     "changed"},
    {"\\bcompare\\b|\\bdifference between\\b", "Comparison", "compare|difference|between|both"},
};

const Aim* aim_of(const std::string& lower) {
  static const std::vector<std::unique_ptr<RE2>> kCues = [] {
    std::vector<std::unique_ptr<RE2>> cues;
    for (const Aim& aim : kAims) cues.push_back(std::make_unique<RE2>(aim.cue));
    return cues;
  }();
  for (size_t i = 0; i < kCues.size(); ++i)
    if (RE2::PartialMatch(lower, *kCues[i])) return &kAims[i];
  return nullptr;
}

// Verbs in two words have a noun that a title can end with.
std::string with_nouns(std::string_view question) {
  struct Noun {
    const char *verb, *noun;
  };
  static constexpr Noun kNouns[] = {
      {"(?i)\\b(?:can ?not|can'?t|could ?n[o']t|unable to) (?:log|sign) ?in\\b", "login failure"},
      {"(?i)\\b(?:times?|timed|timing)[ -]out\\b", "timeouts"},
      {"(?i)\\b(?:log|logging|logged|sign)[ -]in\\b", "login"},
      {"(?i)\\b(?:roll|rolled|rolling)[ -]back\\b", "rollback"},
      {"(?i)\\b(?:fail|failed|failing|fails)[ -]over\\b", "failover"},
      {"(?i)\\b(?:is|are|was|were|went|goes|going)(?: all)? down\\b", "outage"},
      {"(?i)\\b(?:shut|shutting|shuts)[ -]down\\b", "shutdown"},
      {"(?i)\\b(?:r[au]ns? |running )?out of memory\\b", "OOM"},
      {"(?i)\\b(?:r[au]ns?|running) out of "
       "([\\w-]+(?: (?:space|descriptors|handles|addresses|connections|slots|threads))?)",
       "\\1 exhaustion"},
      // Behind its subject; "failed payments" are what they are called.
      {"(?i)\\bfail(?:s|ed|ing)?"
       "((?: (?:on|in|at|since|after|for|with|during|when|again)\\b.*)?[ ?.!]*)$",
       "failure\\1"},
      {"(?i)\\b(?:can ?not|can['’]?t|could ?n[o'’]t|unable to)\\b", "cannot"},
      {"(?i)\\b(?:do|does|did|is|are|was|were|has|have)n['’]t\\b", "not"},
      {"(?i)\\b(?:not|never) match\\b", "mismatch"},
      {"(?i)\\bnot able to\\b", "cannot"},
      // What frames a question and names nothing.
      {"(?i)\\b(how\\b.*) works?[ ?.!]*$", "\\1"},
      {"(?i)\\b(?:the )?last time\\b", ""},
      {"(?i)\\bshould (?:i|we) (?:watch|check|look at|look for|monitor|expect)\\b", ""},
      {"(?i)\\b(?:customer|user|client|merchant|partner|employee)s "
       "(?:see|saw|are seeing|get|got|are getting|experience|receive)\\b",
       ""}};
  static const RE2 kReports(
      "(?i)\\b((?:customer|user|client|merchant|partner|employee)s) "
      "(?:report|reported|say|said|complain|complained|tell us)\\b");
  static const RE2 kDown("(?i)(.*\\S) down[ !?.]*");
  static const RE2 kMovesDown(
      "(?i)\\b(?:scal|slow|shut|cut|count|tear|power|spin|wind|drill|break)\\w*$");
  std::string text(question), subject;
  for (const Noun& noun : kNouns) RE2::GlobalReplace(&text, noun.verb, noun.noun);
  RE2::GlobalReplace(&text, kReports, "\\1");
  if (RE2::FullMatch(text, kDown, &subject) && !RE2::PartialMatch(subject, kMovesDown))
    return subject + " outage";
  return text;
}

// A name of the catalogue as a title may hold it: at most three of its words.
std::vector<std::string> name_words(const NameMention& mention, std::string_view question) {
  std::vector<std::string> words;
  for (const std::string_view word : split(mention.name, ' ')) words.emplace_back(word);
  // Only a part of the name was said: that part, as the catalogue spells it.
  const size_t said =
      mention.whole
          ? words.size()
          : title_words(question.substr(mention.begin, mention.end - mention.begin)).size();
  words.resize(std::min({words.size(), std::max<size_t>(said, 1), kMaxWords - 1}));
  while (words.size() > 1 && cannot_end_title(ascii_lower(words.back()))) words.pop_back();
  return words;
}

// "ledger" in "ledger-writer" is not the ledger.
bool is_part_of_word(const NameMention& name, std::string_view question) {
  const auto joins = [&](size_t at) {
    return at < question.size() && (question[at] == '-' || question[at] == '_');
  };
  return joins(name.begin - 1) || joins(name.end);
}

// "Core" in "Payments Core" is not that of "Core Banking": a capital before a part of a name,
// within a sentence.
bool stands_in_name(const NameMention& name, std::string_view question) {
  static const RE2 kCapitalBefore(".*[a-z,] [A-Z]\\w* $");
  const std::string_view before = question.substr(0, name.begin);
  return !name.whole &&
         RE2::FullMatch(re2::StringPiece(before.data(), before.size()), kCapitalBefore);
}

// The same place by another of its spellings.
bool overlaps(const NameMention& name, const std::vector<NameMention>& others) {
  return std::ranges::any_of(others, [&](const NameMention& other) {
    return name.begin < other.end && other.begin < name.end;
  });
}

class Title {
 public:
  // The words that `reserve` leaves room for. A word that is there already is not repeated.
  bool add(const std::string& word, size_t reserve) {
    if (words_.size() + 1 + reserve > kMaxWords) return false;
    const auto same = [&](const std::string& other) { return iequals(word, other); };
    if (std::ranges::none_of(words_, same)) words_.push_back(word);
    return true;
  }
  void finish_with(std::string_view noun) {
    if (noun.empty()) return;
    for (const std::string_view word : split(noun, ' ')) add(std::string(word), 0);
  }
  void trim_end() {
    while (!words_.empty() && cannot_end_title(ascii_lower(words_.back()))) words_.pop_back();
  }
  size_t size() const { return words_.size(); }
  std::string text() const { return join(words_, " "); }

 private:
  std::vector<std::string> words_;
};

size_t words_in(std::string_view noun) {
  return noun.empty() ? 0 : static_cast<size_t>(1 + std::ranges::count(noun, ' '));
}

// The words left when names, ids and what the aim says are taken out.
void add_content(Title& title, const std::vector<TitleWord>& words,
                 const std::vector<NameMention>& names, const Aim* aim, size_t reserve) {
  static const RE2 kLevels(
      "error|warn|warning|info|debug|fatal|critical|severe|emerg|trace|traceback|e\\d+");
  for (size_t i = 0; i < words.size(); ++i) {
    const TitleWord& word = words[i];
    const bool in_name = std::ranges::any_of(names, [&](const NameMention& name) {
      return word.begin < name.end && name.begin < word.end;
    });
    if (in_name) continue;
    if (const size_t denied = denied_by(words, i); denied < words.size()) {
      const bool said = title.add(denial(words, i, denied), reserve + 1);
      i = said ? denied - 1 : denied;
      continue;
    }
    if (is_empty_word(word.lower) || is_bare_verb(words, i) ||
        RE2::FullMatch(word.lower, kLevels) || word.lower == "&")
      continue;
    if (is_noise(word.text) && !is_code(words, i) && !is_part_of_date(words, i)) continue;
    if (aim != nullptr && RE2::FullMatch(word.lower, aim->spent)) continue;
    if (is_code(words, i) && i > 0 && words[i - 1].lower == "error")
      title.add("Error", reserve + 1);
    if (!title.add(in_title_case(last_part(word.text)), reserve)) return;
  }
}

bool shouts(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return std::islower(c); }) &&
         text.find(' ') != std::string_view::npos;
}

// What was asked of nothing in particular.
std::string aim_alone(std::string_view noun) {
  if (noun == "Incidents" || noun == "Changes") return "Recent " + std::string(noun);
  if (noun == "On-Call") return "On-Call Overview";
  return noun == "Known Issues" ? std::string(noun) : "";
}

// Errors of libraries wrap one another: "dial tcp …: connect: connection refused". The innermost
// comes last and says most.
std::string innermost_first(const std::string& text) {
  const size_t last = text.rfind(": ");
  if (last == std::string::npos || text.find(": ") == last || text.find('\n') != std::string::npos)
    return text;
  return text.substr(last + 2) + " . " + text.substr(0, last);
}

std::string title_of(std::string_view question, const Catalogue& catalogue) {
  const std::string clean = strip_controls(repair_utf8(utf8_prefix(trim(question), kMaxBytes)));
  const bool all_capitals = shouts(clean) && find_ids(clean).empty();
  const std::string text =
      innermost_first(with_nouns(fold_hyphens(all_capitals ? ascii_lower(clean) : clean)));
  if (is_vague(text, Analyzer())) return "";
  const std::string lower = ascii_lower(text);
  const Aim* aim = aim_of(lower);
  std::string_view noun = aim == nullptr ? "" : aim->noun;
  Title title;
  std::vector<NameMention> names;
  size_t ids = 0;
  for (const IdMention& id : find_ids(text)) {
    if (!date_in_id(id.id) || ids == 2) continue;  // "HTTP-403" has the form of an id, too
    title.add(id.id, std::max<size_t>(1, words_in(noun)));
    ++ids;
  }
  if (ids > 0) {
    title.finish_with(noun.empty() ? (ids == 1 ? "Summary" : "Comparison") : noun);
    return title.text();
  }
  const std::vector<TitleWord> words = title_words(text);
  for (const NameMention& name : find_names(text, catalogue)) {
    if (is_part_of_word(name, text) || stands_in_name(name, text) || overlaps(name, names))
      continue;
    const std::vector<std::string> parts = name_words(name, text);
    // A second name only where something can still be said about it.
    if (title.size() + parts.size() + std::max<size_t>(1, words_in(noun)) > kMaxWords) continue;
    for (const std::string& part : parts) title.add(part, 0);
    names.push_back(name);
  }
  add_content(title, words, names, aim, words_in(noun));
  title.trim_end();
  if (title.size() == 0) return aim_alone(noun);
  title.finish_with(noun);
  if (title.size() == 1) title.add("Overview", 0);
  return title.text();
}

// The line of a model's answer that is the title.
std::string_view title_line(const std::vector<std::string_view>& lines) {
  static const RE2 kLabel("(?i)^[\\s#*_\"'>-]*title[*_]*\\s*[:=]");
  for (const std::string_view line : lines)
    if (RE2::PartialMatch(line, kLabel)) return line;
  // "Here is a title:" announces the next one.
  return lines.size() > 1 && lines[0].ends_with(':') ? lines[1] : lines[0];
}

std::string without_frame(std::string line) {
  static const RE2 kLabel(
      "(?i)^[\\s#*_\"'>-]*(?:the\\s+)?(?:conversation\\s+)?title(?:\\s+is)?[*_]*\\s*[:=]\\s*");
  static const RE2 kTags("</?[A-Za-z][^>]*>");
  static const RE2 kMarks("[*`\"“”„«»‘]|^[#>\\s]+|^\\s*(?:[-•]|\\d+[.)])\\s+|\\[|\\]\\([^)]*\\)");
  RE2::GlobalReplace(&line, kTags, " ");
  RE2::Replace(&line, kLabel, "");
  RE2::GlobalReplace(&line, kMarks, "");
  line = squeeze(line);
  while (!line.empty() &&
         std::string_view(".,;:!?'-–—").find(line.back()) != std::string_view::npos &&
         line.back() > 0)
    line.pop_back();
  while (line.starts_with('\'')) line.erase(0, 1);
  return line;
}

}  // namespace

std::string offline_title(std::string_view question, const Catalogue& catalogue) {
  std::string title = title_of(question, catalogue);
  return title.empty() ? std::string(kUntitled) : title;
}

std::string offline_title(const std::vector<Message>& transcript, const Catalogue& catalogue) {
  for (const Message& message : transcript) {
    if (message.role != Role::kUser) continue;
    std::string title = title_of(message.content, catalogue);
    if (!title.empty()) return title;
  }
  return std::string(kUntitled);
}

std::string clean_title(std::string_view model_text, std::string_view fallback) {
  static const RE2 kThinking("(?is)<think(?:ing)?>.*?(?:</think(?:ing)?>|$)");
  static const RE2 kFences("(?m)^\\s*```.*$");
  static const RE2 kNoTitle(
      "(?i)\\b(?:sorry|as an ai|i cannot|i can't|i am unable|i'm unable|language model|no "
      "title|untitled)\\b");
  static const RE2 kJson("(?s)^\\s*\\{.*\"title\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
  std::string text =
      strip_controls(strip_terminal_escapes(repair_utf8(utf8_prefix(model_text, 4 * kMaxBytes))));
  RE2::GlobalReplace(&text, kThinking, " ");
  RE2::GlobalReplace(&text, kFences, "");
  std::string quoted;
  if (RE2::PartialMatch(text, kJson, &quoted)) text = quoted;
  std::vector<std::string_view> lines;
  for (const std::string_view line : split_lines(text))
    if (!trim(line).empty()) lines.push_back(trim(line));
  if (lines.empty()) return std::string(fallback);
  const std::string line = without_frame(std::string(title_line(lines)));
  if (RE2::PartialMatch(line, kNoTitle)) return std::string(fallback);
  Title title;
  size_t words = 0;
  for (const std::string_view word : split(line, ' ')) {
    if (word.empty()) continue;
    ++words;
    title.add(in_title_case(word), 0);
  }
  title.trim_end();
  return words > kMaxModelWords || title.size() < 2 ? std::string(fallback) : title.text();
}

}  // namespace precedent
