#include "investigate/notes/note.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "base/json_access.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "investigate/alerts/brief.h"

namespace precedent {
namespace {

using nlohmann::json;

// A headline of Slack has at most 150 characters.
constexpr size_t kMaxTitle = 110;
constexpr size_t kMaxSentence = 600;
constexpr size_t kMaxLink = 500;
// Of an inconclusive one; more is read in the report.
constexpr size_t kMaxLeft = 3;

std::string text_of(const json& object, const char* key, size_t max_bytes = kMaxSentence) {
  return squeeze(shown_text(foreign::text(object, key), max_bytes));
}

// What Slack's markup would read as a mention, a link or an entity.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      default: out += c;
    }
  }
  return out;
}

bool is_address(std::string_view link) {
  return (link.starts_with("https://") || link.starts_with("http://")) &&
         link.find_first_of("<>|\"' ") == std::string_view::npos;
}

json section(const std::string& text) {
  // Verbatim: names and addresses in it become no links and no mentions.
  return {{"type", "section"}, {"text", {{"type", "mrkdwn"}, {"text", text}, {"verbatim", true}}}};
}

// The action's id only tells them apart: what is done is what the value says.
json button(std::string_view label, const std::string& value) {
  return {{"type", "button"},
          {"action_id", fmt::format("precedent_{}", ascii_lower(label))},
          {"text", {{"type", "plain_text"}, {"text", label}}},
          {"value", value}};
}

std::string heading(const CaseNote& note) { return note.title + ": " + note.verdict; }

std::string cause_line(const NoteCause& cause) {
  return fmt::format("{} (confidence {:.2f})", cause.statement, cause.confidence);
}

}  // namespace

CaseNote note_of(const json& report, std::string_view link) {
  CaseNote note;
  note.title = text_of(foreign::member(report, "incident"), "title", kMaxTitle);
  if (note.title.empty()) note.title = text_of(report, "first_failing_service", kMaxTitle);
  if (note.title.empty()) note.title = "Incident";
  note.proved = foreign::member(report, "outcome") == "cause";
  note.verdict = note.proved ? "cause found" : "inconclusive";
  note.summary = text_of(report, "summary");
  std::vector<json> hypotheses;
  for (const char* key : {"hypotheses", "wider"})
    for (const json& hypothesis : foreign::member(report, key)) {
      // Of what is open, the hypotheses themselves.
      const bool accepted = foreign::member(hypothesis, "status") == "accepted";
      if (accepted || key == std::string_view("hypotheses")) hypotheses.push_back(hypothesis);
    }
  for (const json& hypothesis : hypotheses) {
    const json& confidence = foreign::member(hypothesis, "confidence");
    const bool is_cause = foreign::member(hypothesis, "status") == "accepted";
    const bool is_left = !note.proved && foreign::member(hypothesis, "status") == "open";
    if ((!is_cause && !is_left) || !confidence.is_number() || note.causes.size() >= kMaxLeft)
      continue;
    note.causes.push_back({text_of(hypothesis, "statement"), confidence.get<double>()});
  }
  const json& question = foreign::member(report, "deciding_question");
  note.question = text_of(question, "question");
  note.yes = text_of(question, "if_yes");
  note.no = text_of(question, "if_no");
  note.advice = text_of(report, "advice");
  // The first that is known; the report has all.
  if (const json& owners = foreign::member(report, "owners"); owners.is_array() && !owners.empty())
    note.owner =
        text_of(owners.front(), "title", kMaxTitle) + ": " + text_of(owners.front(), "says");
  note.link = utf8_prefix(link, kMaxLink);
  return note;
}

std::string note_text(const CaseNote& note) {
  std::string out = heading(note) + "\n" + note.summary + "\n";
  if (!note.causes.empty()) out += note.proved ? "Cause:\n" : "Not ruled out:\n";
  for (const NoteCause& cause : note.causes) out += "- " + cause_line(cause) + "\n";
  if (!note.question.empty())
    out += fmt::format("The deciding question: {}\n- Yes: {}\n- No: {}\n", note.question, note.yes,
                       note.no);
  if (!note.advice.empty()) out += "What to do: " + note.advice + "\n";
  if (!note.owner.empty()) out += "Whom to page: " + note.owner + "\n";
  const std::string end = note.link.empty() ? "" : "Report: " + note.link + "\n";
  return std::string(trim(utf8_prefix(out, kMaxNote - end.size()))) + (end.empty() ? "" : "\n") +
         std::string(trim(end));
}

std::string button_value(const json& report, std::string_view id) {
  const json& question = foreign::member(foreign::member(report, "deciding_question"), "question");
  return fmt::format("{} {}", id,
                     content_hash(question.is_string() ? question.get<std::string>() : ""));
}

json slack_reply(const json& report, size_t told) {
  const CaseNote note = note_of(report, "");
  std::string text;
  const json& answers = foreign::member(report, "answers");
  for (size_t i = told; answers.is_array() && i < answers.size(); ++i)
    text += fmt::format("Answered *{}*: {}\n", escaped(text_of(answers[i], "answer")),
                        escaped(text_of(answers[i], "question")));
  text += fmt::format("*{}* {}", escaped(heading(note)), escaped(note.summary));
  if (!note.question.empty()) text += "\nThe deciding question is now: " + escaped(note.question);
  return {{"text", text}};
}

json slack_message(const CaseNote& note, std::string_view buttons) {
  json blocks = json::array();
  blocks.push_back({{"type", "header"},
                    {"text", {{"type", "plain_text"}, {"text", heading(note)}, {"emoji", false}}}});
  if (!note.summary.empty()) blocks.push_back(section(escaped(note.summary)));
  std::string causes;
  for (const NoteCause& cause : note.causes) causes += "\n• " + escaped(cause_line(cause));
  if (!causes.empty())
    blocks.push_back(section((note.proved ? "*Cause*" : "*Not ruled out*") + causes));
  if (!note.question.empty())
    blocks.push_back(
        section(fmt::format("*The deciding question*\n{}\n• Yes: {}\n• No: {}",
                            escaped(note.question), escaped(note.yes), escaped(note.no))));
  if (!note.question.empty() && !buttons.empty())
    blocks.push_back({{"type", "actions"},
                      {"block_id", "precedent_answer"},
                      {"elements", json::array({button("Yes", fmt::format("{} yes", buttons)),
                                                button("No", fmt::format("{} no", buttons))})}});
  if (!note.advice.empty()) blocks.push_back(section("*What to do*\n" + escaped(note.advice)));
  if (!note.owner.empty()) blocks.push_back(section("*Whom to page*\n" + escaped(note.owner)));
  if (!note.link.empty())
    blocks.push_back(section(is_address(note.link)
                                 ? fmt::format("<{}|The report>", escaped(note.link))
                                 : "The report: " + escaped(note.link)));
  // `text` is what a notification shows.
  return {{"text", escaped(heading(note))}, {"blocks", blocks}};
}

}  // namespace precedent
