#include "agent/evidence/hypothesis.h"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "agent/evidence/releases.h"
#include "agent/understand/system_words.h"
#include "base/strings.h"
#include "search/self_query.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

// The factor against the same time of another day, which differs anyway.
constexpr double kMovedSinceDays = 2;
// A change longer before is only one of many.
constexpr std::chrono::hours kLongestLead{6};
// How many lines about causes are quoted from documents beside a suspect.
constexpr size_t kMaxTold = 2;
bool acts_on_production(const Change& change) {
  return change.kind != ChangeKind::kCommit && change.kind != ChangeKind::kTag;
}

// Two records of one release: its deploy, and the version that the service then reported.
bool same_release(const Change& a, const Change& b) {
  return a.kind != b.kind && !a.version.empty() && a.version == b.version;
}

bool is_of(const Change& change, const std::string& service) {
  return std::ranges::find(change.services, service) != change.services.end();
}

// Whether only the time of day differs: the hours before were different, and the same time of
// another day was as now.
bool is_as_other_days(const MetricsResult& metric) {
  if (metric.comparisons.empty()) return false;
  const auto& before = metric.comparisons.front();
  if ((metric.from - before.from) % std::chrono::days(1) == std::chrono::milliseconds(0))
    return false;
  return std::any_of(metric.comparisons.begin() + 1, metric.comparisons.end(),
                     [](const WindowComparison& other) {
                       return other.ratio && factor_between(1, *other.ratio) < kMovedFactor;
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

Direction asked_direction(const Intent& intent) {
  const bool up = intent.qualifiers.rising;
  const bool down = intent.qualifiers.falling;
  if (up != down) return up ? Direction::kUp : Direction::kDown;
  const Signals& s = intent.signals;
  return !up && (s.latency || s.errors || s.saturation) ? Direction::kUp : Direction::kAny;
}

std::vector<Moved> find_moved(const std::vector<Receipt>& receipts, const Onset* onset) {
  std::vector<Moved> moved;
  for (const Receipt& receipt : receipts) {
    const auto* metric = std::get_if<MetricsResult>(&receipt.result);
    if (metric == nullptr || !metric->summary) continue;
    if (onset != nullptr && metric == onset->metric) continue;
    Moved m{&receipt, metric, 1};
    const bool as_other_days = is_as_other_days(*metric);
    for (const WindowComparison& comparison : metric->comparisons) {
      const bool before = &comparison == &metric->comparisons.front();
      const double clear = before ? kMovedFactor : kMovedSinceDays;
      if (before && as_other_days) continue;
      if (!comparison.ratio || factor_between(1, *comparison.ratio) < clear) continue;
      if (factor_between(1, *comparison.ratio) <= factor_between(1, m.factor)) continue;
      m.factor = *comparison.ratio;
      m.against = comparison.what;
    }
    const bool level = std::ranges::any_of(metric->changes, [&](const ChangePoint& change) {
      return change.at >= metric->from &&
             factor_between(change.before, change.after) >= kMovedFactor;
    });
    m.appeared = metric->comparisons.empty();
    if (level || !metric->episodes.empty() || m.appeared ||
        factor_between(1, m.factor) >= kMovedFactor)
      moved.push_back(m);
  }
  std::ranges::stable_sort(moved, std::greater<>(),
                           [](const Moved& m) { return factor_between(1, m.factor); });
  return moved;
}

std::optional<Recorded> find_recorded(const std::vector<Receipt>& receipts, const Onset& onset,
                                      const std::set<std::string>& words, TimePoint now) {
  constexpr std::chrono::hours kAround{1};
  const Instant begin = onset.at();
  const Instant end = onset.episode && onset.episode->until ? *onset.episode->until : begin;
  std::optional<Recorded> nearest;
  std::chrono::milliseconds distance = std::chrono::milliseconds::max();
  for (const Receipt& receipt : receipts) {
    const auto* incidents = std::get_if<IncidentsResult>(&receipt.result);
    if (incidents == nullptr) continue;
    for (const IncidentItem& item : incidents->incidents) {
      const Incident& incident = item.incident;
      // A date without a time of day gives no hour.
      if (!incident.opened_at ||
          *incident.opened_at == std::chrono::floor<std::chrono::days>(*incident.opened_at))
        continue;
      if (*incident.opened_at < begin - kAround || *incident.opened_at > end + kAround) continue;
      if (incident.resolved_at && *incident.resolved_at < begin) continue;
      // An open incident is what is asked about, not its cause.
      const bool open =
          !incident.resolved_at && !incident.status.empty() && !is_closed_status(incident.status);
      if (*incident.opened_at > now || (open && *incident.opened_at >= begin)) continue;
      LabelSet named = {{"title", incident.title}, {"application", incident.impacted_application}};
      for (const std::string& service : incident.services) named[service] = service;
      if (!words.empty() && naming_label(named, words) == named.end()) continue;
      const auto apart = std::chrono::abs(Instant(*incident.opened_at) - begin);
      if (apart >= distance) continue;
      distance = apart;
      nearest = Recorded{&receipt, &item};
    }
  }
  return nearest;
}

std::optional<Suspect> find_suspect(const std::vector<Receipt>& receipts, const Onset* onset,
                                    const std::string& service,
                                    const std::vector<Evidence>& evidence) {
  Suspect suspect;
  const auto may_be = [&](const Change& change) {
    if (!acts_on_production(change)) return false;
    if (onset == nullptr) return is_of(change, service);
    const auto lead = onset->at() - change.at;
    if (suspect.elsewhere)
      return is_release(change) && lead >= lead.zero() && lead <= kLongestLeadElsewhere;
    if (lead < lead.zero() || lead > kLongestLead) return false;
    return service.empty() || change.services.empty() || is_of(change, service);
  };
  const ChangesResult* list = nullptr;
  const auto look = [&] {
    for (const Receipt& receipt : receipts) {
      const auto* changes = std::get_if<ChangesResult>(&receipt.result);
      if (changes == nullptr) continue;
      for (const Change& change : changes->changes) {  // newest first
        if (!may_be(change)) continue;
        if (suspect.change != nullptr && suspect.change->at >= change.at) continue;
        suspect.receipt = &receipt;
        suspect.change = &change;
        list = changes;
      }
    }
  };
  look();
  suspect.elsewhere = suspect.change == nullptr && onset != nullptr && !service.empty();
  if (suspect.elsewhere) look();
  if (suspect.change == nullptr) return std::nullopt;
  // If a service reports a new version a minute after a deploy, the deploy is the better record.
  if (const Change* seen = suspect.change; seen->kind == ChangeKind::kVersionSeen) {
    for (const Receipt& receipt : receipts) {
      const auto* changes = std::get_if<ChangesResult>(&receipt.result);
      if (changes == nullptr) continue;
      const auto deploy = std::ranges::find_if(changes->changes, [&](const Change& change) {
        return is_release(change) && same_release(change, *seen) && shares_service(change, *seen) &&
               change.at <= seen->at && seen->at - change.at <= kLongestLead;
      });
      if (deploy == changes->changes.end()) continue;
      suspect.receipt = &receipt;
      suspect.change = &*deploy;
      list = changes;
      break;
    }
  }
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
