// Intent: what a question wants, with the cues that decided. Read by read_intent.h; its text is
// frozen when it is (freeze.h).
//
// Thread safety: pure functions over values.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/converse/reference.h"
#include "agent/frozen/frozen_question.h"
#include "agent/language/question_type.h"
#include "agent/language/type_opinion.h"
#include "agent/slots/asked_documents.h"
#include "agent/slots/asks.h"
#include "agent/slots/deploy_hint.h"
#include "agent/slots/qualifiers.h"
#include "agent/slots/signals.h"
#include "agent/slots/subjects.h"
#include "search/self_query.h"
#include "text/analyzer.h"

namespace precedent {

struct Intent {
  QuestionType type = QuestionType::kKnowledge;  // as it is answered
  // What it is after, where that cannot be answered as such: "the outage at Easter, what was it?"
  // is after an incident, but nothing names one.
  std::optional<QuestionType> after = {};
  FrozenQuestion asked;          // what only its words say; empty until it is frozen
  std::vector<std::string> ids;  // normalised, to look up or to remember
  std::vector<Subject> subjects;
  // For kApplicationIncidents: the names as asked.
  std::vector<std::string> applications;
  // Of a list: nothing is asked beyond what it is restricted to.
  bool lists_only = true;
  std::optional<int> count = {};    // how many of a list are asked for, newest first
  std::string ranked;               // of a list: "longest" or "shortest" first; "": newest first
  std::vector<std::string> saying;  // of a list: words that its records must hold
  bool open = false;                // of a list: only what is not over yet
  std::optional<Tally> tally = {};  // of a list: what is computed over it
  std::string
      service;  // that the question is about: named, or what serves its endpoint; "": unknown
  std::string
      blamed;  // the service that is said to be behind it (agent/slots/blame.h); "": none is
  std::string series;  // "freezer=FRZ-12": of the metric that it names; "": all
  TimePoint now{};     // when it was asked
  std::vector<TimeHint> times;
  std::optional<DeployHint> deploy;   // a time that is told by a deploy
  std::vector<FrozenText> questions;  // that it holds, at least one
  Signals signals;
  double confidence = 0.5;    // in the type, 0–1: how sure its rules are
  bool investigated = false;  // it tells of trouble now, whatever else it asks for
  Filter filter;              // of the self-query
  Asks asks;
  Qualifiers qualifiers;
  AskedDocuments documents;
  std::string document;  // the id of the document that a follow-up is on or the question calls by
                         // name; "": none
  bool parts_only = false;              // Reference::parts_only
  bool advice = false;                  // Reference::advice
  std::string except;                   // Reference::except
  std::string live;                     // Reference::live
  std::vector<std::string> candidates;  // Reference::candidates
  Recall recall = Recall::kNothing;     // Reference::recall
  bool follow_up = false;
  std::string taken_for;  // "'payments' is read as payment-service"
                          // (agent/sources/known_systems.h); "": names are as known
  std::string changed;  // what is asked who changed it, or when, that is no system: "matrix cache";
                        // "": nothing is
  std::string order;  // the verb, if it was an order (agent/slots/orders.h); "": it was a question
  std::vector<std::string> cues;  // why, one each
};

struct IntentContext : ReferenceContext {
  const TypeOpinion* opinion = nullptr;  // null: by rules alone
  bool metrics = false;                  // whether there are any to ask
  // Whether documents hold a word; empty: not known.
  std::function<bool(std::string_view)> written = {};
};

// Whether a question names nothing that could be looked for: "it's broken again", "help".
bool is_vague(std::string_view question, const Analyzer& analyzer);

// Nothing but which alerts are active, and what was changed: of a service, or of whatever there is.
bool asks_only_for_records(const Intent& intent);

// The intent record: question_type, subjects, time_hints, sub_questions, confidence, cues.
nlohmann::json to_json(const Intent& intent);
// Of a question that was asked back or refused before it was read.
nlohmann::json unread_intent(QuestionType type, std::string_view reason);

}  // namespace precedent
