// Follow-ups on a document: one of its parts, what it says, and whom it names.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "agent/converse/held_terms.h"
#include "agent/converse/reference_rules.h"
#include "agent/language/field_words.h"
#include "agent/slots/asks.h"
#include "base/strings.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

// "The runbook", "that page", "the fx runbook": the document of the conversation that is meant;
// nullptr if the question says no such thing.
const CitedDocument* document_named(const Asked& q) {
  static const RE2 kNoun(
      "\\b(?:the|that|this)(?: ([a-z0-9-]+))? "
      "(runbook|playbook|document|doc|page|guide|post-?mortem|adr)\\b");
  std::string which, noun;
  if (!RE2::PartialMatch(q.lower, kNoun, &which, &noun)) return nullptr;
  const std::vector<std::string> wanted = Analyzer().terms(which);
  const std::string kind = noun == "post-mortem" ? "postmortem" : noun;
  const auto& documents = q.conversation.documents();
  for (auto d = documents.rbegin(); d != documents.rend(); ++d) {
    if (parse_kind(kind) && d->document.kind != *parse_kind(kind)) continue;
    const auto title =
        Analyzer().terms(d->document.title + "\n" + join(d->document.services, "\n"));
    const bool fits = std::ranges::all_of(wanted, [&](const std::string& term) {
      return std::ranges::find(title, term) != title.end();
    });
    if (fits) return &*d;
  }
  return nullptr;
}

// Whether the question says one of the document's headings: "impact?", "diagnosis steps?".
bool says_a_heading(const std::string& body, std::string_view question) {
  const std::vector<std::string> said = Analyzer().terms(question);
  re2::StringPiece rest(body);
  static const RE2 kHeading("(?m)^##+ +(.+?) *#*$");
  for (std::string heading; RE2::FindAndConsume(&rest, kHeading, &heading);) {
    const std::vector<std::string> terms = Analyzer().terms(heading);
    const bool all = std::ranges::all_of(terms, [&](const std::string& term) {
      return std::ranges::find(said, term) != said.end();
    });
    if (all && !terms.empty()) return true;
  }
  return false;
}

// Whether all words of the question are in a document, and none asks for what records are kept for.
bool holds_what_is_said(const Asked& q, const std::set<std::string>& held) {
  static const RE2 kOfARecord(
      "\\b(?:root|caus\\w+|why|resol\\w+|fix\\w*|mitigat\\w+|done|duration|long|took|lasted|when|"
      "status|severity|repeat|happen\\w*|open|closed|it|its|that|this)\\b");
  const std::vector<std::string> said = Analyzer().terms(q.text);
  return !said.empty() && !matches(q.lower, kOfARecord) && shared(said, held) == said.size();
}

}  // namespace

// "Next step?", "how do I verify?", "until when does the bank take files?" after a runbook.
std::optional<Reference> read_document(const Asked& q) {
  static const RE2 kOthers("\\b(?:incidents?|outages?|similar|seen this|happened before)\\b");
  static const RE2 kOffice("\\bincident (?:commander|manager|lead|channel|call)\\b");
  std::string others = q.lower;
  RE2::GlobalReplace(&others, kOffice, " ");
  if (matches(others, kOthers)) return std::nullopt;
  const CitedDocument* cited = document_named(q);
  const bool named = cited != nullptr;
  if (!named) cited = q.conversation.document();
  if (cited == nullptr) return std::nullopt;
  const std::set<std::string> held = terms_of(cited->document);
  if (!named && has_other_subject(q, held)) return std::nullopt;
  // Words for its parts, and "there", are not about its subject.
  static const RE2 kParts(
      "\\b(?:steps?|sections?|commands?|escalat\\w+|verif\\w+|roll(?:ing)? ?back|undo|"
      "prerequisites?|checks?|first|next)\\b|\\bthere\\W*$|^(?:and |ok |so )*then\\W*$");
  // A post-mortem tells what was done, not how one does it.
  static const RE2 kHowTo("^(?:and |ok |so |but )*how (?:do|can|should|would) (?:i|we|you|one)\\b");
  if (!named && cited->document.kind == Kind::kPostmortem && matches(q.lower, kHowTo))
    return std::nullopt;
  const bool parts = matches(q.lower, kParts);
  std::string rest = q.lower;
  RE2::GlobalReplace(&rest, kParts, " ");
  const Ids own = own_terms(rest);
  const size_t known = shared(own, held);
  const bool leads = cited->alone || cited->leads || cited->wanted;
  const bool headed = leads && says_a_heading(cited->document.body, q.text);
  // What one could do is the business of a runbook, what was done that of a record.
  static const RE2 kAdvice("\\b(?:could|would|should|can|may|might|do i|do we|does)\\b");
  static const RE2 kPast("\\b(?:was|were|did|had|been)\\b");
  const bool past = matches(q.lower, kPast);
  const bool advice = cited->wanted && matches(q.lower, kAdvice) && !past;
  // "What was the resolution?", where an incident was presented beside the runbook.
  const bool in_it = cited->leads && (headed || holds_what_is_said(q, held));
  if (!named && !cited->alone && !in_it && past && own.empty() && !q.focus().empty())
    return std::nullopt;
  // Of a document that was asked for, half of the words suffice.
  bool enough = leads ? headed || known * 2 >= own.size() : known * 3 >= own.size() * 2;
  if (own.empty()) enough = parts || headed || in_it || cited->alone;
  if (own.size() < 2 && advice) enough = true;
  if (!named && !enough) return std::nullopt;
  // Where the answer presents an incident too, its record is asked before the document.
  if (!named && !cited->alone && !parts && !headed && !in_it && !advice) {
    if (q.focus().empty() || own.empty()) return std::nullopt;
    const size_t of_incident = shared(own, terms_of(q.incident(q.focus())));
    const bool rather = cited->wanted || cited->leads;
    if (known < of_incident || (known == of_incident && !rather)) return std::nullopt;
  }
  // What leans on the answer before is searched with its question.
  static const RE2 kLeans("\\b(?:it|its|that|this|there|then|again|those|them)\\b");
  const bool leans = !named && (own.size() < 2 || matches(q.lower, kLeans));
  return Reference{{},
                   leans ? q.previous() + "\n" + q.text : q.text,
                   "the document talked about, " + cited->document.title,
                   cited->document.id,
                   own.empty() && parts};
}

std::optional<Reference> read_contact(const Asked& q) {
  if (!q.names.empty() || !asks_for_contact(q.lower)) return std::nullopt;
  static const RE2 kFrame(
      "\\b(?:call|page|contact|ask|talk|speak|escalat\\w+|wake|notify|tell|ping|reach|inform|phone|"
      "email|alert|"
      "involve|get hold|on-?call|maintains?|leads?|looks "
      "after|number|details|path|up|fails?|works?|help|stuck|"
      "right now|now|currently|tonight|today)\\b");
  std::string rest = q.lower;
  RE2::GlobalReplace(&rest, kFrame, " ");
  if (!own_terms(rest).empty()) return std::nullopt;
  constexpr size_t kMostServices = 2;
  std::vector<std::string> names;
  if (const LiveFocus* live = q.conversation.leading_live(); live && !live->service.empty()) {
    names = {live->service};
  } else if (const CitedDocument* cited = q.conversation.document()) {
    // A runbook says itself to whom it escalates.
    if (says_a_heading(cited->document.body, "escalation"))
      return Reference{
          {}, "Escalation", "whom to call, " + cited->document.title, cited->document.id};
    names = cited->document.services;
    names.resize(std::min(names.size(), kMostServices));
  }
  // Who owned an incident stands in its record.
  static const RE2 kOwns("\\b(?:owns?|owners?|responsible|maintains?|looks after)\\b");
  if (names.empty() && !q.focus().empty() && !matches(q.lower, kOwns)) {
    const Incident& incident = q.incident(q.focus());
    names.push_back(incident.impacted_application.empty() ? incident.title
                                                          : incident.impacted_application);
  }
  if (names.empty()) return std::nullopt;
  const std::string whole = fmt::format("{} for {}", extensible(q.text), join(names, " and "));
  return Reference{{}, whole, "whom to call, of what was talked about"};
}

}  // namespace precedent
