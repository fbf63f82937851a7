#include "agent/slots/qualifiers.h"

#include <re2/re2.h>

#include <map>

#include "agent/slots/asked_documents.h"
#include "agent/slots/change_subjects.h"
#include "agent/slots/signals.h"
#include "base/strings.h"

namespace precedent {
namespace {

// One row for each that is a form of words and nothing else.
struct Form {
  bool Qualifiers::* said;
  LazyRE2 words;
};
const Form kForms[] = {
    {&Qualifiers::to_look,
     {"(?i)\\b(?:diagnos\\w+|investigat\\w+|check|verify|find out|tell (?:if|whether|which)|see "
      "(?:if|whether|which)|confirm|inspect|narrow down|look for|troubleshoot)\\b"}},
    {&Qualifiers::least, {"(?i)\\b(?:lowest|fewest|fastest|least)\\b"}},
    {&Qualifiers::switched_off, {"(?i)\\b(?:off|disabled)\\b"}},
    {&Qualifiers::ever, {"(?i)\\b(?:fired?|gone off|go off|recently|lately|last|ever)\\b"}},
    {&Qualifiers::before,
     {"(?i)\\b(?:ha[sd]|have|did|was|were)\\b[^.?!]*(?:\\b(?:ever|previously|already|in the "
      "past)\\b|\\b(?:before|earlier)\\s*(?:$|[?.!,;]))"}},
    {&Qualifiers::flags, {"(?i)\\bflags?\\b"}},
    {&Qualifiers::deploys,
     {"(?i)\\b(?:re)?deploy\\w*|\\breleas(?:e[sd]?|ing)\\b|\\bshipped\\b|\\broll(?:ed)?[ "
      "-]?out|\\bversion\\b|\\b(?:running|live) (?:on|in|for|at)\\b"}},
    {&Qualifiers::rollbacks, {"(?i)\\broll(?:ed)?[ -]?backs?\\b"}},
    {&Qualifiers::commits, {"(?i)\\bcommit\\w*|\\bmerged?\\b"}},
    {&Qualifiers::only_objective,
     {"(?i)^\\W*(?:what(?:'s|s| is| are)? |whats )?(?:the |our )?(?:slos?|slas?|service level "
      "objectives?|error budgets?) (?:of|for) (?:the )?[\\w.-]+\\W*$"}},
    {&Qualifiers::dependants,
     {"(?i)^\\W*(?:what|which \\w+|who) (?:all )?(?:depends?|relies|rely) on\\b"}},
    {&Qualifiers::rising,
     {"(?i)\\b(?:ris(?:e|es|en|ing)|rose|increas\\w+|gr[eo]w\\w*|spik\\w+|high(?:er)?|jump\\w*|"
      "doubl\\w+|climb\\w*|surg\\w+|peak\\w*|slow\\w*)\\b"}},
    {&Qualifiers::falling,
     {"(?i)\\b(?:drop\\w*|fall(?:s|en|ing)?|fell|decreas\\w+|declin\\w+|low(?:er)?|dip\\w*|"
      "sink\\w*|sank|halv\\w+|recover\\w*)\\b"}},
    {&Qualifiers::open_work,
     {"(?i)\\b(?:open|outstanding|unfinished|pending|remain\\w*|left|undone|overdue)\\b"}},
    {&Qualifiers::repeat,
     {"(?i)\\brepeat|\\b(?:happen\\w*|had|seen) (?:it |this |that )?before\\b"}},
    {&Qualifiers::outlook, {"(?i)\\bwill\\b|\\bgoing to\\b|\\beta\\b"}},
    {&Qualifiers::of_a_document,
     {"(?i)\\b(?:runbooks?|playbooks?|documents?|docs?|guides?|articles?|post-?mortems?|"
      "(?:the|this|that|our) (?:[\\w-]+ ){0,3}page)\\b"}},
};
LazyRE2 kToAct = {
    "(?i)\\b(?:fix|resolve|mitigate|restart|roll ?back|repair|recover|solve|stop|get rid)\\b"};

bool asks_for_a_version(const std::string& question) {
  static const RE2 kVersion(
      "(?i)\\b(?:which|what)(?:'s| is)? (?:the )?(?:current |deployed |running |live )?version\\b|"
      "\\bwhat(?:'s| is| are)? (?:currently |now )?(?:deployed|running|live) (?:on|in|for|at)\\b");
  return RE2::PartialMatch(question, kVersion);
}

std::string asked_commit(const std::string& question) {
  static const RE2 kCommit("(?i)\\bcommit ([0-9a-f]{7,40})\\b");
  std::string hash;
  RE2::PartialMatch(question, kCommit, &hash);
  return ascii_lower(hash);
}

std::string ranked_label(const std::string& question) {
  static const RE2 kWhich(
      "(?i)\\b(?:which|what|whose) (?:of (?:the|our) )?(?:[\\w./-]+ ){0,2}?"
      "(service|endpoint|route|path|instance|pod|host|node|region|zone|cluster|"
      "job|database|db|queue|topic|method|status)s? (?:\\S+ "
      "){0,4}?(?:most|highest|worst|slowest|busiest|largest|"
      "biggest|lowest|fewest|fastest|least)\\b");
  static const std::map<std::string, std::string> kLabels = {
      {"route", "endpoint"}, {"path", "endpoint"}, {"database", "db"}, {"host", "instance"}};
  static const RE2 kMost(
      "(?i)^\\W*(?:the )?(?:slowest|busiest|worst|fastest) "
      "(service|endpoint|route|path|instance|pod|host|node|region|zone|cluster|job|database|db|"
      "queue|topic|method)\\b");
  static const RE2 kEach(
      "(?i)\\b(?:by|per|for each|for every) "
      "(service|endpoint|route|path|instance|pod|host|node|region|zone|cluster|job|database|db|"
      "queue|topic|method|status)\\b");
  std::string group;
  if (!RE2::PartialMatch(question, kWhich, &group) && !RE2::PartialMatch(question, kMost, &group) &&
      !RE2::PartialMatch(question, kEach, &group))
    return "";
  group = ascii_lower(group);
  const auto known = kLabels.find(group);
  return known == kLabels.end() ? group : known->second;
}

std::string read_future(const std::string& question) {
  static const RE2 kWill(
      "(?i)^(?:(?:and|so|but|ok) )*(?:will|is|are)\\b[^.?!]*\\b(?:be|stay|going to be) "
      "(?:ok|okay|fine|up|down|back|healthy|fixed|resolved|over|better|stable|available|done)\\b"
      "[^.?!]*\\b((?:by|at|before|until|in) \\d[\\w: ]*|tomorrow|tonight|next \\w+|soon)\\W*$");
  static const RE2 kPlanned(
      "(?i)\\b((?:next|the coming) (?:week|month|weekend|sprint|quarter)(?:['’]?s)?)\\b");
  static const RE2 kChange("(?i)\\b(?:deploy(?:s|ments?)?|releases?|rollouts?|changes)\\b");
  std::string when;
  if (RE2::PartialMatch(question, kWill, &when)) return when;
  if (RE2::PartialMatch(question, kChange) && RE2::PartialMatch(question, kPlanned, &when))
    return when;
  return "";
}

// Of a follow-up, what it leans on stands behind a line break.
std::optional<int> read_distance(const std::string& question) {
  static const RE2 kWeek("(?i)\\bweek\\b"), kDay("(?i)\\b(?:yesterday|day)\\b");
  const std::string said = question.substr(0, question.find('\n'));
  if (RE2::PartialMatch(said, kWeek)) return 7;
  if (RE2::PartialMatch(said, kDay)) return 1;
  return std::nullopt;
}

// "Compare it with last week".
std::vector<TimeHint> compared_times(const std::string& question,
                                     const std::vector<TimeHint>& times) {
  static const RE2 kComparedTo(
      "(?is)(?:\\bcompar\\w+\\b.*\\b(?:to|with|and|against)|\\bversus|\\bvs\\.?|\\bthan|"
      "\\brelative to|\\bagainst)\\s+(?:that of |the same time |the )?$");
  std::vector<TimeHint> compared;
  for (const TimeHint& hint : times)
    if (hint.begin <= question.size() &&
        RE2::PartialMatch(question.substr(0, hint.begin), kComparedTo))
      compared.push_back(hint);
  return compared;
}

std::string read_deed(const std::string& question) {
  static const RE2 kDeed("(?i)\\bwhen (?:was|were|did|has|have)\\b.*?\\b(\\w+ed)\\W*$");
  std::string deed;
  RE2::PartialMatch(question, kDeed, &deed);
  return deed;
}

// A terse follow-up is the last line, behind the question that it leans on.
std::vector<std::string> own_words(std::string_view question) {
  std::vector<std::string> words;
  for (const std::string_view word : split(question.substr(question.rfind('\n') + 1), ' '))
    words.emplace_back(word);
  return words;
}

// Unless a document is asked for, a word may be a system's name as well, which no mark ends:
// "checkout-api?".
std::vector<std::string> read_names(std::string_view question, bool of_a_document) {
  std::vector<std::string> names;
  for (std::string_view word : split(question, ' ')) {
    while (!of_a_document && !word.empty() && std::string_view("?!.,;:()\"'").contains(word.back()))
      word.remove_suffix(1);
    if (word.contains('/') || looks_like_a_name(word)) names.emplace_back(word);
  }
  return names;
}

std::string read_resource(const std::string& question) {
  static const RE2 kResource("(?i)\\b(memory|heap|cpu|disk)\\b");
  std::string resource;
  RE2::PartialMatch(question, kResource, &resource);
  return ascii_lower(resource);
}

}  // namespace

Qualifiers read_qualifiers(const std::string& question, const std::vector<TimeHint>& times,
                           TimePoint now) {
  Qualifiers read;
  for (const Form& form : kForms) read.*form.said = RE2::PartialMatch(question, *form.words);
  read.to_look = read.to_look && !RE2::PartialMatch(question, *kToAct);
  read.everything = asks_how_all_is(question);
  read.overview = asks_for_overview(question);
  read.version = asks_for_a_version(question);
  read.author = asks_who_wrote(question);
  read.moment = find_moment(question, now).has_value();
  read.commit = asked_commit(question);
  read.environment = asked_environment(question);
  read.label = ranked_label(question);
  read.resource = read_resource(question);
  read.future = read_future(question);
  read.deed = read_deed(question);
  read.words = own_words(question);
  read.names = read_names(question, read.of_a_document);
  read.compared_days = read_distance(question);
  read.compared = compared_times(question, times);
  return read;
}

}  // namespace precedent
