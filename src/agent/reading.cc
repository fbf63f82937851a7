#include "agent/reading.h"

#include <algorithm>
#include <map>

#include "agent/orders.h"
#include "agent/question_parts.h"
#include "base/strings.h"

namespace precedent {
namespace {

Conversation::Lookup documents_of(const KnowledgeStore& store) {
  return [&store](std::string_view id) -> std::optional<Document> {
    auto found = store.find(id);
    if (!found) return std::nullopt;
    return std::move(*found);
  };
}

// The service that most documents on an endpoint are about; "" if they name none.
std::string served_by(const std::string& endpoint, const Searcher& search) {
  constexpr size_t kLooked = 6;
  const auto found = search.search(
      {.text = endpoint, .limit = kLooked, .mode = SearchMode::kSparse, .self_query = false});
  std::map<std::string, int> votes;
  for (const Hit& hit : found ? found->hits : std::vector<Hit>())
    for (const std::string& service : hit.payload.services) ++votes[service];
  const auto most = std::ranges::max_element(votes, {}, [](const auto& v) { return v.second; });
  return most == votes.end() ? "" : most->first;
}

// What only the knowledge base and the record of changes know: which service is meant, and when its
// last deploy was.
void resolve_systems(Intent& intent, const CopilotServices& services) {
  for (const Subject& subject : intent.subjects) {
    if (!intent.service.empty()) break;
    // What incidents call an application may be the service itself, written as one: "notify-hub".
    const bool identifier = subject.kind == SubjectKind::kApplication &&
                            ascii_lower(subject.text) == subject.text &&
                            !subject.text.contains(' ');
    if (subject.kind == SubjectKind::kService || identifier) intent.service = subject.text;
    if (subject.kind == SubjectKind::kEndpoint) {
      intent.service = served_by(subject.text, services.search);
      if (!intent.service.empty())
        intent.cues.push_back(subject.text + " is served by " + intent.service + ", say documents");
    }
  }
  if (!intent.deploy || services.live.changes == nullptr) return;
  auto deploy = last_deploy(*services.live.changes, intent.service, intent.now,
                            {intent.deploy->day, intent.deploy->version});
  // Nothing on that day, or of that version: the latest one there is, which the answer names.
  if (deploy && !*deploy) {
    deploy = last_deploy(*services.live.changes, intent.service, intent.now);
    intent.deploy->of_version = intent.deploy->version.empty();
  }
  if (deploy && *deploy) {
    intent.deploy->deploy = **deploy;
    intent.cues.push_back("'" + intent.deploy->text + "' is " + (*deploy)->text());
  }
}

}  // namespace

void take_demands(Reading& reading, const CopilotServices& services) {
  reading.demands = demands_of(services.policy, reading.intent);
  if (std::ranges::any_of(reading.demands, &Demand::must))
    resolve_systems(reading.intent, services);
}

std::string titles_of(const Conversation& conversation, const std::vector<std::string>& ids) {
  std::vector<std::string> titles;
  for (const std::string& id : ids)
    if (const Remembered* r = conversation.find(id)) titles.push_back(r->incident.title);
  return join(titles, "\n");
}

Reading read_conversation(const std::vector<Message>& messages, const SharedList<Receipt>& receipts,
                          const CopilotServices& services, TimePoint now) {
  const Searcher& search = services.search;
  const KnowledgeStore& store = services.store;
  Reading reading;
  for (size_t i = 0; i < messages.size(); ++i)
    if (messages[i].role == Role::kUser) reading.place = i;
  const auto question = messages.begin() + static_cast<ptrdiff_t>(reading.place);
  reading.question = question->content;
  reading.conversation = Conversation(turns_of(std::span(messages).first(reading.place), receipts),
                                      documents_of(store));
  for (auto m = question + 1; m != messages.end(); ++m) {
    if (m->role != Role::kTool) continue;
    reading.called = true;
    for (const Receipt& receipt : receipts) {
      if (receipt.call != m->tool_call_id) continue;
      reading.receipts.push_back(receipt);
      // A failure has no result but its text, which the message alone keeps.
      if (receipt.status == ReceiptStatus::kError) reading.receipts.back().text = m->content;
    }
  }
  const IntentContext context{{search.catalogue(), now,
                               [&store](std::string_view id) {
                                 const auto found = store.find(id);
                                 return found && found->has_value();
                               }},
                              services.intents,
                              services.live.metrics != nullptr};
  // Told to do something, what is asked is how it is done.
  const std::optional<GivenOrder> order = read_order(reading.question);
  Reference asked =
      resolve_reference(order ? order->question : reading.question, reading.conversation, context);
  // "Is there a runbook for it?", "runbook?": what "it" is belongs into the search.
  const AskedDocuments documents = find_asked_documents(ascii_lower(reading.question));
  std::vector<std::string> ids;
  if (!documents.kinds.empty()) {
    const auto& focuses = reading.conversation.focuses();
    ids = asked.ids;
    if (ids.empty() && !focuses.empty() && documents.all && documents.one) ids = {focuses.back()};
    if (!ids.empty()) {
      asked.question = reading.question + "\nabout " + titles_of(reading.conversation, ids);
      asked.why = "documents on " + join(ids, ", ");
      asked.ids.clear();
      asked.document.clear();
    }
  }
  reading.intent = read_intent(asked, context);
  reading.intent.documents.incidents = std::move(ids);
  if (order) {
    reading.intent.order = order->verb;
    reading.intent.cues.push_back("order: " + order->verb);
  }
  take_demands(reading, services);
  if (std::ranges::none_of(reading.demands, &Demand::must) && !order)
    reading.parts = read_parts(reading.intent, context);
  return reading;
}

}  // namespace precedent
