// Follow-ups on a system whose answer earlier calls have returned: when it began, what was changed
// before, by whom, in which code.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "agent/compose/compose_parts.h"
#include "agent/evidence/hypothesis.h"
#include "agent/evidence/releases.h"
#include "agent/language/fixed_phrases.h"
#include "base/strings.h"
#include "tools/present.h"

namespace precedent {
namespace {

constexpr size_t kMaxChanges = 6;
// Enough changes to reach past flags and settings to the last deploy.
constexpr size_t kMostLooked = 50;

void tell_not_found(Writer& out, const std::string& what) {
  const std::string sentence = not_found(what + ".");
  out.line(sentence);
  out.missing(sentence);
}

bool is_same_release(const Change& a, const Change& b) {
  return is_release(a) && is_release(b) && !a.version.empty() && a.version == b.version &&
         a.services == b.services;
}

// The suspected change and the commits that it brought; without one the last release before what
// began, and the commits since the one before that.
std::vector<ShownChange> suspected(const Answer& answer, const Onset* onset) {
  const auto suspect = find_suspect(answer.receipts, onset, suspected_service(answer, onset), {});
  std::vector<ShownChange> found;
  bool released = false;
  for (const ShownChange& shown : changes_of(answer, kMostLooked)) {
    const Change& change = *shown.change;
    if (suspect) {
      // Of several records of a release, the one that says most.
      const bool brought = std::ranges::any_of(
          suspect->commits, [&](const Change* commit) { return commit->id == change.id; });
      if (brought || change.id == suspect->change->id || is_same_release(change, *suspect->change))
        found.push_back(shown);
      continue;
    }
    if (onset != nullptr && change.at > onset->at()) continue;
    if (is_release(change) && released) break;
    released |= is_release(change);
    if (is_release(change) || (released && change.kind == ChangeKind::kCommit))
      found.push_back(shown);
  }
  return found;
}

void tell_author(const Answer& answer, Writer& out, const Onset* onset) {
  const auto changes = suspected(answer, onset);
  for (const ShownChange& shown : changes) tell_whole(out, shown);
  if (changes.empty()) tell_not_found(out, "a deploy before it in the record of changes");
}

void tell_changes(const Answer& answer, Writer& out, const Onset* onset) {
  std::vector<ShownChange> changes = changes_of(answer, kMostLooked);
  if (onset != nullptr)
    std::erase_if(changes, [&](const auto& shown) { return shown.change->at > onset->at(); });
  if (changes.size() > kMaxChanges) changes.resize(kMaxChanges);
  if (changes.empty()) return tell_not_found(out, "a change before it in the record of changes");
  out.line(onset == nullptr ? "**What changed**"
                            : "**What changed before it began**, newest first");
  for (const ShownChange& shown : changes) tell_whole(out, shown);
}

void tell_comparison(const Answer& answer, Writer& out) {
  const std::optional<int> wanted = answer.intent.qualifiers.compared_days;
  const std::string live = ascii_lower(answer.intent.live);
  std::set<std::string> told;
  auto results = results_of<MetricsResult>(answer);
  std::ranges::reverse(results);  // the time that was asked about last
  for (const auto& [receipt, metric] : results) {
    std::string said = metric->metric;
    std::ranges::replace(said, '_', ' ');
    const bool meant = live.contains(said) || live.contains(metric->metric);
    if (!metric->summary || !meant || told.contains(metric->metric)) continue;
    std::string text = fmt::format("- **{}**:", metric->metric);
    bool compared = false;
    for (const WindowComparison& other : metric->comparisons) {
      if (wanted && metric->from - other.from != std::chrono::days(*wanted)) continue;
      const std::string mean = format_metric_value(other.mean, metric->unit);
      text += compared ? ", " : " ";
      text += other.ratio ? fmt::format("its mean is {:.3g}× that of {} ({})", *other.ratio,
                                        other.what, mean)
                          : fmt::format("{}: {}", other.what, mean);
      compared = true;
    }
    if (!compared) continue;
    told.insert(metric->metric);
    out.line(fmt::format(
        "{} {}", text,
        out.cite({metric->metric, metric->expression, "metric", metric->source, {}, receipt->id})));
  }
  if (told.empty())
    tell_not_found(out, fmt::format("values to compare with, of {}", answer.intent.live));
}

// What the commits of the suspected release touched, and how it reads now.
void tell_code(Answer& answer, Writer& out, const Onset* onset) {
  std::vector<ShownChange> commits = suspected(answer, onset);
  std::erase_if(commits, [](const auto& s) { return s.change->kind != ChangeKind::kCommit; });
  for (const ShownChange& commit : commits) tell_whole(out, commit);
  const size_t before = answer.text.size();
  compose_code(answer, out, {});
  if (commits.empty() && answer.text.size() == before)
    tell_not_found(out, "code that was changed before it");
}

void tell_recalled(Answer& answer, Writer& out) {
  const std::optional<Onset> began = onset_of(answer);
  const Onset* onset = began ? &*began : nullptr;
  switch (answer.intent.recall) {
    case Recall::kNothing: return;
    case Recall::kOnset:
      if (onset == nullptr)
        return tell_not_found(out,
                              fmt::format("a moment at which it began, in what was measured: {}",
                                          answer.intent.live));
      tell_onset(out, *onset, answer.intent.now);
      if (onset->episode && onset->episode->until)
        out.line(fmt::format("It lasted {}.",
                             duration_text(std::chrono::duration_cast<std::chrono::minutes>(
                                 *onset->episode->until - onset->episode->from))));
      return;
    case Recall::kAuthor: return tell_author(answer, out, onset);
    case Recall::kChanges: return tell_changes(answer, out, onset);
    case Recall::kComparison: return tell_comparison(answer, out);
    case Recall::kCode: return tell_code(answer, out, onset);
    case Recall::kCause:
      if (onset != nullptr) tell_onset(out, *onset, answer.intent.now);
      const auto suspect =
          find_suspect(answer.receipts, onset, suspected_service(answer, onset), {});
      compose_cause(out, {onset,
                          {},
                          suspect,
                          {},
                          suspect ? find_undone(answer.receipts, *suspect->change) : std::nullopt});
      if (!suspect) tell_not_found(out, "a change that may be behind it");
      return;
  }
}

}  // namespace

void compose_recall(Answer& answer, Writer& out) {
  Answer told;
  told.intent = answer.intent;
  told.receipts = answer.remembered;
  Writer writer(told);
  tell_recalled(told, writer);
  out.take(told);
  // The answer rests on these alone.
  std::erase_if(answer.remembered, [&](const Receipt& receipt) {
    return std::ranges::none_of(told.sources,
                                [&](const Source& s) { return s.receipt == receipt.id; });
  });
}

}  // namespace precedent
