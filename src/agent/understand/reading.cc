#include "agent/understand/reading.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>

#include "agent/converse/references.h"
#include "agent/slots/orders.h"
#include "agent/slots/spelling.h"
#include "agent/sources/dictionary.h"
#include "agent/sources/known_systems.h"
#include "agent/sources/unknown_names.h"
#include "agent/understand/question_parts.h"
#include "agent/understand/understanding.h"
#include "base/strings.h"
#include "telemetry/serving.h"

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
std::string told_to_serve(const std::string& endpoint, const Searcher& search) {
  constexpr size_t kLooked = 6;
  const auto found = search.search(
      {.text = endpoint, .limit = kLooked, .mode = SearchMode::kSparse, .self_query = false});
  std::map<std::string, int> votes;
  for (const Hit& hit : found ? found->hits : std::vector<Hit>()) {
    // What only shares a word with it is about another.
    if (!ascii_lower(hit.payload.text).contains(ascii_lower(endpoint))) continue;
    for (const std::string& service : hit.payload.services) ++votes[service];
  }
  const auto most = std::ranges::max_element(votes, {}, [](const auto& v) { return v.second; });
  return most == votes.end() ? "" : most->first;
}

struct Serving {
  std::string service;
  std::string_view by;  // what says so
};

// The only service whose name has the word that ends the endpoint: webhook-dispatcher of /v1/webhooks. "" if there is none.
std::string named_like(const std::string& endpoint, const Sources& sources, TimePoint now) {
  KnownSystems known = read_known_systems(sources, now);
  known.endpoints.clear();
  return system_in(endpoint.substr(endpoint.rfind('/') + 1), known, dictionary_of(sources, now));
}

// The service of an endpoint: as its own series are labelled, where they name one that is known; else
// as documents say, which may speak of several beside it; else as it is called.
Serving served_by(const std::string& endpoint, const Sources& sources, TimePoint now) {
  constexpr std::chrono::seconds kPatience{3};
  const std::string told = told_to_serve(endpoint, sources.search);
  const Serving written = told.empty() ? Serving{named_like(endpoint, sources, now), "its name"}
                                       : Serving{told, "documents"};
  const LiveSources& live = sources.live;
  if (live.metrics == nullptr || live.metrics_config == nullptr) return written;
  const CancelToken never;
  auto labelled = services_of_endpoint(endpoint, *live.metrics, *live.metrics_config, now,
                                       {never, std::chrono::steady_clock::now() + kPatience});
  if (!labelled || labelled->empty()) return written;
  const std::vector<std::string> known = read_known_systems(sources, now).written;
  const auto is_known = [&](const std::string& service) {
    return std::ranges::find(known, service) != known.end();
  };
  const bool agreed = std::ranges::find(*labelled, told) != labelled->end();
  if (told.empty() || agreed) return {agreed ? told : labelled->front(), "its metrics"};
  const auto first = std::ranges::find_if(*labelled, is_known);
  return first == labelled->end() ? written : Serving{*first, "its metrics"};
}

// What incidents call an application may be the service itself: written as one ("notify-hub"), or "Merchant
// Portal" where a service is merchant-portal. "" if it is not.
std::string service_called(const std::string& application, const Catalogue& known) {
  const auto same = std::ranges::find_if(known.services, [&](const std::string& service) {
    return name_key(service) == name_key(application);
  });
  if (same != known.services.end()) return *same;
  const bool identifier = ascii_lower(application) == application && !application.contains(' ');
  return identifier ? application : "";
}

// What only the knowledge base and the record of changes know: which service is meant, and when its
// last deploy was.
void resolve_systems(Intent& intent, const Sources& sources) {
  for (const Subject& subject : intent.subjects) {
    if (!intent.service.empty()) break;
    if (subject.kind == SubjectKind::kService) intent.service = subject.text;
    if (subject.kind == SubjectKind::kApplication)
      intent.service = service_called(subject.text, sources.search.catalogue());
    if (subject.kind == SubjectKind::kEndpoint) {
      const Serving serving = served_by(subject.text, sources, intent.now);
      intent.service = serving.service;
      if (!intent.service.empty())
        intent.cues.push_back(
            fmt::format("{} is served by {}, by {}", subject.text, serving.service, serving.by));
    }
  }
  if (!intent.deploy || sources.live.changes == nullptr) return;
  auto deploy = last_deploy(*sources.live.changes, intent.service, intent.now,
                            {intent.deploy->day, intent.deploy->version});
  // Nothing on that day, or of that version: the latest one there is, which the answer names.
  if (deploy && !*deploy) {
    deploy = last_deploy(*sources.live.changes, intent.service, intent.now);
    intent.deploy->of_version = intent.deploy->version.empty();
  }
  if (deploy && *deploy) {
    intent.deploy->deploy = **deploy;
    intent.cues.push_back("'" + intent.deploy->text + "' is " + (*deploy)->text());
  }
}

// A message that asks several things demands what each of them does.
void take_parts(Reading& reading, const IntentContext& context, const Sources& sources,
                const Policy& policy) {
  std::map<std::string, Reading> read;
  const auto part_of = [&](const std::string& question) -> Reading& {
    const auto [at, is_new] = read.try_emplace(question);
    Reading& part = at->second;
    if (!is_new) return part;
    part.question = question;
    part.intent = understand({{}, question, ""}, context, sources);
    take_demands(part, sources, policy);
    return part;
  };
  QuestionParts found = find_parts(
      reading.intent, [&](const std::string& question) { return part_of(question).intent; });
  if (found.questions.empty()) return;
  reading.left_out = std::move(found.left_out);
  reading.demands.clear();
  for (const std::string& question : found.questions) {
    reading.parts.push_back(part_of(question));
    for (const Demand& demand : reading.parts.back().demands) add_demand(reading.demands, demand);
  }
}

}  // namespace

void take_demands(Reading& reading, const Sources& sources, const Policy& policy) {
  reading.demands = demands_of(policy, reading.intent);
  if (std::ranges::any_of(reading.demands, &Demand::must)) resolve_systems(reading.intent, sources);
  // The thread holds what they would return, or which incident is meant is asked back.
  if (reading.intent.recall != Recall::kNothing || !reading.intent.candidates.empty())
    reading.demands.clear();
}

std::string titles_of(const Conversation& conversation, const std::vector<std::string>& ids) {
  std::vector<std::string> titles;
  for (const std::string& id : ids)
    if (const Remembered* r = conversation.find(id)) titles.push_back(r->incident.title);
  return join(titles, "\n");
}

Reading read_conversation(const std::vector<Message>& messages, const SharedList<Receipt>& receipts,
                          const Sources& sources, const Policy& policy, TimePoint now) {
  const Searcher& search = sources.search;
  const KnowledgeStore& store = sources.store;
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
                              sources.intents,
                              sources.live.metrics != nullptr};
  const Spelled spelled = read_spelling(reading.question, dictionary_of(sources, now));
  // Told to do something, what is asked is how it is done.
  const std::optional<GivenOrder> order = read_order(spelled.question);
  Reference asked =
      resolve_reference(order ? order->question : spelled.question, reading.conversation, context);
  // "Is there a runbook for it?", "runbook?": what "it" is belongs into the search.
  const AskedDocuments documents = find_asked_documents(ascii_lower(reading.question));
  std::vector<std::string> ids;
  if (!documents.kinds.empty()) {
    const auto& focuses = reading.conversation.focuses();
    ids = asked.ids;
    const LiveFocus* live = reading.conversation.leading_live();
    const bool one = documents.all && documents.one;
    if (ids.empty() && one && live == nullptr && !focuses.empty()) ids = {focuses.back()};
    if (ids.empty() && one && live != nullptr) {
      asked.question =
          fmt::format("{}\nabout {} {}", reading.question, spoken(*live), live->service);
      asked.why = "documents on " + spoken(*live);
      asked.live = spoken(*live);
    }
    if (!ids.empty()) {
      asked.question = reading.question + "\nabout " + titles_of(reading.conversation, ids);
      asked.why = "documents on " + join(ids, ", ");
      asked.ids.clear();
      asked.document.clear();
    }
  }
  reading.intent = understand(asked, context, sources);
  if (!spelled.note.empty()) {
    std::string& taken_for = reading.intent.taken_for;
    taken_for = taken_for.empty() ? spelled.note : spelled.note + " " + taken_for;
  }
  reading.intent.documents.incidents = std::move(ids);
  if (order) reading.intent.order = order->verb;
  if (!reading.intent.order.empty())
    reading.intent.cues.push_back("order: " + reading.intent.order);
  take_demands(reading, sources, policy);
  if (!order && reading.intent.live.empty() && reading.intent.recall == Recall::kNothing &&
      reading.intent.candidates.empty())
    take_parts(reading, context, sources, policy);
  return reading;
}

}  // namespace precedent
