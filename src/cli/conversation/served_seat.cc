#include "cli/conversation/served_seat.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agent/turn/request_records.h"
#include "base/hash.h"
#include "cli/conversation/suggestions.h"
#include "graph/prefixed_checkpointer.h"
#include "tools/all_tools.h"

namespace precedent {
namespace {

LiveSources within_scope(LiveSources live, const Scope& scope) {
  if (!scope.services.empty()) return {};
  // A commit shows code.
  if (!scope.sees(Kind::kCode)) live.changes = nullptr;
  return live;
}

// What the names of somebody's threads begin with. No id of a client and no name of a token has a
// ':' or '/', so nobody's prefix begins with another's. What was found in one scope is not told in
// another: each has threads of its own.
std::string prefix_of(const Caller& caller) {
  std::string prefix;
  if (!caller.scope.everything())
    prefix = fmt::format("scope/{:016x}/", hash64(canonical_text(caller.scope)));
  if (caller.signed_in_by == "oidc") prefix += "oidc/";
  for (const char c : caller.name)
    prefix += c == ':' || c == '%' || c == '/' ? fmt::format("%{:02X}", c) : std::string(1, c);
  return prefix + ":";
}

}  // namespace

Result<std::unique_ptr<ServedSeat>> ServedSeat::open(const SeatParts& parts, const Caller& caller) {
  std::unique_ptr<ServedSeat> seat(new ServedSeat(parts, caller));
  seat->live_ = within_scope(parts.live, caller.scope);
  seat->tools_ = tools_for(seat->live_);
  seat->threads_ = parts.threads;
  if (!caller.name.empty() && seat->threads_ != nullptr) {
    seat->prefixed_ = std::make_unique<PrefixedCheckpointer>(*seat->threads_, prefix_of(caller));
    seat->threads_ = seat->prefixed_.get();
  }
  std::shared_ptr<const KnowledgeBase> view = TRY(parts.views.of(caller.scope));
  seat->keeper_ = TRY(seat->place_over(std::move(view)));
  const MutexLock lock(seat->mutex_);
  seat->place_ = seat->keeper_;
  return seat;
}

Result<std::shared_ptr<const ServedSeat::Place>> ServedSeat::place_over(
    std::shared_ptr<const KnowledgeBase> base) const {
  auto place = std::make_shared<Place>();
  place->knowledge = std::move(base);
  const bool scoped = !caller_.scope.everything();
  // What other servers know is in nobody's scope.
  CopilotServices services =
      parts_.services(*place->knowledge, scoped ? tools_ : parts_.model_tools, live_);
  services.scoped = scoped;
  place->copilot = TRY(Copilot::create(services, threads_));
  return place;
}

std::shared_ptr<const ServedSeat::Place> ServedSeat::place() const {
  auto base = parts_.views.of(caller_.scope);
  const MutexLock lock(mutex_);
  if (!base || *base == place_->knowledge) return place_;
  if (auto anew = place_over(std::move(*base))) place_ = std::move(*anew);
  return place_;
}

AskOptions ServedSeat::own(const AskOptions& options) const {
  AskOptions kept = options;
  kept.durability = parts_.durability;
  // Whoever signed in is nobody else.
  if (!caller_.name.empty()) kept.user = caller_.name;
  return kept;
}

Reply ServedSeat::ask(const Question& question, const AskOptions& options, const Clock& clock,
                      EventSink& events, const CancelToken& cancel) {
  const auto held = place();
  return parts_.logged(
      [&] { return held->copilot->ask(question, own(options), clock, events, cancel); },
      [&] { return question.text; });
}

Reply ServedSeat::resume(const AskOptions& options, const Clock& clock, EventSink& events,
                         const CancelToken& cancel) {
  const auto held = place();
  return parts_.logged([&] { return held->copilot->resume(own(options), clock, events, cancel); },
                       [&] {
                         const auto state = held->copilot->graph().state(options.thread);
                         return state ? last_question_text(*state) : std::string();
                       });
}

Receipt ServedSeat::call_tool(const Tool& tool, const nlohmann::json& args,
                              const CancelToken& cancel) {
  const auto held = place();
  NullSink events;
  ToolContext context{held->knowledge->search(), held->knowledge->store(), parts_.clock, events};
  context.conditions = held->knowledge->reader(AdapterKind::kConditions);
  context.live = live_;
  context.cancel = &cancel;
  return tool.call(args, context, "R1");
}

std::vector<std::string> ServedSeat::suggestions() const {
  return suggested_questions(place()->knowledge->store(), parts_.clock.now());
}

KnowledgeView ServedSeat::knowledge() const {
  const auto held = place();
  return {held, held->knowledge->search(), held->knowledge->store()};
}

}  // namespace precedent
