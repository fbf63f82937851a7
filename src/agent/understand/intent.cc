#include "agent/understand/intent.h"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace precedent {

bool is_vague(std::string_view question, const Analyzer& analyzer) {
  // Words that say that something is wrong, but not what.
  static const std::vector<std::string> kGeneric = Analyzer().terms(
      "broken broke break again problem problems issue issues help wrong error errors fail failed "
      "failing failure work "
      "working down fix fixed thing things something everything happen happened happening bad "
      "weird strange slow stuck "
      "please hello hi hey thanks urgent now still show tell know need want look check question "
      "ask anything going on "
      "up not");
  return std::ranges::all_of(analyzer.terms(question), [](const std::string& term) {
    return std::ranges::find(kGeneric, term) != kGeneric.end();
  });
}

bool asks_only_for_records(const Intent& intent) {
  const bool changes = intent.signals.changes, alerts = intent.signals.firing;
  if (!changes && !alerts) return false;
  if (intent.type != QuestionType::kKnowledge && intent.type != QuestionType::kExplainCode)
    return false;
  if (intent.questions.size() > static_cast<size_t>(changes) + static_cast<size_t>(alerts))
    return false;
  const bool named = std::ranges::any_of(intent.subjects, [](const Subject& s) {
    return s.kind == SubjectKind::kPerson || s.kind == SubjectKind::kFlag;
  });
  if (!changes || named || !intent.service.empty() || !intent.changed.empty() ||
      !intent.qualifiers.commit.empty())
    return true;
  return intent.asked.records_alone;
}

namespace {

nlohmann::json time_json(const std::string& text, const TimeRange& range) {
  nlohmann::json time = {{"text", text}, {"from", nullptr}, {"to", nullptr}};
  if (range.from) time["from"] = format_time(*range.from);
  if (range.to) time["to"] = format_time(*range.to);
  return time;
}

nlohmann::json times_json(const Intent& intent) {
  nlohmann::json times = nlohmann::json::array();
  for (const TimeHint& hint : intent.times) {
    // "yesterday" of "since yesterday's deploy" is the deploy's.
    const bool inside =
        intent.deploy && hint.begin < intent.deploy->end && intent.deploy->begin < hint.end;
    if (!inside) times.push_back(time_json(hint.text, hint.range));
  }
  if (intent.deploy) {
    nlohmann::json time = time_json(intent.deploy->text, intent.deploy->day);
    time["relative_to"] = intent.deploy->version.empty() ? "last_deploy" : "named_release";
    if (intent.deploy->deploy) {
      time["from"] = format_time(intent.deploy->deploy->change.at);
      time["to"] = nullptr;
      time["resolved_by"] = intent.deploy->deploy->text();
    }
    times.push_back(std::move(time));
  }
  return times;
}

}  // namespace

nlohmann::json to_json(const Intent& intent) {
  nlohmann::json subjects = nlohmann::json::array();
  for (const Subject& subject : intent.subjects) subjects.push_back(subject.text);
  nlohmann::json questions = nlohmann::json::array();
  for (const FrozenText& question : intent.questions) questions.push_back(question.to_show());
  // What a follow-up is about decides the plan; that it is one decides how it is read.
  nlohmann::json out = {
      {"question_type", intent.follow_up ? "follow_up" : name(intent.after.value_or(intent.type))},
      {"subjects", std::move(subjects)},
      {"time_hints", times_json(intent)},
      {"sub_questions", std::move(questions)},
      {"confidence", std::round(intent.confidence * 100) / 100},
      {"follow_up", intent.follow_up},
      {"cues", intent.cues}};
  if (intent.follow_up) out["about"] = name(intent.type);
  return out;
}

nlohmann::json unread_intent(QuestionType type, std::string_view reason) {
  Intent intent;
  intent.type = type;
  intent.confidence = 1;
  if (!reason.empty()) intent.cues.emplace_back(reason);
  return to_json(intent);
}

}  // namespace precedent
