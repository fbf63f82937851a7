// Conversation: what was said and retrieved so far, in the form that follow-ups refer to it: which
// incidents and documents were talked about, in which order, and which one last.
//
// Made anew for every question from the messages of the thread and their receipts; nothing here is
// kept. Thread safety: const members from any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/converse/live_focus.h"
#include "chat/message.h"
#include "graph/shared_list.h"
#include "knowledge/document.h"
#include "knowledge/incident.h"
#include "tools/receipt.h"

namespace precedent {

// A question, what was answered, and what was retrieved in between.
struct Turn {
  std::string question;
  std::string answer;
  std::vector<std::shared_ptr<const Receipt>> receipts;
};

// An incident that the conversation named, as its receipts have it.
struct Remembered {
  Incident incident;
  std::string path;
};

// Incidents that a turn showed together, in the order of its answer. Two at least.
struct ShownList {
  size_t turn = 0;
  std::vector<std::string> ids;
};

// A document that an answer cited.
struct CitedDocument {
  Document document;
  size_t turn = 0;      // the latest that cites it
  bool alone = false;   // that answer presents no incident beside it
  bool leads = false;   // that answer begins with it
  bool wanted = false;  // its question asked what to do
};

class Conversation {
 public:
  // What the knowledge base knows of an id: for incidents that were said but not retrieved, as in a
  // history that came without its receipts, and for the text of documents. Nothing: no such id.
  using Lookup = std::function<std::optional<Document>(std::string_view id)>;

  Conversation() = default;
  Conversation(std::vector<Turn> turns, const Lookup& lookup);

  bool empty() const { return turns_.empty(); }
  const std::vector<Turn>& turns() const { return turns_; }
  // Every incident named so far, in the order of first mention.
  const std::vector<Remembered>& incidents() const { return incidents_; }
  const Remembered* find(std::string_view id) const;
  // The ids of the latest turn that names any, in the order in which its answer shows them.
  const std::vector<std::string>& latest_list() const { return latest_list_; }
  // Every list that was shown, oldest first.
  const std::vector<ShownList>& lists() const { return lists_; }
  // The incident that each turn was about, oldest first, without immediate repeats: the one that
  // its question named, else the one that its answer describes, else the first of its answer. An
  // answer that begins with a document and describes none is about none. The last one is what "it"
  // means.
  const std::vector<std::string>& focuses() const { return focuses_; }
  // Each document that an answer was mostly about, in the order in which they were last cited.
  const std::vector<CitedDocument>& documents() const { return documents_; }
  // The one that the latest answer with a citation was about; nullptr if it cites incidents only.
  const CitedDocument* document() const;
  // What systems were asked about, each once with all that was read of it, in the order in which
  // they were last talked about.
  const std::vector<LiveFocus>& lives() const { return lives_; }
  // The last of them, unless an incident has been turned to since; nullptr if there is none.
  const LiveFocus* live() const { return live_stands_ ? &lives_.back() : nullptr; }
  // The same, unless something else has been asked since: a runbook may be what "it" is then.
  const LiveFocus* leading_live() const { return live_leads_ ? live() : nullptr; }

 private:
  void remember(size_t turn, std::string_view id, const Lookup& lookup);
  // Returns whether the turn is about an incident of its own choice.
  bool read_incidents(size_t turn, const Lookup& lookup);
  void read_document(size_t turn, const Lookup& lookup);
  // Returns whether the turn is about a system in operation.
  bool read_live(size_t turn);
  void take_live(LiveFocus focus);

  std::vector<Turn> turns_;
  std::vector<Remembered> incidents_;
  std::vector<std::string> latest_list_, focuses_;
  std::vector<ShownList> lists_;
  std::vector<CitedDocument> documents_;
  std::vector<LiveFocus> lives_;
  bool live_stands_ = false, live_leads_ = false;
  size_t latest_cited_turn_ = 0;  // the latest turn whose answer cites anything
};

// The turns of a list of messages that ends before the question at hand. Tool messages name their
// receipts by tool_call_id; `receipts` are the thread's, matched by Receipt::call.
std::vector<Turn> turns_of(std::span<const Message> messages, const SharedList<Receipt>& receipts);

}  // namespace precedent
