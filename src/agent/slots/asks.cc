#include "agent/slots/asks.h"

#include <re2/re2.h>

#include <algorithm>

namespace precedent {
namespace {

// The forms in which each thing is asked for. A new way to ask is one alternative of a row here,
// and one row in asks_test.cc.
struct Form {
  bool Asks::* asked;
  LazyRE2 words;
};
const Form kForms[] = {
    {&Asks::contact,
     {"\\bwho(?:m)? (?:do|should|can|could|would|must|to|shall)(?: i| we| you)? "
      "(?:call|page|contact|ask|talk|speak|escalate|wake|notify|tell|ping|reach|inform|phone|email|"
      "alert|involve)\\b|"
      "\\bwho(?:'s|s| is| are)? (?:currently |now )?(?:the )?(?:on-?call|on call)\\b|"
      "\\bhow (?:do|can|should) (?:i|we) (?:reach|contact|page|escalate|get hold of)\\b|"
      "\\b(?:whose|who(?:'s| is| has)?(?: the)?) (?:pager|service is|system is)\\b|"
      "\\bcontacts? (?:for|of|at|person|details)\\b|\\b(?:tele)?phone(?: number| no| "
      "(?:of|for)|\\W*$)|"
      "\\b(?:pager|mobile|cell|hotline|duty|desk) number\\b|"
      "\\bescalation (?:contacts?|path|for)\\b|\\bwho (?:owns|maintains|leads|looks after|is "
      "responsible "
      "for)\\b|"
      "\\bwhich team (?:owns|is responsible for|maintains|looks after)\\b|\\bowners? of\\b"}},
    {&Asks::steps,
     {"\\bhow (?:do|can|should|would|to|does one)\\b|\\bsteps?\\b|\\bwhat (?:should|do|can) "
      "(?:i|we) (?:do|check|try|run)\\b|"
      "\\bfix(?:ing)?\\b|\\bprocedure\\b|\\bmitigate\\b|\\btroubleshoot|\\brunbook for\\b|\\bwhat "
      "to do\\b|\\bnext steps?\\b|\\bwhat (?:now|next)\\b|\\bwork-?arounds?\\b"}},
    {&Asks::command,
     {"\\b(?:commands?|cmds?)\\b|\\bhow (?:do|can|should) (?:i|we|you) "
      "(?:check|see|list|run|restart|roll "
      "?back|scale|flush|drain|verify|inspect|query|find|tell)\\b|"
      "\\bwhich (?:flag|option|query|script)\\b|\\bwhat "
      "(?:flag|option|query|script)\\b|\\bkubectl\\b|\\bpsql\\b|\\bcurl\\b"}},
    {&Asks::number,
     {"\\bhow "
      "(?:many|much|long|often|big|large|high|low|fast|old|far)\\b|\\bthresholds?\\b|\\blimits?\\b|"
      "\\bdefaults?\\b|\\bpercent(?:age)?\\b|"
      "\\bwhat "
      "(?:port|size|value|number|rate|version|timeout|ttl|interval|slo|budget|duration|setting)\\b|"
      "\\bmaximum\\b|\\bminimum\\b|\\bmax\\b|\\bduration\\b|\\bvalue of\\b|"
      "\\bwhich (?:port|version|value)\\b|\\btime to "
      "(?:repair|resolve|recover|detect)|\\b(?:recovery|"
      "detection|repair) (?:time|took)\\b|\\bm?tt[rd]\\b|\\bset to\\b"}},
    {&Asks::person,
     {"\\bwho\\b|\\bwhom\\b|\\bwhose\\b|\\bwhich team\\b|\\bwhat "
      "team\\b|\\bon-?call\\b|\\bowns?\\b|\\bowners?\\b|\\baccountable\\b|"
      "\\bescalat\\w+|\\bcontact\\b|\\bresponsible\\b|\\bpage\\b|\\bauthor\\b"}},
    {&Asks::time,
     {"\\bwhen\\b|\\bwhat (?:time|date|day|year|month)\\b|\\bsince when\\b|\\bhow long ago\\b"}},
    {&Asks::cause,
     {"\\bwhy\\b|\\bcaus(?:e|es|ed|ing)\\b|\\breasons?\\b|\\bculprit\\b|\\btrigger(?:ed|s)?\\b|"
      "\\bbecause of\\b|\\bwhat went wrong\\b|\\bwhat broke\\b|"
      "\\bto blame\\b|\\bbehind\\b|\\bled to\\b"}},
    {&Asks::remedy,
     {"\\bresolv(?:e|ed|es|ing)\\b|\\bresolution\\b|\\bfix(?:ed|es)?\\b|\\bmitigat\\w+|\\baction(?:"
      "s)? taken\\b|\\bwhat (?:was|were|did) .*\\b(?:done|do)\\b|\\bwork-?arounds?\\b|\\bremed\\w+|"
      "\\brecover(?:ed|y)?\\b|\\bsolved?\\b|\\bsolution\\b|\\bafterwards\\b|\\bprevent\\w*|\\bbeen "
      "done\\b"}},
    {&Asks::list,
     {"\\b(?:list|show(?: me)?|which|what|give "
      "me|find|any|all)\\b.*\\b(?:incidents?|outages?|runbooks?|post-?mortems?|known "
      "issues?|adrs?|documents?|docs)\\b"}},
    {&Asks::count,
     {"\\bhow many (?:\\w+ ){0,4}(?:incidents?|outages?|times)\\b|\\bnumber of (?:\\w+ "
      "){0,3}(?:incidents?|outages?)\\b|\\bhow often\\b|"
      "^(?:and |so )*how many(?: (?:are|were) (?:there|they)| of (?:them|those)| in total| is "
      "that)?\\W*$"}},
    {&Asks::status,
     {"\\bstatus\\b|\\bstill (?:open|ongoing|broken|down|happening)\\b|\\bis it "
      "(?:open|closed|resolved|fixed)\\b|\\bseverity\\b|\\bhas .* been "
      "(?:resolved|fixed|closed)\\b"}},
    {&Asks::impact,
     {"\\bimpact\\w*|\\baffect\\w*|\\bblast radius\\b|\\bcustomers?\\b|\\busers?\\b"}},
    {&Asks::detection,
     {"\\b(?:detect\\w*|notic\\w+|discover\\w*|spotted)\\b|\\bfound out\\b|\\bwho "
      "(?:saw|told|reported)\\b"}},
    {&Asks::work,
     {"\\b(?:action (?:items?|points?)|follow-?up (?:actions?|items?|tasks?)|to-?dos?)\\b|"
      "\\b(?:what|anything|something)(?:'s| is| was| were| has been)? (?:still |left |it leave )*"
      "(?:open|outstanding|unfinished|undone|left to do)\\b"}},
    {&Asks::on_call_now,
     {"\\bon-? ?call\\b.*\\b(?:now|currently|tonight|today|this "
      "(?:week|weekend|evening|morning|shift)|at the moment)\\b|"
      "\\b(?:currently|now) on-? ?call\\b"}},
    {&Asks::phone,
     {"\\b(?:tele)?phone(?: number| no\\b|$|\\W)|\\b(?:pager|mobile|cell|hotline|duty|desk) "
      "number\\b|\\bnumber to call\\b"}},
    {&Asks::whether,
     {"^(?:(?:hi|hey|ok|okay|and|so|please|quick question)\\W+)*"
      "(?:is|are|was|were|does|do|did|has|have|any|anything)\\b"}},
    {&Asks::value,
     {"^(?:(?:hi|hey|ok|okay|and|so|please)\\W+)*(?:what(?:'s|s| is| are| was| were)|how "
      "(?:is|are|was|were|many|much|high|slow|fast|large|big)|current|show(?: me)?|give me)\\b"}},
    {&Asks::other,
     {"^(?:(?:in|on|at|by|for) )?(?:did|does|is|are|was|were|has|have|had|which|where|what)\\b"}},
};
// Who has a task or wrote a ticket is nobody to call.
LazyRE2 kTask = {"\\b(?:action|task|ticket|follow-?up|to-?do|item|incident|outage)s?\\b"};

// The labels of the adapter that are forms of answer. Steps are worth showing, whatever it says.
struct Learned {
  bool Asks::* asked;
  std::string_view label, other = "";
  float ruled_out = 0.1f;  // below this a form of words does not count
};
constexpr Learned kLearned[] = {
    {&Asks::steps, "steps", "", 0}, {&Asks::cause, "cause"},
    {&Asks::remedy, "fix"},         {&Asks::person, "owner"},
    {&Asks::count, "count"},        {&Asks::list, "list"},
    {&Asks::time, "when"},          {&Asks::status, "status"},
    {&Asks::impact, "impact"},      {&Asks::number, "value", "duration"},
};
// This and the others were chosen on questions of companies that the adapter did not learn from
// (adapters/question.md).
constexpr float kSure = 0.4f;

float probability_of(const Learned& form, std::span<const ReadLabel> learned) {
  float most = 0;
  for (const ReadLabel& read : learned)
    if (read.label == form.label || read.label == form.other)
      most = std::max(most, read.probability);
  return most;
}

bool has_form(bool Asks::* asked, const std::string& q) {
  for (const Form& form : kForms)
    if (form.asked == asked) return RE2::PartialMatch(q, *form.words);
  return false;
}

}  // namespace

bool asks_for_contact(const std::string& q) {
  return has_form(&Asks::contact, q) && !RE2::PartialMatch(q, *kTask);
}

Asks read_asks(const std::string& q, std::span<const ReadLabel> learned) {
  Asks asks;
  for (const Form& form : kForms) asks.*form.asked = RE2::PartialMatch(q, *form.words);
  if (!learned.empty())
    for (const Learned& form : kLearned) {
      const float p = probability_of(form, learned);
      asks.*form.asked = p >= kSure || (asks.*form.asked && p >= form.ruled_out);
    }
  asks.contact = asks.contact && !RE2::PartialMatch(q, *kTask);
  asks.on_call_now = asks.on_call_now && asks.contact;
  asks.phone = asks.phone && asks.contact;
  asks.person = asks.person || asks.contact;
  asks.number = asks.number && !asks.count;
  // What has a form of its own is not asked for by the form of the sentence.
  const bool told = asks.cause || asks.remedy || asks.list;
  asks.whether = asks.whether && !asks.steps && !told;
  asks.value = asks.value && !asks.steps && !told;
  asks.other = asks.other && !told && q.find("happened") == std::string::npos;
  return asks;
}

}  // namespace precedent
