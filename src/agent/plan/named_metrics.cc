#include "agent/plan/named_metrics.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "agent/evidence/own_runbooks.h"
#include "agent/understand/system_words.h"
#include "telemetry/query/resolve_metric.h"

namespace precedent {
namespace {

constexpr size_t kMaxMetrics = 2;
constexpr std::chrono::days kLately{7};
constexpr std::chrono::seconds kPatience{3};

// The id of the runbook of the system that fits best; "" if none was found.
std::string best_runbook(const std::vector<Receipt>& receipts, const std::string& service) {
  const std::vector<std::string> systems = systems_of_documents({service}, receipts);
  const auto first = [&](const std::vector<KnowledgeItem>& items) -> std::string {
    const auto item = std::ranges::find_if(items, [&](const KnowledgeItem& one) {
      return one.kind == Kind::kRunbook && is_written_for(one, systems);
    });
    return item == items.end() ? "" : item->id;
  };
  std::string id;
  for (const Receipt& receipt : receipts) {
    if (!id.empty()) break;
    if (const auto* found = std::get_if<KnowledgeResult>(&receipt.result)) id = first(found->items);
    if (const auto* found = std::get_if<SectionsResult>(&receipt.result))
      id = first(found->sections);
  }
  return id;
}

// What may be the name of a metric: "db_pool_in_use".
std::vector<std::string> identifiers(const std::string& text) {
  static const RE2 kIdentifier("\\b([a-zA-Z][a-zA-Z0-9]*(?:[_:][a-zA-Z0-9]+)+)\\b");
  std::vector<std::string> found;
  re2::StringPiece rest(text);
  for (std::string name; RE2::FindAndConsume(&rest, kIdentifier, &name);)
    if (std::ranges::find(found, name) == found.end()) found.push_back(name);
  return found;
}

bool was_asked(const std::vector<Receipt>& receipts, const std::string& metric) {
  return std::ranges::any_of(receipts, [&](const Receipt& receipt) {
    const auto* result = std::get_if<MetricsResult>(&receipt.result);
    return result != nullptr && (result->metric == metric || result->expression.contains(metric));
  });
}

}  // namespace

std::vector<NamedMetric> metrics_in_runbooks(const Reading& reading, const Sources& sources) {
  const LiveSources& live = sources.live;
  if (live.metrics == nullptr || live.metrics_config == nullptr) return {};
  // Without a system it is unknown whose runbook it is.
  const std::set<std::string> words = system_words(reading.intent);
  const std::string id =
      words.empty() ? "" : best_runbook(reading.receipts, reading.intent.service);
  if (id.empty()) return {};
  const auto document = sources.store.find(id);
  if (!document || !*document) return {};
  const std::vector<std::string> names = identifiers((*document)->body);
  if (names.empty()) return {};
  const CancelToken never;
  const SourceContext context{never, std::chrono::steady_clock::now() + kPatience};
  const auto catalogue = live.metrics->catalogue(context);
  if (!catalogue) return {};
  const Instant now = std::min<Instant>(
      reading.intent.now, live.metrics->frozen_at().value_or(Instant(reading.intent.now)));
  std::vector<NamedMetric> found;
  for (const std::string& name : names) {
    if (found.size() >= kMaxMetrics) break;
    const auto known =
        std::ranges::find_if(live.metrics_config->names, [&](const MetricTemplate& one) {
          return one.name == name || std::ranges::find(one.metrics, name) != one.metrics.end();
        });
    const std::string metric = known == live.metrics_config->names.end() ? name : known->name;
    if (was_asked(reading.receipts, metric) || was_asked(reading.receipts, name)) continue;
    const auto asked = resolve_metric({.metric = metric}, *live.metrics_config, *catalogue);
    if (!asked || asked->labels_of.metric.empty()) continue;
    const auto series =
        live.metrics->series({asked->labels_of.metric}, now - kLately, now, context);
    if (!series || series->empty()) continue;
    NamedMetric one{metric};
    const auto own = std::ranges::find_if(*series, [&](const LabelSet& labels) {
      return naming_label(labels, words) != labels.end();
    });
    if (own != series->end()) {
      const auto label = naming_label(*own, words);
      one.filter = label->first + "=" + label->second;
    } else if (series->size() > 1) {
      continue;  // of other systems
    }
    if (std::ranges::none_of(found, [&](const NamedMetric& f) { return f.metric == metric; }))
      found.push_back(std::move(one));
  }
  return found;
}

}  // namespace precedent
