#include "agent/slots/asks.h"

#include <re2/re2.h>

namespace precedent {
namespace {

bool matches(const std::string& lower, const RE2& pattern) {
  return RE2::PartialMatch(lower, pattern);
}

}  // namespace

bool asks_for_contact(const std::string& q) {
  static const RE2 kContact(
      "\\bwho(?:m)? (?:do|should|can|could|would|must|to|shall)(?: i| we| you)? "
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
      "\\bwhich team (?:owns|is responsible for|maintains|looks after)\\b|\\bowners? of\\b");
  static const RE2 kTask("\\b(?:action|task|ticket|follow-?up|to-?do|item|incident|outage)s?\\b");
  return matches(q, kContact) && !matches(q, kTask);
}

Asks read_asks(const std::string& q) {
  static const RE2 kSteps(
      "\\bhow (?:do|can|should|would|to|does one)\\b|\\bsteps?\\b|\\bwhat (?:should|do|can) "
      "(?:i|we) (?:do|check|try|run)\\b|"
      "\\bfix(?:ing)?\\b|\\bprocedure\\b|\\bmitigate\\b|\\btroubleshoot|\\brunbook for\\b|\\bwhat "
      "to do\\b|\\bnext steps?\\b|\\bwhat (?:now|next)\\b|\\bwork-?arounds?\\b");
  static const RE2 kCommand(
      "\\b(?:commands?|cmds?)\\b|\\bhow (?:do|can|should) (?:i|we|you) "
      "(?:check|see|list|run|restart|roll "
      "?back|scale|flush|drain|verify|inspect|query|find|tell)\\b|"
      "\\bwhich (?:flag|option|query|script)\\b|\\bwhat "
      "(?:flag|option|query|script)\\b|\\bkubectl\\b|\\bpsql\\b|\\bcurl\\b");
  static const RE2 kNumber(
      "\\bhow "
      "(?:many|much|long|often|big|large|high|low|fast|old|far)\\b|\\bthresholds?\\b|\\blimits?\\b|"
      "\\bdefaults?\\b|\\bpercent(?:age)?\\b|"
      "\\bwhat "
      "(?:port|size|value|number|rate|version|timeout|ttl|interval|slo|budget|duration|setting)\\b|"
      "\\bmaximum\\b|\\bminimum\\b|\\bmax\\b|\\bduration\\b|\\bvalue of\\b|"
      "\\bwhich (?:port|version|value)\\b|\\btime to "
      "(?:repair|resolve|recover|detect)|\\b(?:recovery|"
      "detection|repair) (?:time|took)\\b|\\bm?tt[rd]\\b|\\bset to\\b");
  static const RE2 kPerson(
      "\\bwho\\b|\\bwhom\\b|\\bwhose\\b|\\bwhich team\\b|\\bwhat "
      "team\\b|\\bon-?call\\b|\\bowns?\\b|\\bowners?\\b|\\baccountable\\b|"
      "\\bescalat\\w+|\\bcontact\\b|\\bresponsible\\b|\\bpage\\b|\\bauthor\\b");
  static const RE2 kTime(
      "\\bwhen\\b|\\bwhat (?:time|date|day|year|month)\\b|\\bsince when\\b|\\bhow long ago\\b");
  static const RE2 kCause(
      "\\bwhy\\b|\\bcaus(?:e|es|ed|ing)\\b|\\breasons?\\b|\\bculprit\\b|\\btrigger(?:ed|s)?\\b|"
      "\\bbecause of\\b|\\bwhat went wrong\\b|\\bwhat broke\\b|"
      "\\bto blame\\b|\\bbehind\\b|\\bled to\\b");
  static const RE2 kRemedy(
      "\\bresolv(?:e|ed|es|ing)\\b|\\bresolution\\b|\\bfix(?:ed|es)?\\b|\\bmitigat\\w+|\\baction(?:"
      "s)? taken\\b|\\bwhat (?:was|were|did) .*\\b(?:done|do)\\b|\\bwork-?arounds?\\b|\\bremed\\w+|"
      "\\brecover(?:ed|y)?\\b|\\bsolved?\\b|\\bsolution\\b|\\bafterwards\\b|\\bprevent\\w*|\\bbeen "
      "done\\b");
  static const RE2 kList(
      "\\b(?:list|show(?: me)?|which|what|give "
      "me|find|any|all)\\b.*\\b(?:incidents?|outages?|runbooks?|post-?mortems?|known "
      "issues?|adrs?|documents?|docs)\\b");
  static const RE2 kCount(
      "\\bhow many (?:\\w+ ){0,4}(?:incidents?|outages?|times)\\b|\\bnumber of (?:\\w+ "
      "){0,3}(?:incidents?|outages?)\\b|\\bhow often\\b|"
      "^(?:and |so )*how many(?: (?:are|were) (?:there|they)| of (?:them|those)| in total| is "
      "that)?\\W*$");
  static const RE2 kStatus(
      "\\bstatus\\b|\\bstill (?:open|ongoing|broken|down|happening)\\b|\\bis it "
      "(?:open|closed|resolved|fixed)\\b|\\bseverity\\b|\\bhas .* been "
      "(?:resolved|fixed|closed)\\b");
  static const RE2 kImpact(
      "\\bimpact\\w*|\\baffect\\w*|\\bblast radius\\b|\\bcustomers?\\b|\\busers?\\b");
  Asks asks;
  asks.steps = matches(q, kSteps);
  asks.command = matches(q, kCommand);
  asks.count = matches(q, kCount);
  asks.number = matches(q, kNumber) && !asks.count;
  static const RE2 kPhone(
      "\\b(?:tele)?phone(?: number| no\\b|$|\\W)|\\b(?:pager|mobile|cell|hotline|duty|desk) "
      "number\\b|\\bnumber to call\\b");
  static const RE2 kNow(
      "\\bon-? ?call\\b.*\\b(?:now|currently|tonight|today|this "
      "(?:week|weekend|evening|morning|shift)|at the moment)\\b|"
      "\\b(?:currently|now) on-? ?call\\b");
  asks.contact = asks_for_contact(q);
  asks.on_call_now = asks.contact && matches(q, kNow);
  asks.phone = asks.contact && matches(q, kPhone);
  asks.person = asks.contact || matches(q, kPerson);
  asks.time = matches(q, kTime);
  asks.cause = matches(q, kCause);
  asks.remedy = matches(q, kRemedy);
  asks.list = matches(q, kList);
  asks.status = matches(q, kStatus);
  asks.impact = matches(q, kImpact);
  static const RE2 kDetection(
      "\\b(?:detect\\w*|notic\\w+|discover\\w*|spotted)\\b|\\bfound out\\b|\\bwho "
      "(?:saw|told|reported)\\b");
  asks.detection = matches(q, kDetection);
  static const RE2 kWork(
      "\\b(?:action (?:items?|points?)|follow-?up (?:actions?|items?|tasks?)|to-?dos?)\\b|"
      "\\b(?:what|anything|something)(?:'s| is| was| were| has been)? (?:still |left |it leave )*"
      "(?:open|outstanding|unfinished|undone|left to do)\\b");
  asks.work = matches(q, kWork);
  static const RE2 kWhether(
      "^(?:(?:hi|hey|ok|okay|and|so|please|quick question)\\W+)*"
      "(?:is|are|was|were|does|do|did|has|have|any|anything)\\b");
  asks.whether = matches(q, kWhether) && !asks.steps && !asks.cause && !asks.remedy && !asks.list;
  static const RE2 kValue(
      "^(?:(?:hi|hey|ok|okay|and|so|please)\\W+)*(?:what(?:'s|s| is| are| was| were)|how "
      "(?:is|are|was|were|many|much|high|slow|fast|large|big)|current|show(?: me)?|give me)\\b");
  asks.value = matches(q, kValue) && !asks.steps && !asks.cause && !asks.remedy && !asks.list;
  static const RE2 kOther(
      "^(?:(?:in|on|at|by|for) )?(?:did|does|is|are|was|were|has|have|had|which|where|what)\\b");
  asks.other = matches(q, kOther) && !asks.cause && !asks.remedy && !asks.list &&
               q.find("happened") == std::string::npos;
  return asks;
}

}  // namespace precedent
