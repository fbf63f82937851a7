#include "agent/hypothesis.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/strings.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

constexpr double kMovedFactor = kClearFactor;
// What documents say of causes that is quoted beside a suspect.
constexpr size_t kMaxTold = 2;

double factor(double before, double after) {
  if (before <= 0 || after <= 0) return before == after ? 1 : 1e6;
  return after > before ? after / before : before / after;
}

bool acts_on_production(const Change& change) {
  return change.kind != ChangeKind::kCommit && change.kind != ChangeKind::kTag;
}

// Puts code into operation, unlike a flag or a setting.
bool is_release(const Change& change) {
  return change.kind == ChangeKind::kDeploy || change.kind == ChangeKind::kRollback ||
         change.kind == ChangeKind::kVersionSeen;
}

// Two records of one release: its deploy, and the version that the service then reported.
bool same_release(const Change& a, const Change& b) {
  return a.kind != b.kind && !a.version.empty() && a.version == b.version;
}

bool shares_service(const Change& a, const Change& b) {
  return std::ranges::any_of(a.services, [&](const std::string& service) {
    return std::ranges::find(b.services, service) != b.services.end();
  });
}

// Words of the commits beyond the names of services, which every document on the service holds.
std::set<std::string> telling_terms(const Suspect& suspect, const Analyzer& analyzer) {
  std::set<std::string> terms;
  for (const Change* commit : suspect.commits)
    for (std::string& term : analyzer.terms(commit->title)) terms.insert(std::move(term));
  for (std::string& term : analyzer.terms(suspect.change->title)) terms.insert(std::move(term));
  const auto drop = [&](const std::string& text) {
    for (const std::string& term : analyzer.terms(text)) terms.erase(term);
  };
  for (const std::string& service : suspect.change->services) drop(service);
  drop("deploy release version change update add fix " + suspect.change->version);
  return terms;
}

bool tells_a_cause(const Evidence& piece) {
  const std::string text = ascii_lower(piece.quote + " " + piece.label + " " + piece.context);
  return text.find("caus") != std::string::npos || text.find("because") != std::string::npos ||
         text.find("reason") != std::string::npos;
}

}  // namespace

std::optional<Onset> find_onset(const std::vector<Receipt>& receipts, const Concerns& concerns) {
  std::optional<Onset> spikes;
  for (const Receipt& receipt : receipts) {
    const auto* metric = std::get_if<MetricsResult>(&receipt.result);
    if (metric == nullptr || !metric->summary || !concerns(*metric, receipt)) continue;
    const ChangePoint* largest = nullptr;
    for (const ChangePoint& change : metric->changes) {
      if (change.at < metric->from) continue;
      if (factor(change.before, change.after) < kMovedFactor) continue;
      if (largest == nullptr ||
          factor(change.before, change.after) > factor(largest->before, largest->after))
        largest = &change;
    }
    const std::optional<Excursion>& first = metric->first_unusual;
    if (largest != nullptr) {
      Onset onset{&receipt, metric, *largest, std::nullopt};
      const bool rises = largest->after > largest->before;
      if (first && first->at < largest->at && (first->value > first->bound) == rises)
        onset.first = first;
      return onset;
    }
    if (first && !spikes) spikes = Onset{&receipt, metric, std::nullopt, first};
  }
  return spikes;
}

std::vector<Moved> find_moved(const std::vector<Receipt>& receipts, const Onset* onset) {
  std::vector<Moved> moved;
  for (const Receipt& receipt : receipts) {
    const auto* metric = std::get_if<MetricsResult>(&receipt.result);
    if (metric == nullptr || !metric->summary) continue;
    if (onset != nullptr && metric == onset->metric) continue;
    Moved m{&receipt, metric, 1};
    if (!metric->comparisons.empty() && metric->comparisons.front().ratio)
      m.factor = *metric->comparisons.front().ratio;
    const bool level = std::ranges::any_of(metric->changes, [&](const ChangePoint& change) {
      return change.at >= metric->from && factor(change.before, change.after) >= kMovedFactor;
    });
    m.appeared = metric->comparisons.empty();
    if (level || m.appeared || factor(1, m.factor) >= kMovedFactor) moved.push_back(m);
  }
  std::ranges::stable_sort(moved, std::greater<>(),
                           [](const Moved& m) { return factor(1, m.factor); });
  return moved;
}

std::optional<Suspect> find_suspect(const std::vector<Receipt>& receipts, const Onset* onset,
                                    const std::vector<Evidence>& evidence) {
  Suspect suspect;
  const ChangesResult* list = nullptr;
  for (const Receipt& receipt : receipts) {
    const auto* changes = std::get_if<ChangesResult>(&receipt.result);
    if (changes == nullptr) continue;
    for (const Change& change : changes->changes) {  // newest first
      if (!acts_on_production(change) || (onset != nullptr && change.at > onset->at())) continue;
      if (suspect.change != nullptr && suspect.change->at >= change.at) continue;
      suspect.receipt = &receipt;
      suspect.change = &change;
      list = changes;
    }
  }
  if (suspect.change == nullptr) return std::nullopt;
  // The commits since the release before. A rollback, a flag and a setting bring none.
  const bool brings_code = suspect.change->kind == ChangeKind::kDeploy ||
                           suspect.change->kind == ChangeKind::kVersionSeen;
  for (const Change& change : list->changes) {
    if (!brings_code) break;
    if (change.at > suspect.change->at || !shares_service(change, *suspect.change)) continue;
    if (&change == suspect.change || same_release(change, *suspect.change)) continue;
    if (is_release(change)) break;
    if (change.kind == ChangeKind::kCommit) suspect.commits.push_back(&change);
  }
  const Analyzer analyzer;
  const std::set<std::string> terms = telling_terms(suspect, analyzer);
  for (const Evidence& piece : evidence) {
    if (suspect.told.size() >= kMaxTold) break;
    if (!tells_a_cause(piece)) continue;
    const auto words = analyzer.terms(piece.quote);
    if (std::ranges::any_of(words, [&](const std::string& w) { return terms.contains(w); }))
      suspect.told.push_back(&piece);
  }
  return suspect;
}

}  // namespace precedent
