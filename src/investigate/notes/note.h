// CaseNote: what a report says in a few lines, for where the incident is talked about.
//
// Made from the report as JSON (report.h), so that whoever has only that can make one. Every text
// is redacted and bounded. Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

struct NoteCause {
  std::string statement;
  double confidence = 0;
};

struct CaseNote {
  std::string title;    // the incident's, or the service's
  std::string verdict;  // "cause found", "inconclusive"
  std::string summary;
  std::vector<NoteCause> causes;  // proved, or of an inconclusive one the likeliest that are left
  std::string question, yes, no;  // the deciding question; "": there is none
  std::string advice;             // what to do
  std::string owner;              // whom to page, as the document on ownership says
  std::string link;               // an address, a path, or ""
  bool proved = false;
};

// `report`: docs/format/investigation.md. Parts that are not there stay empty.
CaseNote note_of(const nlohmann::json& report, std::string_view link);
// Plain text of at most kMaxNote bytes.
inline constexpr size_t kMaxNote = 4'000;
std::string note_text(const CaseNote& note);
// A message to Slack, in its Block Kit: https://docs.slack.dev/block-kit. `buttons`: what the
// buttons Yes and No below the deciding question carry, before the answer; "": there are none.
nlohmann::json slack_message(const CaseNote& note, std::string_view buttons = {});
// "ID MARK", of the report's deciding question (slack_cards.h).
std::string button_value(const nlohmann::json& report, std::string_view id);
// What is said in the thread of a card: answers beyond the first `told`, and what it came to.
nlohmann::json slack_reply(const nlohmann::json& report, size_t told);

}  // namespace precedent
