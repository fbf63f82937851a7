#include "agent/converse/conversation.h"

#include <re2/re2.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "agent/language/field_words.h"
#include "base/ids.h"

namespace precedent {
namespace {

// An answer without its list of sources, which repeats in another order what the text cites. It is
// the last of that name: a document that is quoted may have such a list, too.
std::string_view without_sources(std::string_view answer) {
  return answer.substr(0, answer.rfind("\n**Sources**"));
}

// Whether a receipt is of what was named rather than of a search by words.
bool is_direct(const std::shared_ptr<const Receipt>& receipt) {
  return receipt->tool == "lookup_incident_by_id" ||
         receipt->tool == "get_incidents_by_application" || receipt->tool == "get_recent_incidents";
}

// The incident that an answer describes under a heading of its own, "**ID: title**"; "" if none.
std::string described(std::string_view answer) {
  for (const IdMention& id : find_ids(answer))
    if (answer.contains("**" + id.id + ": ")) return id.id;
  return {};
}

// Whether an answer shows an incident, or a list of them, under its id rather than mention one.
bool presents_incident(std::string_view answer) {
  return std::ranges::any_of(find_ids(answer),
                             [&](const IdMention& id) { return answer.contains("**" + id.id); });
}

bool leans_on_another(std::string_view question) {
  static const RE2 kLeans("(?i)^(?:and|or|ok|okay|so|also|what about|how about|what of|same)\\b");
  return RE2::PartialMatch(re2::StringPiece(question.data(), question.size()), kLeans);
}

bool asks_what_to_do(std::string_view question) {
  static const RE2 kToDo(
      "(?i)\\b(?:run|play)books?\\b|\\bwhat (?:now|next|to do|do|should|can) ?\\b|"
      "\\bhow (?:do|can|should|to)\\b|\\bsteps?\\b|\\bdo i (?:care|need)\\b");
  return RE2::PartialMatch(re2::StringPiece(question.data(), question.size()), kToDo);
}

// A few words that name nothing, such as "how do I fix it?".
bool is_terse(const Turn& turn) { return own_terms(turn.question).size() < 2; }

// The documents that a turn's answer may cite: those of its receipts, or in a history without
// receipts those under the answer's "Sources": "- ID — title (kind, path)", and perhaps where it
// lives.
std::vector<Source> documents_of(const Turn& turn) {
  std::vector<Source> documents;
  for (const auto& receipt : turn.receipts) {
    for (Source& source : sources_of(*receipt)) {
      const bool known =
          std::ranges::any_of(documents, [&](const Source& s) { return s.id == source.id; });
      if (!known && !source.path.empty() && source.kind != name(Kind::kIncident))
        documents.push_back(std::move(source));
    }
  }
  if (!turn.receipts.empty()) return documents;
  static const RE2 kSource("(?m)^- (\\S+) — .*\\((\\w+), ([^()]+)\\)(?: — .*)?$");
  re2::StringPiece rest(turn.answer);
  for (Source source; RE2::FindAndConsume(&rest, kSource, &source.id, &source.kind, &source.path);)
    if (source.kind != name(Kind::kIncident)) documents.push_back(source);
  return documents;
}

// Whether the first source that an answer cites is a document; `answer` is without its sources.
bool begins_with_document(const Turn& turn, std::string_view answer) {
  size_t first = std::string_view::npos;
  for (const Source& source : documents_of(turn))
    first = std::min(first, answer.find("[" + source.path));
  if (first == std::string_view::npos) return false;
  const auto ids = find_ids(answer.substr(0, first));
  return std::ranges::none_of(
      ids, [&](const IdMention& id) { return answer.contains("[" + id.id + "]"); });
}

}  // namespace

Conversation::Conversation(std::vector<Turn> turns, const Lookup& lookup)
    : turns_(std::move(turns)) {
  for (size_t i = 0; i < turns_.size(); ++i) {
    const bool live = read_live(i);
    const bool incident = read_incidents(i, lookup);
    read_document(i, lookup);
    if (live || lives_.empty()) continue;
    if (incident) live_stands_ = false;
    if (latest_cited_turn_ == i && !is_terse(turns_[i])) live_leads_ = false;
  }
}

void Conversation::take_live(LiveFocus focus) {
  // "What else was deployed then" is asked of any system, and the one that is talked about stays.
  static const RE2 kBack("(?i)\\b(?:else|others?|elsewhere|then|that time)\\b");
  if (!lives_.empty() && focus.system().empty() && focus.metrics.empty() &&
      RE2::PartialMatch(focus.question, kBack)) {
    lives_.back() = go_on(lives_.back(), std::move(focus));
    return;
  }
  const auto same = std::ranges::find_if(lives_.rbegin(), lives_.rend(), [&](const auto& before) {
    return is_same_system(before, focus);
  });
  if (same != lives_.rend()) {
    focus = go_on(*same, std::move(focus));
    lives_.erase(std::next(same).base());
  } else if (!lives_.empty() && leans_on_another(focus.question)) {
    // "What about checkout-api?" was the question before, of another system.
    const std::string whole = question_of(lives_.back(), focus.system());
    if (!whole.empty()) focus.question = whole;
  }
  lives_.push_back(std::move(focus));
}

bool Conversation::read_live(size_t turn) {
  const Turn& said = turns_[turn];
  if (auto focus = read_live_focus(said.question, said.receipts)) {
    take_live(std::move(*focus));
    return live_stands_ = live_leads_ = true;
  }
  // Answered from what was read before.
  if (presents_incident(said.answer)) return false;
  for (auto focus = lives_.rbegin(); focus != lives_.rend(); ++focus) {
    if (!cites(said.answer, *focus)) continue;
    std::rotate(focus.base() - 1, focus.base(), lives_.end());
    return live_stands_ = live_leads_ = true;
  }
  return false;
}

bool Conversation::read_incidents(size_t turn, const Lookup& lookup) {
  const Turn& said = turns_[turn];
  const std::string_view answer = without_sources(said.answer);
  std::vector<std::string> list;
  const auto mention = [&](std::string_view text) {
    for (const IdMention& id : find_ids(text)) {
      remember(turn, id.id, lookup);
      if (find(id.id) == nullptr) continue;
      if (std::ranges::find(list, id.id) == list.end()) list.push_back(id.id);
    }
  };
  mention(said.question);
  const std::vector<std::string> asked = std::exchange(list, {});
  mention(answer);
  if (list.empty()) list = asked;
  if (list.empty()) return false;
  latest_cited_turn_ = turn;
  // What is quoted beside a document is not what the answer is about.
  if (asked.empty() && !presents_incident(answer) && begins_with_document(said, answer))
    return false;
  std::string focus = asked.empty() ? described(answer) : asked.front();
  const bool describes = !focus.empty() && find(focus) != nullptr;
  if (!describes) focus = list.front();
  // A terse follow-up that was searched for after all is no new subject, unless its answer says
  // that it took it for one.
  const bool searched = asked.empty() && is_terse(said) && !said.receipts.empty() &&
                        std::ranges::none_of(said.receipts, is_direct);
  if (searched && !focuses_.empty() && !describes) return false;
  if (list.size() > 1) lists_.push_back({turn, list});
  latest_list_ = std::move(list);
  if (focuses_.empty() || focuses_.back() != focus) focuses_.push_back(focus);
  return !searched;
}

void Conversation::read_document(size_t turn, const Lookup& lookup) {
  const std::string_view answer = without_sources(turns_[turn].answer);
  std::string most_cited;
  size_t most = 0, first = 0;
  for (const Source& source : documents_of(turns_[turn])) {
    const std::string citation = "[" + source.path;
    size_t count = 0, begin = std::string_view::npos;
    for (size_t at = answer.find(citation); at != std::string_view::npos;
         at = answer.find(citation, at + 1)) {
      if (count++ == 0) begin = at;
    }
    if (count < most || count == 0 || (count == most && begin > first)) continue;
    most_cited = source.id;
    most = count;
    first = begin;
  }
  if (most == 0) return;
  latest_cited_turn_ = turn;
  std::erase_if(documents_, [&](const CitedDocument& d) { return d.document.id == most_cited; });
  auto document = lookup(most_cited);
  if (!document) return;
  documents_.push_back({std::move(*document), turn, !presents_incident(answer),
                        begins_with_document(turns_[turn], answer),
                        asks_what_to_do(turns_[turn].question)});
}

const CitedDocument* Conversation::document() const {
  if (documents_.empty() || documents_.back().turn != latest_cited_turn_) return nullptr;
  return &documents_.back();
}

const Remembered* Conversation::find(std::string_view id) const {
  const auto it = std::ranges::find_if(
      incidents_, [&](const Remembered& r) { return r.incident.incident_id == id; });
  return it == incidents_.end() ? nullptr : &*it;
}

void Conversation::remember(size_t turn, std::string_view id, const Lookup& lookup) {
  if (find(id) != nullptr) return;
  for (const auto& receipt : turns_[turn].receipts) {
    const auto* result = std::get_if<IncidentsResult>(&receipt->result);
    if (result == nullptr) continue;
    for (const IncidentItem& item : result->incidents) {
      if (item.incident.incident_id != id) continue;
      incidents_.push_back({item.incident, item.path});
      return;
    }
  }
  const auto document = lookup(id);
  if (document && document->kind == Kind::kIncident)
    incidents_.push_back({incident_of(*document), document->path});
}

std::vector<Turn> turns_of(std::span<const Message> messages, const SharedList<Receipt>& receipts) {
  std::unordered_map<std::string_view, std::vector<std::shared_ptr<const Receipt>>> by_call;
  for (const auto& receipt : receipts.shared()) by_call[receipt->call].push_back(receipt);
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
    const auto found = by_call.find(message.tool_call_id);
    if (found != by_call.end())
      turn.receipts.insert(turn.receipts.end(), found->second.begin(), found->second.end());
  }
  return turns;
}

}  // namespace precedent
