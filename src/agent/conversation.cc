#include "agent/conversation.h"

#include <algorithm>
#include <utility>

#include "agent/field_words.h"
#include "base/ids.h"

namespace precedent {
namespace {

// An answer without its list of sources, which repeats in another order what the text cites.
std::string_view without_sources(std::string_view answer) {
  return answer.substr(0, answer.find("\n**Sources**"));
}

// Whether a receipt is of what was named rather than of a search by words.
bool is_direct(const Receipt& receipt) {
  return receipt.tool == "lookup_incident_by_id" ||
         receipt.tool == "get_incidents_by_application" || receipt.tool == "get_recent_incidents";
}

}  // namespace

Conversation::Conversation(std::vector<Turn> turns, const Lookup& lookup)
    : turns_(std::move(turns)) {
  for (size_t i = 0; i < turns_.size(); ++i) {
    std::vector<std::string> list;
    std::string focus;
    const auto mention = [&](std::string_view text) {
      for (const IdMention& id : find_ids(text)) {
        remember(i, id.id, lookup);
        if (find(id.id) == nullptr) continue;
        if (std::ranges::find(list, id.id) == list.end()) list.push_back(id.id);
      }
      if (focus.empty() && !list.empty()) focus = list.front();
    };
    mention(turns_[i].question);
    const std::vector<std::string> asked = std::exchange(list, {});
    mention(without_sources(turns_[i].answer));
    if (list.empty()) list = asked;
    // A terse follow-up that was searched for after all is no new subject.
    const bool terse = !focuses_.empty() && asked.empty() &&
                       own_terms(turns_[i].question).size() < 2 &&
                       std::ranges::none_of(turns_[i].receipts, is_direct);
    if (terse && !turns_[i].receipts.empty()) continue;
    if (!list.empty()) latest_list_ = std::move(list);
    if (!focus.empty() && (focuses_.empty() || focuses_.back() != focus)) focuses_.push_back(focus);
  }
}

const Remembered* Conversation::find(std::string_view id) const {
  const auto it = std::ranges::find_if(
      incidents_, [&](const Remembered& r) { return r.incident.incident_id == id; });
  return it == incidents_.end() ? nullptr : &*it;
}

void Conversation::remember(size_t turn, std::string_view id, const Lookup& lookup) {
  if (find(id) != nullptr) return;
  for (const Receipt& receipt : turns_[turn].receipts) {
    const auto* result = std::get_if<IncidentsResult>(&receipt.result);
    if (result == nullptr) continue;
    for (const IncidentItem& item : result->incidents) {
      if (item.incident.incident_id != id) continue;
      incidents_.push_back({item.incident, item.path, turn});
      return;
    }
  }
  if (auto incident = lookup(id)) incidents_.push_back({std::move(*incident), "", turn});
}

std::vector<Turn> turns_of(const std::vector<Message>& messages,
                           const std::vector<Receipt>& receipts) {
  std::vector<Turn> turns;
  for (const Message& message : messages) {
    if (message.role == Role::kSystem) continue;
    // What an assistant says before any question, as a greeting does, is a turn of its own.
    if (message.role == Role::kUser || turns.empty()) turns.emplace_back();
    Turn& turn = turns.back();
    if (message.role == Role::kUser) turn.question = message.content;
    if (message.role == Role::kAssistant && !message.content.empty())
      turn.answer += (turn.answer.empty() ? "" : "\n") + message.content;
    if (message.role != Role::kTool) continue;
    for (const Receipt& receipt : receipts)
      if (receipt.call == message.tool_call_id) turn.receipts.push_back(receipt);
  }
  return turns;
}

}  // namespace precedent
