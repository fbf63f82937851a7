#include "agent/compose/offline_reasoner.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agent/compose/compose.h"
#include "agent/compose/compose_writer.h"
#include "agent/compose/explanation.h"
#include "agent/converse/recollection.h"
#include "agent/evidence/evidence.h"
#include "agent/plan/call_ids.h"
#include "agent/plan/call_reasons.h"
#include "agent/plan/plan_live.h"
#include "agent/sources/asked_metrics.h"
#include "agent/sources/known_systems.h"
#include "agent/sources/unknown_names.h"
#include "agent/understand/freeze.h"
#include "agent/understand/named_document.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

constexpr size_t kExplainedEvidence = 8;

std::string figure(const std::optional<float>& value) {
  return value ? fmt::format("{:.2f}", *value) : "–";
}

// Streams the answer piece by piece, as a model would.
void say(const std::string& text, ModelContext& context) {
  size_t from = 0;
  while (from < text.size()) {
    const size_t space = text.find_first_of(" \n", from);
    const size_t to = space == std::string::npos ? text.size() : space + 1;
    context.events.emit({Event::Type::kToken, text.substr(from, to - from), context.node});
    from = to;
  }
}

bool was_made(const ToolCall& wanted, const std::vector<Receipt>& receipts) {
  return std::ranges::any_of(receipts, [&](const Receipt& receipt) {
    return receipt.tool == wanted.name && receipt.args == wanted.args;
  });
}

// Whether a name is in the code, series or changes that were found.
bool is_held(const std::string& name, const Receipt& receipt) {
  if (const auto* metric = std::get_if<MetricsResult>(&receipt.result))
    return metric->metric == name || (metric->summary && metric->expression.contains(name));
  if (const auto* changes = std::get_if<ChangesResult>(&receipt.result))
    return std::ranges::any_of(changes->changes, [&](const Change& change) {
      return std::ranges::any_of(change.services,
                                 [&](const std::string& own) { return iequals(own, name); });
    });
  const auto* code = std::get_if<CodeResult>(&receipt.result);
  return code != nullptr && std::ranges::any_of(code->items, [&](const CodeItem& item) {
           return item.excerpt.contains(name);
         });
}

// Whether it is a word of the name of a metric: "sms" of sms_backlog.
bool is_measured(const std::string& name, const std::vector<MetricName>& metrics) {
  const Analyzer analyzer;
  const std::vector<std::string> asked = analyzer.terms(name);
  if (asked.size() != 1) return false;
  const auto holds = [&](const std::string& metric) {
    const std::vector<std::string> own = analyzer.terms(metric);
    return std::ranges::find(own, asked.front()) != own.end();
  };
  return std::ranges::any_of(
      metrics, [&](const MetricName& metric) { return holds(metric.name) || holds(metric.own); });
}

// Code and metrics know names that no document mentions. Without the index nobody can tell which
// names are unknown; the receipts say that it is missing.
std::vector<std::string> unknown_names(const Intent& intent, const std::vector<Receipt>& receipts,
                                       const Sources& sources) {
  std::vector<std::string> unknown =
      intent.asked.unknown_names.value_or(std::vector<std::string>());
  std::erase_if(unknown, [&](const std::string& name) {
    return std::ranges::any_of(receipts,
                               [&](const Receipt& receipt) { return is_held(name, receipt); });
  });
  if (unknown.empty()) return unknown;
  const std::vector<MetricName> metrics = read_metric_names(sources, intent.now);
  std::erase_if(unknown, [&](const std::string& name) { return is_measured(name, metrics); });
  return unknown;
}

// A name wins over a noun: if the best piece does not mention what the question names, pieces that
// do come first, if one of them answers at least half as well. First those of documents that
// mention it, then those that do so themselves.
void put_named_first(const NamedThings& named, std::vector<Evidence>& evidence) {
  const auto put_first = [&](const auto& mentions) {
    const auto first = std::ranges::find_if(evidence, mentions);
    if (first == evidence.end() || first == evidence.begin() || !is_convincing(*first) ||
        first->score < evidence.front().score / 2)
      return;
    std::ranges::stable_partition(evidence, mentions);
  };
  put_first([&](const Evidence& e) { return named.missing_in(e.source.id).empty(); });
  put_first([&](const Evidence& e) { return named.missing_in(e.source.id, text_of(e)).empty(); });
}

// What a question, or a part of one, is answered with: its evidence, best first, and what it names.
struct Ranked {
  std::vector<Evidence> evidence;
  std::vector<std::string> unknown;
  NamedThings named;
};
// `receipts`: to quote from; `own`: of its calls. `leans`: on something that exists, whatever it
// says.
Result<Ranked> rank(const Intent& intent, const std::vector<Receipt>& receipts, bool leans,
                    const std::vector<Receipt>& own, const Sources& sources) {
  Ranked ranked;
  if (quotes_evidence(intent)) {
    std::vector<Evidence> pieces = collect_evidence(receipts);
    std::erase_if(pieces, [&](const Evidence& e) { return e.source.id == intent.except; });
    ranked.evidence = TRY(rank_evidence(intent, std::move(pieces), sources.search));
  }
  // A line of a log may name anything; a message that was found word for word is known, whatever
  // else the line names.
  const bool of_live = intent.asked.says_live;
  if (!leans && !of_live && !intent.signals.log_line && pasted_message(ranked.evidence) == nullptr)
    ranked.unknown = unknown_names(intent, own, sources);
  if (ranked.unknown.empty() && !of_live && !intent.signals.log_line) {
    auto named = find_holders(intent.asked.things, sources.search);
    if (named) ranked.named = std::move(*named);
    put_named_first(ranked.named, ranked.evidence);
  }
  return ranked;
}

}  // namespace

void OfflineReasoner::decide(const Reading& reading) {
  answer_.intent = reading.intent;
  for (const std::string& cue : answer_.intent.cues) answer_.explain.push_back("intent: " + cue);
  const Intent& intent = answer_.intent;
  const bool planned = was_called(reading, false);
  if (intent.recall != Recall::kNothing) {
    answer_.remembered = recollect_live(reading.conversation);
    answer_.explain.push_back("memory: " + intent.live + " was read before");
    return;
  }
  if (!intent.candidates.empty()) {
    answer_.remembered = recollect(reading.conversation, intent.candidates).receipts;
    return;
  }
  if (!intent.follow_up || intent.type != QuestionType::kLookupIncident) {
    if (!planned) planned_ = whole_plan(reading, parts_.sources, parts_.policy);
    return;
  }
  Recollection recollection = recollect(reading.conversation, intent.ids);
  if (intent.ids.size() > 1) narrow(recollection, reading.narrowing, intent.filter);
  answer_.remembered = std::move(recollection.receipts);
  answer_.chosen = std::move(recollection.chosen);
  Intent rest = intent;
  rest.ids = recollection.unknown;
  rest.times.clear();  // it is known which one is meant
  const bool known = !intent.advice && holds_what_is_asked({answer_.remembered, {}}, intent.asks);
  if (known) rest.asks.steps = rest.asks.person = rest.asks.command = false;
  if (!planned && (!rest.ids.empty() || !known)) {
    std::string more = "\n" + titles_of(reading.conversation, intent.ids);
    // A post-mortem names its incident.
    if (intent.asks.work) more += " " + join(intent.ids, " ");
    rest = asked_with(std::move(rest), more);
    planned_ = plan(rest);
    if (!known && planned_.empty()) planned_ = plan_documents(rest);
  }
  if (!answer_.remembered.empty())
    answer_.explain.push_back("memory: " + join(intent.ids, ", ") + " was retrieved before");
}

Result<void> OfflineReasoner::conclude(const Reading& reading) {
  std::vector<Evidence> evidence;
  TRY(conclude_with(reading, evidence));
  const std::vector<std::string> lines = explanation(answer_, evidence);
  answer_.explain.insert(answer_.explain.begin(), lines.begin(), lines.end());
  return {};
}

Result<void> OfflineReasoner::conclude_with(const Reading& reading,
                                            std::vector<Evidence>& evidence) {
  answer_.receipts = reading.receipts;
  for (const Demand& demand : unmet(reading.demands, reading.receipts))
    answer_.unasked.push_back(not_configured(demand));
  if (answer_.intent.document.empty())
    answer_.intent.document = named_document(
        answer_.intent, answer_.receipts,
        [&](std::string_view name) { return is_system(name, parts_.sources, reading.intent.now); });
  if (answer_.intent.document.empty())
    answer_.intent.document = overview_document(answer_.intent, answer_.receipts);
  if (!reading.parts.empty()) return conclude_parts(reading);
  if (answer_.intent.recall != Recall::kNothing || !answer_.intent.candidates.empty()) {
    compose(answer_, {}, {});
    return {};
  }
  std::vector<Receipt> all = answer_.remembered;
  all.insert(all.end(), answer_.receipts.begin(), answer_.receipts.end());
  const Intent& asked = answer_.intent;
  const bool leans = !answer_.remembered.empty() || !asked.document.empty();
  Ranked ranked = TRY(rank(asked, all, leans, answer_.receipts, parts_.sources));
  evidence = std::move(ranked.evidence);
  answer_.named = std::move(ranked.named);
  compose(answer_, evidence, ranked.unknown);
  for (size_t i = 0; i < std::min(evidence.size(), kExplainedEvidence); ++i) {
    const Evidence& e = evidence[i];
    answer_.explain.push_back(fmt::format(
        "evidence {:.3f} (words {:.2f}, meaning {}, answers {}) {}: {}", e.score, e.coverage,
        figure(e.cosine), figure(e.answers), e.source.id, utf8_prefix(e.quote, 100)));
  }
  return {};
}

Result<void> OfflineReasoner::conclude_parts(const Reading& reading) {
  Reading served = reading;
  take_reasons(served.receipts, reasons_of(planned_, {}, served.receipts));
  std::vector<AnswerPart> parts;
  for (size_t i = 0; i < served.parts.size(); ++i) {
    Reading own = part_of(served, i);
    AnswerPart part{.intent = std::move(own.intent), .receipts = std::move(own.receipts)};
    Ranked ranked = TRY(rank(part.intent, part.receipts, false, part.receipts, parts_.sources));
    part.evidence = std::move(ranked.evidence);
    part.unknown = std::move(ranked.unknown);
    part.named = std::move(ranked.named);
    parts.push_back(std::move(part));
  }
  compose_parts(answer_, parts, reading.left_out);
  return {};
}

std::vector<ToolCall> OfflineReasoner::next_calls(const Reading& reading) {
  if (was_called(reading, true)) return {};
  const bool again = was_called(reading, false);
  if (again) planned_ = plan_again(reading, parts_.sources, parts_.policy);
  std::vector<ToolCall> calls;
  for (const PlannedCall& call : planned_) {
    ToolCall wanted{call_id(reading, again, calls.size() + 1), call.tool(), arguments_of(call)};
    if (!was_made(wanted, reading.receipts)) calls.push_back(std::move(wanted));
  }
  return calls;
}

Result<ModelReply> OfflineReasoner::complete(const ModelRequest&, ModelContext& context) {
  TRY(context.cancel.check());
  answer_ = {};
  planned_.clear();
  const Reading& reading = parts_.reading;
  decide(reading);
  ModelReply reply;
  reply.model = name();
  reply.message.tool_calls = next_calls(reading);
  std::vector<PlannedCall> plan = planned_calls(reading.receipts);
  plan.insert(plan.end(), planned_.begin(), planned_.end());
  for (const PlannedCall& call : plan)
    if (!call.purpose.empty())
      answer_.explain.push_back(fmt::format("plan: {} ({})", call.tool(), call.purpose));
  if (!reply.message.tool_calls.empty()) {
    reply.stop = StopReason::kToolCalls;
    return reply;
  }
  TRY(conclude(reading));
  reply.message.content = answer_.text;
  say(reply.message.content, context);
  return reply;
}

}  // namespace precedent
