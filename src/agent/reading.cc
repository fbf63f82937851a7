#include "agent/reading.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>

#include "agent/asked_changes.h"
#include "agent/asked_metrics.h"
#include "agent/blame.h"
#include "agent/known_systems.h"
#include "agent/orders.h"
#include "agent/question_parts.h"
#include "agent/spelling.h"
#include "agent/system_words.h"
#include "agent/unknown_names.h"
#include "base/strings.h"
#include "grounding/statements.h"
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
  for (const Hit& hit : found ? found->hits : std::vector<Hit>())
    for (const std::string& service : hit.payload.services) ++votes[service];
  const auto most = std::ranges::max_element(votes, {}, [](const auto& v) { return v.second; });
  return most == votes.end() ? "" : most->first;
}

struct Serving {
  std::string service;
  std::string_view who;  // says so
};

// The service of an endpoint: as its own series are labelled, where they name one that is known; else
// as documents say, which may speak of several beside it.
Serving served_by(const std::string& endpoint, const CopilotServices& services, TimePoint now) {
  constexpr std::chrono::seconds kPatience{3};
  const std::string told = told_to_serve(endpoint, services.search);
  const LiveSources& live = services.live;
  if (live.metrics == nullptr || live.metrics_config == nullptr) return {told, "documents"};
  const CancelToken never;
  auto labelled = services_of_endpoint(endpoint, *live.metrics, *live.metrics_config, now,
                                       {never, std::chrono::steady_clock::now() + kPatience});
  if (!labelled || labelled->empty()) return {told, "documents"};
  std::vector<std::string> known = services.search.catalogue().services;
  if (live.changes != nullptr)
    for (std::string& service : live.changes->services()) known.push_back(std::move(service));
  const auto is_known = [&](const std::string& service) {
    return std::ranges::find(known, service) != known.end();
  };
  const bool agreed = std::ranges::find(*labelled, told) != labelled->end();
  if (told.empty() || agreed) return {agreed ? told : labelled->front(), "its metrics"};
  const auto first = std::ranges::find_if(*labelled, is_known);
  return first == labelled->end() ? Serving{told, "documents"} : Serving{*first, "its metrics"};
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

// The question with the name of the system that it calls in short or misspells, if that makes it one about how the system behaves or
// what was changed in it.
std::optional<Intent> with_its_system(const Reference& asked, const Intent& read,
                                      const IntentContext& context,
                                      const CopilotServices& services) {
  const bool live = services.live.metrics != nullptr || services.live.changes != nullptr;
  const Signals& s = read.signals;
  const bool of_a_system = s.behaviour() || s.deploy || s.changes || s.slo;
  const bool known = std::ranges::any_of(read.subjects, [](const Subject& subject) {
    return subject.kind == SubjectKind::kApplication || subject.kind == SubjectKind::kIncident;
  });
  // What is laid down is written in documents.
  static const RE2 kLaidDown(
      "(?i)\\b(?:objectives?|thresholds?|targets?|limits?|means?|meaning|defined)\\b");
  const bool laid_down = !read.asks.whether && RE2::PartialMatch(asked.question, kLaidDown);
  if (!live || known || !of_a_system || laid_down) return std::nullopt;
  const auto meant = meant_system(asked.question, read_known_systems(services, context.now));
  if (!meant) return std::nullopt;
  Reference named = asked;
  named.question = meant->question;
  Intent intent = read_intent(named, context);
  if (intent.type != QuestionType::kDebugIncident && !intent.signals.changes) return std::nullopt;
  intent.taken_for = fmt::format("'{}{}{}.", meant->said, kReadAsNote, meant->name);
  intent.cues.push_back(intent.taken_for);
  return intent;
}

// What somebody changed, whether a flag is on, who wrote a file: the record of changes knows, by the names that it has.
std::optional<Intent> with_recorded_names(const Intent& read, const CopilotServices& services) {
  if (services.live.changes == nullptr || read.follow_up || !read.ids.empty()) return std::nullopt;
  const bool file = std::ranges::any_of(
      read.subjects, [](const Subject& s) { return s.kind == SubjectKind::kFile; });
  Intent intent = read;
  if (file && asks_who_wrote(read.question)) {
    intent.signals.changes = true;
    intent.type = QuestionType::kExplainCode;
    intent.cues.emplace_back("who changed a file");
    return intent;
  }
  std::optional<RecordedNames> names;
  const auto known = [&]() -> const RecordedNames& {
    if (!names) names = read_recorded_names(*services.live.changes, read.now);
    return *names;
  };
  const auto flag = asked_flag(read.question, known);
  const std::string author = flag ? "" : asked_author(read.question, known);
  // "What did Checkout deploy": a system, not a person.
  const bool system = std::ranges::any_of(read.subjects, [&](const Subject& s) {
    return (s.kind == SubjectKind::kService || s.kind == SubjectKind::kApplication) &&
           name_key(s.text) == name_key(author);
  });
  if (!flag && (author.empty() || system)) return std::nullopt;
  std::erase_if(intent.subjects, [](const Subject& s) {
    return s.kind == SubjectKind::kThing || s.kind == SubjectKind::kSymbol;
  });
  if (flag)
    intent.subjects.push_back({flag->empty() ? std::string(kAllFlags) : *flag, SubjectKind::kFlag});
  else
    intent.subjects.push_back({author, SubjectKind::kPerson});
  intent.signals.changes = true;
  intent.type = QuestionType::kKnowledge;
  intent.after.reset();
  intent.confidence = 0.9;
  intent.cues.push_back(flag ? "the state of a flag" : "changes by " + author);
  return intent;
}

// Whether a figure is asked for: neither a record nor what is written about it.
bool may_name_a_metric(const Intent& read) {
  const Signals& s = read.signals;
  const bool other = read.follow_up || !read.ids.empty() || !read.documents.kinds.empty() ||
                     read.asks.contact || read.asks.steps || s.changes || s.firing || s.code ||
                     s.configuration || s.architecture || s.precedent || s.slo || s.alerts;
  const bool listed = read.type == QuestionType::kApplicationIncidents ||
                      read.type == QuestionType::kRecentIncidents;
  static const RE2 kWritten(
      "(?i)\\b(?:should|must|allowed?|limits?|thresholds?|targets?|objectives?|configured|defined|"
      "means?|measures?|expected|documented|documentation|where)\\b");
  return !other && !listed && !RE2::PartialMatch(read.question, kWritten);
}

// Whether a metric is one of the system that the question names: as its own name or the labels of its series say.
bool is_of_the_system(const std::string& metric, const Intent& read,
                      const CopilotServices& services) {
  const std::set<std::string> words = system_words(read);
  if (words.empty() || services.live.metrics_config->find(metric) != nullptr) return true;
  const std::set<std::string> its = telling_words(metric);
  if (std::ranges::any_of(words, [&](const std::string& word) { return its.contains(word); }))
    return true;
  constexpr std::chrono::seconds kPatience{1};
  const CancelToken never;
  const Instant to = services.live.metrics->frozen_at().value_or(
      std::chrono::floor<std::chrono::milliseconds>(read.now));
  const auto series =
      services.live.metrics->series({metric}, to - std::chrono::hours(1), to,
                                    {never, std::chrono::steady_clock::now() + kPatience});
  return series && std::ranges::any_of(*series, [&](const LabelSet& labels) {
           return naming_label(labels, words) != labels.end();
         });
}

// The question with the metric that it names, if it asks what that is now: "is the ingest lag ok?".
std::optional<Intent> with_its_metric(const Reference& asked, const Intent& read,
                                      const IntentContext& context,
                                      const CopilotServices& services) {
  constexpr long kFewWords = 6;
  if (services.live.metrics == nullptr || services.live.metrics_config == nullptr ||
      !may_name_a_metric(read))
    return std::nullopt;
  const KnownSystems known = read_known_systems(services, context.now);
  std::set<std::string> systems;
  for (const auto* names : {&known.services, &known.endpoints})
    for (const std::string& name : *names) systems.merge(telling_words(name));
  const auto meant = meant_metric(
      asked.question, read_metric_names(services), systems,
      [&](const std::string& metric) { return is_of_the_system(metric, read, services); });
  if (!meant) return std::nullopt;
  const bool figure = read.asks.whether || read.asks.value || read.signals.behaviour() ||
                      std::ranges::count(asked.question, ' ') < kFewWords;
  if (!figure) return std::nullopt;
  Reference named = asked;
  named.question = meant->question;
  std::string taken_for = bare_name(meant->said) == bare_name(meant->name)
                              ? ""
                              : fmt::format("'{}{}{}.", meant->said, kReadAsNote, meant->name);
  // "Cache hit ratio search": of what, in short.
  if (system_words(read).empty())
    if (const auto system = meant_system(meant->question, known)) {
      named.question = system->question;
      taken_for += fmt::format("{}'{}{}{}.", taken_for.empty() ? "" : " ", system->said,
                               kReadAsNote, system->name);
    }
  Intent intent = read_intent(named, context);
  std::erase_if(intent.subjects, [&](const Subject& s) { return s.text == meant->name; });
  intent.subjects.push_back({meant->name, SubjectKind::kMetric});
  std::ranges::stable_sort(intent.subjects, {}, &Subject::kind);
  intent.type = QuestionType::kDebugIncident;
  intent.after.reset();
  intent.confidence = 0.9;
  intent.taken_for = std::move(taken_for);
  intent.cues.push_back("names the metric " + meant->name);
  return intent;
}

// "Did A cause B" asks how B behaves, and what was changed in A before it began. A and B are systems that are known, and not the
// same.
std::optional<Intent> with_whom_it_blames(const Reference& asked, const IntentContext& context,
                                          const CopilotServices& services) {
  const std::optional<Blame> blame = read_blame(asked.question);
  if (!blame || services.live.metrics == nullptr || services.live.changes == nullptr)
    return std::nullopt;
  const KnownSystems known = read_known_systems(services, context.now);
  const std::string cause = system_in(blame->cause, known),
                    effect = system_in(blame->effect, known);
  if (cause.empty() || effect.empty() || cause == effect) return std::nullopt;
  Reference its = asked;
  const auto meant = meant_system(blame->effect, known);
  its.question = fmt::format("What is going on with {}?", meant ? meant->question : blame->effect);
  Intent intent = read_intent(its, context);
  if (intent.type != QuestionType::kDebugIncident) return std::nullopt;
  intent.blamed = cause;
  intent.cues.push_back(fmt::format("whether {} is behind what {} does", cause, effect));
  return intent;
}

// What only the knowledge base and the record of changes know: which service is meant, and when its
// last deploy was.
void resolve_systems(Intent& intent, const CopilotServices& services) {
  for (const Subject& subject : intent.subjects) {
    if (!intent.service.empty()) break;
    if (subject.kind == SubjectKind::kService) intent.service = subject.text;
    if (subject.kind == SubjectKind::kApplication)
      intent.service = service_called(subject.text, services.search.catalogue());
    if (subject.kind == SubjectKind::kEndpoint) {
      const Serving serving = served_by(subject.text, services, intent.now);
      intent.service = serving.service;
      if (!intent.service.empty())
        intent.cues.push_back(
            fmt::format("{} is served by {}, say {}", subject.text, serving.service, serving.who));
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

Intent understand(const Reference& asked, const IntentContext& context,
                  const CopilotServices& services) {
  if (auto blaming = with_whom_it_blames(asked, context, services)) return std::move(*blaming);
  Intent intent = read_intent(asked, context);
  if (auto recorded = with_recorded_names(intent, services)) return std::move(*recorded);
  if (auto measured = with_its_metric(asked, intent, context, services))
    return std::move(*measured);
  auto named = with_its_system(asked, intent, context, services);
  return named ? std::move(*named) : intent;
}

// A message that asks several things demands what each of them does.
void take_parts(Reading& reading, const IntentContext& context, const CopilotServices& services) {
  std::map<std::string, Reading> read;
  const auto part_of = [&](const std::string& question) -> Reading& {
    const auto [at, is_new] = read.try_emplace(question);
    Reading& part = at->second;
    if (!is_new) return part;
    part.question = question;
    part.intent = understand({{}, question, ""}, context, services);
    take_demands(part, services);
    return part;
  };
  QuestionParts found = find_parts(
      reading.intent, [&](const std::string& question) { return part_of(question).intent; });
  if (found.questions.empty()) return;
  reading.left_out = std::move(found.left_out);
  reading.demands.clear();
  for (const std::string& question : found.questions) {
    reading.parts.push_back(part_of(question));
    for (const Demand& demand : reading.parts.back().demands) {
      const auto known = std::ranges::find(reading.demands, demand.tool, &Demand::tool);
      if (known == reading.demands.end())
        reading.demands.push_back(demand);
      else if (demand.must && !known->must)
        *known = demand;
    }
  }
}

}  // namespace

void take_demands(Reading& reading, const CopilotServices& services) {
  reading.demands = demands_of(services.policy, reading.intent);
  if (std::ranges::any_of(reading.demands, &Demand::must))
    resolve_systems(reading.intent, services);
  // The thread holds what they would return.
  if (reading.intent.recall != Recall::kNothing) reading.demands.clear();
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
  const Spelled spelled = read_spelling(
      reading.question, [&](std::string_view word) { return is_written(word, search); });
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
  reading.intent = understand(asked, context, services);
  if (!spelled.note.empty()) {
    std::string& taken_for = reading.intent.taken_for;
    taken_for = taken_for.empty() ? spelled.note : spelled.note + " " + taken_for;
  }
  reading.intent.documents.incidents = std::move(ids);
  if (order) reading.intent.order = order->verb;
  if (!reading.intent.order.empty())
    reading.intent.cues.push_back("order: " + reading.intent.order);
  take_demands(reading, services);
  if (!order && reading.intent.live.empty() && reading.intent.recall == Recall::kNothing)
    take_parts(reading, context, services);
  return reading;
}

}  // namespace precedent
