// The part of an answer that says what is likely behind what the metrics did: the incident on
// record of that time, and the change before it.
#include <fmt/format.h>

#include <set>

#include "agent/compose/compose_parts.h"
#include "base/strings.h"
#include "tools/present.h"

namespace precedent {
namespace {

// "p95_latency rose at … from … to …".
std::string onset_phrase(const Onset& onset) {
  const std::string& unit = onset.metric->unit;
  return fmt::format("{} {}", onset.metric->metric,
                     onset.first     ? "was " + format_excursion(*onset.first, unit)
                     : onset.episode ? "was " + format_episode(*onset.episode, unit)
                                     : format_change(*onset.change, unit));
}

void tell_recorded(Writer& out, const Recorded& recorded) {
  const Incident& incident = recorded.item->incident;
  std::string text = fmt::format("- Hypothesis: it is the incident \"{}\", opened at {}",
                                 incident.title, format_time(*incident.opened_at));
  if (incident.resolved_at)
    text += fmt::format(", resolved at {}", format_time(*incident.resolved_at));
  if (!incident.root_cause.empty()) text += fmt::format("; its cause: {}", incident.root_cause);
  out.line(fmt::format("{} {}", text,
                       out.cite({incident.incident_id,
                                 incident.title,
                                 "incident",
                                 recorded.item->path,
                                 {},
                                 recorded.receipt->id})));
}

void tell_suspect(Writer& out, const Suspect& suspect, const Onset* onset) {
  std::string text = "- Hypothesis: " + suspect.change->title;
  if (onset == nullptr) {
    text += " is the last change of it; whether it is behind it was not measured";
  } else {
    const auto lead =
        std::chrono::duration_cast<std::chrono::minutes>(onset->at() - suspect.change->at);
    text += fmt::format(" is behind it; it came {} before {}",
                        lead.count() < 1 ? "just" : duration_text(lead), onset_phrase(*onset));
  }
  out.line(fmt::format("{} {}", text, out.cite(source_of(*suspect.change, *suspect.receipt))));
  if (suspect.elsewhere)
    out.line(
        "- It is of another service than the one that is asked about: does that depend on it?");
  std::vector<std::string> commits;
  for (const Change* commit : suspect.commits)
    commits.push_back(
        fmt::format("\"{}\" {}", commit->title, out.cite(source_of(*commit, *suspect.receipt))));
  if (!commits.empty())
    out.line(fmt::format("- It brought the commit{} {}", commits.size() == 1 ? "" : "s",
                         join(commits, ", ")));
}

std::string how(const Moved& moved) {
  if (moved.appeared) return "new";
  if (moved.against.empty() && !moved.metric->now_against.empty()) {
    const NowAgainst& then = moved.metric->now_against.front();
    return fmt::format("{} {:.3g}× {}", moved.metric->silence.empty() ? "now" : "at last",
                       then.ratio, then.what);
  }
  if (moved.against.empty()) return "changed";
  return fmt::format("mean {:.3g}× {}", moved.factor, moved.against);
}

}  // namespace

void tell_undone(Writer& out, const Suspect& suspect, const Undone& undone, const Onset* onset) {
  std::string text = fmt::format(
      "{}, which may be behind it {}, was undone at {}: {} {}", suspect.change->title,
      out.cite(source_of(*suspect.change, *suspect.receipt)), format_time(undone.change->at),
      undone.change->title, out.cite(source_of(*undone.change, *undone.receipt)));
  if (onset != nullptr)
    text += fmt::format("; {} {}", course_after(*onset->metric, undone.change->at),
                        out.cite(source_of(*onset->metric, *onset->receipt)));
  out.line(text);
}

void compose_cause(Writer& out, const Causes& causes) {
  const auto& [onset, moved, suspect, recorded, undone] = causes;
  if (!suspect && !recorded) return;
  out.gap();
  out.line("**Likely cause** (a hypothesis, not proved)");
  if (recorded) tell_recorded(out, *recorded);
  if (!suspect) return;
  tell_suspect(out, *suspect, onset);
  std::vector<std::string> names;
  std::set<std::string> named;
  for (const Moved& m : moved)
    if (named.insert(metric_label(*m.metric)).second)
      names.push_back(fmt::format("{} ({}) {}", metric_label(*m.metric), how(m),
                                  out.cite(source_of(*m.metric, *m.receipt))));
  if (!names.empty()) out.line("- Moved with it: " + join(names, ", "));
  for (const Evidence* told : suspect->told)
    out.quotation("- What is written about such causes: ", told->quote,
                  " " + out.cite(told->source), told->source);
  // Nobody is told to undo what was undone.
  if (undone) return;
  out.note(
      "- To prove or refute it: undo it where that is safe, and "
      "watch these metrics.");
}

}  // namespace precedent
