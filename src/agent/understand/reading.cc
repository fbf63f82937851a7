#include "agent/understand/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "agent/converse/references.h"
#include "agent/slots/orders.h"
#include "agent/slots/spelling.h"
#include "agent/slots/unread_script.h"
#include "agent/sources/dictionary.h"
#include "agent/sources/unknown_names.h"
#include "agent/understand/freeze.h"
#include "agent/understand/question_parts.h"
#include "agent/understand/resolve_systems.h"
#include "agent/understand/understanding.h"
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

// What the policy demands of such a question, and what only sources know of its systems.
std::vector<Demand> demanded(Intent& intent, const Sources& sources, const Policy& policy) {
  std::vector<Demand> demands = demands_of(policy, intent);
  if (std::ranges::any_of(demands, &Demand::must)) resolve_systems(intent, sources);
  // The thread holds what they would return, or which incident is meant is asked back.
  if (intent.recall != Recall::kNothing || !intent.candidates.empty()) demands.clear();
  return demands;
}

// Which of its names nobody wrote down.
void look_up_names(OpenIntent& intent, const Searcher& search) {
  if (auto unknown = find_unknown_names(intent.question, search))
    intent.asked.unknown_names = std::move(*unknown);
}

// A message that asks several things demands what each of them does.
void take_parts(Reading& reading, const OpenIntent& whole, const IntentContext& context,
                const Sources& sources, const Policy& policy) {
  struct Part {
    OpenIntent intent;
    std::vector<Demand> demands;
  };
  std::map<std::string, Part> read;
  const auto part_of = [&](const std::string& question) -> Part& {
    const auto [at, is_new] = read.try_emplace(question);
    Part& part = at->second;
    if (!is_new) return part;
    part.intent = understand({{}, question, ""}, context, sources);
    part.demands = demanded(part.intent, sources, policy);
    return part;
  };
  QuestionParts found =
      find_parts(whole, [&](const std::string& question) { return part_of(question).intent; });
  if (found.questions.empty()) return;
  reading.left_out = {found.left_out.begin(), found.left_out.end()};
  reading.demands.clear();
  for (const std::string& question : found.questions) {
    Part part = part_of(question);
    look_up_names(part.intent, sources.search);
    Reading& own = reading.parts.emplace_back();
    own.question = FrozenText(question);
    own.intent = freeze(std::move(part.intent));
    own.demands = std::move(part.demands);
    for (const Demand& demand : own.demands) add_demand(reading.demands, demand);
  }
}

// All but what the question asks for: where it stands, and what has been said and retrieved.
Reading gather(const std::vector<Message>& messages, const SharedList<Receipt>& receipts,
               const KnowledgeStore& store) {
  Reading reading;
  for (size_t i = 0; i < messages.size(); ++i)
    if (messages[i].role == Role::kUser) reading.place = i;
  const auto question = messages.begin() + static_cast<ptrdiff_t>(reading.place);
  reading.question = FrozenText(question->content);
  reading.conversation = Conversation(turns_of(std::span(messages).first(reading.place), receipts),
                                      documents_of(store));
  for (auto m = question + 1; m != messages.end(); ++m) {
    if (m->role != Role::kTool) continue;
    reading.has_calls = true;
    for (const Receipt& receipt : receipts) {
      if (receipt.call != m->tool_call_id) continue;
      reading.receipts.push_back(receipt);
      // A failure has no result but its text, which the message alone keeps.
      if (receipt.status == ReceiptStatus::kError) reading.receipts.back().text = m->content;
    }
  }
  return reading;
}

// Reads the question in passes, in this order. Each fills what the later ones need and says why in
// the intent's cues; nothing is asked of a source that a word of the question does not call for.
//
// The forms of words, the type and the names that only sources know are read together
// (understanding.h), since a name decides of which type a question is: "memory of route-engine?".
class ReadingPasses {
 public:
  // `said`: the question. It outlives the passes.
  ReadingPasses(Reading& reading, const std::string& said, const Sources& sources,
                const Policy& policy, TimePoint now)
      : reading_(reading),
        said_(said),
        sources_(sources),
        policy_(policy),
        context_{{sources.search.catalogue(), now,
                  [&store = sources.store](std::string_view id) {
                    const auto found = store.find(id);
                    return found && found->has_value();
                  }},
                 sources.intents,
                 sources.live.metrics != nullptr,
                 [&search = sources.search](std::string_view word) {
                   return is_written(word, search);
                 }} {}

  void read() {
    spell();
    refer();
    ask_for_documents();
    understand();
    resolve();
    take_apart();
    freeze();
  }

 private:
  // A word that nothing knows, and that one letter makes known.
  void spell() { spelled_ = read_spelling(said_, dictionary_of(sources_, context_.now)); }

  // What the conversation makes of it. Told to do something, what is asked is how it is done.
  void refer() {
    order_ = read_order(spelled_.question);
    asked_ = resolve_reference(order_ ? order_->question : spelled_.question, reading_.conversation,
                               context_);
  }

  // "Is there a runbook for it?", "runbook?": what "it" is belongs into the search.
  void ask_for_documents() {
    const AskedDocuments documents = find_asked_documents(ascii_lower(said_));
    if (documents.kinds.empty()) return;
    const auto& focuses = reading_.conversation.focuses();
    const LiveFocus* live = reading_.conversation.leading_live();
    const bool one = documents.all && documents.one;
    std::vector<std::string>& ids = documents_on_;
    ids = asked_.ids;
    if (ids.empty() && one && live == nullptr && !focuses.empty()) ids = {focuses.back()};
    if (ids.empty() && one && live != nullptr) {
      asked_.question = fmt::format("{}\nabout {} {}", said_, focus_phrase(*live), live->service);
      asked_.why = "documents on " + focus_phrase(*live);
      asked_.live = focus_phrase(*live);
    }
    if (!ids.empty()) {
      asked_.question = said_ + "\nabout " + titles_of(reading_.conversation, ids);
      asked_.why = "documents on " + join(ids, ", ");
      asked_.ids.clear();
      asked_.document.clear();
    }
  }

  void understand() {
    OpenIntent& intent = intent_;
    intent = precedent::understand(asked_, context_, sources_);
    if (!spelled_.note.empty())
      intent.taken_for =
          intent.taken_for.empty() ? spelled_.note : spelled_.note + " " + intent.taken_for;
    intent.documents.incidents = std::move(documents_on_);
    if (order_) intent.order = order_->verb;
    if (!intent.order.empty()) intent.cues.push_back("order: " + intent.order);
  }

  // What the policy demands of such a question, and what only sources know of its systems and
  // names.
  void resolve() {
    reading_.demands = demanded(intent_, sources_, policy_);
    look_up_names(intent_, sources_.search);
  }

  // A message that asks several things.
  void take_apart() {
    if (!order_ && intent_.live.empty() && intent_.recall == Recall::kNothing &&
        intent_.candidates.empty())
      take_parts(reading_, intent_, context_, sources_, policy_);
  }

  // From here on nobody reads the text.
  void freeze() {
    if (intent_.follow_up) reading_.narrowing = read_narrowing(said_);
    if (is_unread_script(said_))
      reading_.unread = unread_script_note(things_named(said_, context_.catalogue, context_.now));
    reading_.intent = precedent::freeze(std::move(intent_));
  }

  Reading& reading_;
  const std::string& said_;
  const Sources& sources_;
  const Policy& policy_;
  const IntentContext context_;
  Spelled spelled_;
  std::optional<GivenOrder> order_;
  Reference asked_;
  OpenIntent intent_;
  std::vector<std::string> documents_on_;  // the incidents that they are asked for
};

KeptQuestion keep_question(const Reading& reading) {
  return {reading.question, reading.intent, reading.demands};
}

void take(const KeptQuestion& kept, Reading& reading) {
  reading.question = kept.question;
  reading.intent = kept.intent;
  reading.demands = kept.demands;
}

}  // namespace

void take_demands(Reading& reading, const Sources& sources, const Policy& policy) {
  reading.demands = demanded(reading.intent, sources, policy);
}

void take_reasons(std::vector<Receipt>& receipts, const std::vector<KeptCall>& calls) {
  for (const KeptCall& kept : calls) {
    const auto receipt = std::ranges::find(receipts, kept.call, &Receipt::call);
    if (receipt == receipts.end()) continue;
    CallReason& reason = receipt->reason;
    if (reason.purpose.empty()) {
      reason = kept.reason;
      continue;
    }
    for (const size_t part : kept.reason.parts)
      if (std::ranges::find(reason.parts, part) == reason.parts.end()) reason.parts.push_back(part);
  }
}

std::string titles_of(const Conversation& conversation, const std::vector<std::string>& ids) {
  std::vector<std::string> titles;
  for (const std::string& id : ids)
    if (const Remembered* r = conversation.find(id)) titles.push_back(r->incident.title);
  return join(titles, "\n");
}

KeptReading keep(const Reading& reading) {
  KeptReading kept{.place = reading.place,
                   .whole = keep_question(reading),
                   .narrowing = reading.narrowing,
                   .unread = reading.unread,
                   .left_out = reading.left_out,
                   .calls = reading.calls};
  for (const Reading& part : reading.parts) kept.parts.push_back(keep_question(part));
  return kept;
}

Reading read_conversation(const std::vector<Message>& messages, const SharedList<Receipt>& receipts,
                          const Sources& sources, const Policy& policy, TimePoint now,
                          const KeptReading& kept) {
  Reading reading = gather(messages, receipts, sources.store);
  if (kept.place != reading.place || kept.whole.question != reading.question) {
    ReadingPasses(reading, messages[reading.place].content, sources, policy, now).read();
    return reading;
  }
  take(kept.whole, reading);
  reading.narrowing = kept.narrowing;
  reading.unread = kept.unread;
  for (const KeptQuestion& part : kept.parts) take(part, reading.parts.emplace_back());
  reading.left_out = kept.left_out;
  reading.calls = kept.calls;
  take_reasons(reading.receipts, reading.calls);
  return reading;
}

}  // namespace precedent
