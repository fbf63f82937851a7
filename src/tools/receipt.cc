// Over 400 lines: one function for each type of result, none of which knows another.
#include "tools/receipt.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr std::string_view kOther = "other";

// The groups of search_knowledge, by what a reader does with them.
std::string_view group_of(Kind kind) {
  switch (kind) {
    case Kind::kRunbook:
    case Kind::kPlaybook: return "runbooks";
    case Kind::kPostmortem: return "postmortems";
    case Kind::kArchitecture: return "architecture";
    case Kind::kKnownIssue: return "knownIssues";
    default: return kOther;
  }
}

double rounded(float relevance) { return std::round(relevance * 1000.0) / 1000.0; }

json to_json(const IncidentItem& item) {
  json out = to_json(item.incident);
  out["relevance"] = rounded(item.relevance);
  if (!item.preview.empty()) out["preview"] = item.preview;
  if (!item.path.empty()) out["path"] = item.path;
  return out;
}

json to_json(const IncidentsResult& result) {
  json out = {{"incidents", json::array()}, {"total", result.total}, {"fallback", result.fallback}};
  for (const IncidentItem& item : result.incidents) out["incidents"].push_back(to_json(item));
  if (!result.matched_names.empty()) out["matchedNames"] = result.matched_names;
  if (!result.note.empty()) out["note"] = result.note;
  return out;
}

json to_json(const FiguresResult& result) {
  json out = {
      {"function", result.function},   {"of", result.of},          {"by", result.by},
      {"scope", result.scope},         {"figures", json::array()}, {"left_out", result.left_out},
      {"incidents", result.incidents}, {"without", result.without}};
  for (const IncidentFigure& figure : result.figures) {
    json one = {{"group", figure.group}, {"value", figure.value}, {"incidents", figure.incidents}};
    if (!figure.title.empty()) one["title"] = figure.title;
    out["figures"].push_back(std::move(one));
  }
  if (!result.note.empty()) out["note"] = result.note;
  return out;
}

json item_json(const KnowledgeItem& item) {
  json out = {{"id", item.id},
              {"title", item.title},
              {"type", name(item.kind)},
              {"services", item.services},
              {"relevance", rounded(item.relevance)},
              {"preview", item.preview},
              {"path", item.path}};
  if (item.expired_at) out["expired_at"] = format_time(*item.expired_at);
  if (!item.link.empty()) out["link"] = item.link;
  if (!item.version.empty()) out["version"] = item.version;
  if (item.pointed_to) out["pointed_to"] = true;
  return out;
}

json to_json(const KnowledgeResult& result) {
  json out = {{"runbooks", json::array()},
              {"postmortems", json::array()},
              {"architecture", json::array()},
              {"knownIssues", json::array()}};
  for (const KnowledgeItem& item : result.items)
    out[std::string(group_of(item.kind))].push_back(item_json(item));
  if (!result.note.empty()) out["note"] = result.note;
  return out;
}

json to_json(const SectionsResult& result) {
  json out = {{"sections", json::array()}};
  for (const KnowledgeItem& item : result.sections) {
    json section = item_json(item);
    section["heading"] = item.heading;
    section["excerpt"] = item.text;
    section["url"] = item.path;
    if (item.lines.begin > 0) section["lines"] = to_json(item.lines);
    out["sections"].push_back(std::move(section));
  }
  if (!result.note.empty()) out["note"] = result.note;
  return out;
}

json to_json(const CodeResult& result) {
  json out = {{"results", json::array()}};
  for (const CodeItem& item : result.items) {
    out["results"].push_back({{"repository", item.repository},
                              {"path", item.path},
                              {"lines", to_json(item.lines)},
                              {"excerpt", item.excerpt},
                              {"symbols", item.symbols},
                              {"commit", item.commit},
                              {"language", item.language},
                              {"relevance", rounded(item.relevance)}});
  }
  if (!result.note.empty()) out["note"] = result.note;
  return out;
}

json to_json(const RemoteResult& result) {
  json out = {{"server", result.server}, {"tool", result.tool}};
  out["structured"] = result.structured.empty() ? json() : json_or_text(result.structured);
  if (!result.left_out.empty()) out["leftOut"] = result.left_out;
  return out;
}

json to_json(const GoldenResult& result) {
  json out = {{"examples", json::array()}};
  for (const GoldenItem& item : result.examples) {
    json example = to_json(item.example);
    example["similarity"] = rounded(item.similarity);
    example["lexical"] = item.lexical;
    out["examples"].push_back(std::move(example));
  }
  return out;
}

json to_json(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? json(*number) : json(nullptr);
}

json to_json(const WindowSummary& summary) {
  return {{"points", summary.points}, {"not_a_number", summary.not_a_number},
          {"mean", summary.mean},     {"p95", summary.p95},
          {"min", summary.min},       {"min_at", format_time(summary.min_at)},
          {"max", summary.max},       {"max_at", format_time(summary.max_at)}};
}

json to_json(const WindowComparison& comparison) {
  return {{"what", comparison.what},
          {"from", format_time(comparison.from)},
          {"to", format_time(comparison.to)},
          {"mean", comparison.mean},
          {"max", comparison.max},
          {"difference", comparison.difference},
          {"ratio", to_json(comparison.ratio)}};
}

json to_json(const Episode& episode) {
  return {{"from", format_time(episode.from)},
          {"until", episode.until ? json(format_time(*episode.until)) : json(nullptr)},
          {"usual", episode.usual},
          {"peak", episode.peak},
          {"peak_at", format_time(episode.peak_at)}};
}

json to_json(const Alert& alert) {
  return {{"name", alert.name},
          {"labels", alert.labels},
          {"annotations", alert.annotations},
          {"since", format_time(alert.starts_at)},
          {"suppressed", alert.suppressed}};
}

json to_json(const SeriesPeak& peak) {
  return {{"labels", peak.labels}, {"value", peak.value}, {"at", format_time(peak.at)}};
}

// Points of a chart, where four digits are more than anybody sees.
json chart_json(const std::vector<double>& points) {
  json out = json::array();
  for (const double point : points)
    out.push_back(std::isnan(point) ? json(nullptr)
                                    : json(std::stod(fmt::format("{:.4g}", point))));
  return out;
}

json to_json(const MetricsResult& result) {
  json out = {{"metric", result.metric},
              {"query", result.expression},
              {"source", result.source},
              {"unit", result.unit},
              {"window",
               {{"from", format_time(result.from)},
                {"to", format_time(result.to)},
                {"step_seconds", std::chrono::duration<double>(result.step).count()}}},
              {"current", nullptr},
              {"summary", nullptr},
              {"comparisons", json::array()},
              {"changes", json::array()},
              {"top", json::array()},
              {"series", result.series},
              {"sparkline", result.sparkline},
              {"alerts", json::array()},
              {"alerts_total", result.alerts_total},
              {"notes", result.notes}};
  if (!result.course.empty()) out["course"] = chart_json(result.course);
  if (result.summary) {
    out["current"] = {{"value", result.summary->last},
                      {"at", format_time(result.summary->last_at)}};
    out["summary"] = to_json(*result.summary);
  }
  if (!result.silence.empty()) out["current"]["since"] = result.silence;
  if (!result.combined.empty()) out["combined"] = result.combined;
  if (result.highest) out["highest"] = to_json(*result.highest);
  if (result.lowest) out["lowest"] = to_json(*result.lowest);
  if (result.ceiling) out["ceiling"] = *result.ceiling;
  if (const auto& total = result.total) {
    out["total"] = {{"count", total->count}};
    if (total->of) out["total"]["of"] = *total->of;
  }
  for (const WindowComparison& comparison : result.comparisons)
    out["comparisons"].push_back(to_json(comparison));
  for (const ChangePoint& change : result.changes)
    out["changes"].push_back({{"at", format_time(change.at)},
                              {"before", change.before},
                              {"after", change.after},
                              {"p_value", change.p_value},
                              {"pairs", change.pairs}});
  if (const auto& first = result.first_unusual)
    out["first_unusual"] = {
        {"at", format_time(first->at)}, {"value", first->value}, {"bound", first->bound}};
  for (const NowAgainst& then : result.now_against) {
    json& one = out["now_against"].emplace_back(
        json{{"what", then.what}, {"value", then.value}, {"ratio", then.ratio}});
    if (then.low && then.high) one["low"] = *then.low, one["high"] = *then.high;
  }
  for (const Episode& episode : result.episodes) out["episodes"].push_back(to_json(episode));
  for (const PastAlert& past : result.past_alerts) {
    out["past_alerts"].push_back(to_json(past.alert));
    out["past_alerts"].back()["until"] = format_time(past.ends_at);
  }
  for (const TopSeries& top : result.top)
    out["top"].push_back({{"labels", top.labels},
                          {"mean", top.mean},
                          {"before", to_json(top.before)},
                          {"share", to_json(top.share)}});
  for (const Alert& alert : result.alerts) out["alerts"].push_back(to_json(alert));
  if (!result.nearest.empty()) out["nearest"] = result.nearest;
  return out;
}

struct SourceCollector {
  const std::string& receipt;
  std::vector<Source> sources;

  void operator()(const std::monostate&) {}
  void operator()(const IncidentsResult& result) {
    for (const IncidentItem& item : result.incidents) {
      sources.push_back({item.incident.incident_id,
                         item.incident.title,
                         std::string(name(Kind::kIncident)),
                         item.path,
                         {},
                         receipt,
                         link_of(item.incident.extra),
                         version_of(item.incident.extra)});
    }
  }
  void operator()(const FiguresResult& result) {
    if (!result.figures.empty())
      sources.push_back({receipt, "Figures over the incidents", "figures", {}, {}, receipt});
    for (const IncidentFigure& figure : result.figures) {
      if (figure.title.empty()) continue;
      sources.push_back(
          {figure.group, figure.title, std::string(name(Kind::kIncident)), {}, {}, receipt});
    }
  }
  void operator()(const KnowledgeResult& result) { add(result.items); }
  void operator()(const SectionsResult& result) { add(result.sections); }
  void operator()(const GoldenResult& result) {
    for (const GoldenItem& item : result.examples) {
      const GoldenExample& example = item.example;
      sources.push_back(
          {example.id, example.question, std::string(name(Kind::kGolden)), "", {}, receipt});
      for (Source source : item.cited) {
        source.receipt = receipt;
        sources.push_back(std::move(source));
      }
    }
  }
  void operator()(const ChangesResult& result) { sources = sources_of(result, receipt); }
  void operator()(const MetricsResult& result) {
    if (result.summary)
      sources.push_back({result.metric, result.expression, "metric", result.source, {}, receipt});
    for (const Alert& alert : result.alerts)
      sources.push_back(
          {alert.name, format_labels(alert.labels), "alert", result.alert_source, {}, receipt});
    for (const PastAlert& past : result.past_alerts)
      sources.push_back({past.alert.name,
                         format_labels(past.alert.labels),
                         "alert",
                         result.alert_source,
                         {},
                         receipt});
  }
  void operator()(const CodeResult& result) {
    for (const CodeItem& item : result.items) {
      sources.push_back(
          {item.id, item.path, std::string(name(Kind::kCode)), item.path, item.lines, receipt});
    }
  }
  void operator()(const RemoteResult& result) {
    sources.push_back({result.name, result.tool, "mcp", result.server, {}, receipt});
  }
  void add(const std::vector<KnowledgeItem>& items) {
    for (const KnowledgeItem& item : items) {
      sources.push_back({item.id, item.title, std::string(name(item.kind)), item.path, item.lines,
                         receipt, item.link, item.version});
    }
  }
};

}  // namespace

std::string_view name(ReceiptStatus status) {
  switch (status) {
    case ReceiptStatus::kOk: return "ok";
    case ReceiptStatus::kEmpty: return "empty";
    case ReceiptStatus::kError: return "error";
  }
  return "error";
}

std::string failure_text(std::string_view tool, std::string_view reason) {
  return fmt::format("{} failed: {}", tool, reason);
}

std::vector<Source> sources_of(const Receipt& receipt) {
  SourceCollector collector{receipt.id, {}};
  std::visit(collector, receipt.result);
  return std::move(collector.sources);
}

json to_json(const Incident& incident) {
  json out = {{"incident_id", incident.incident_id},
              {"title", incident.title},
              {"description", incident.description}};
  const auto put = [&](const char* key, const std::string& value) {
    if (!value.empty()) out[key] = value;
  };
  put("action_taken", incident.action_taken);
  put("root_cause", incident.root_cause);
  put("mitigation", incident.mitigation);
  put("impacted_application", incident.impacted_application);
  put("accountable_party", incident.accountable_party);
  put("source_system", incident.source_system);
  put("status", incident.status);
  put("severity", incident.severity);
  if (incident.repeat_incident) out["repeat_incident"] = *incident.repeat_incident;
  if (incident.opened_at) out["opened_at"] = format_time(*incident.opened_at);
  if (incident.updated_at) out["updated_at"] = format_time(*incident.updated_at);
  if (incident.resolved_at) out["resolved_at"] = format_time(*incident.resolved_at);
  if (!incident.services.empty()) out["services"] = incident.services;
  if (!incident.tags.empty()) out["tags"] = incident.tags;
  if (!incident.extra.empty()) out["extra"] = incident.extra;
  return out;
}

json to_json(const GoldenExample& e) {
  json out = {{"id", e.id},
              {"question", e.question},
              {"answer", e.answer},
              {"source_type", name(e.source)},
              {"reviewed", e.review.has_value()},
              {"active", e.active},
              {"served", is_served(e)},
              {"sources", e.sources},
              {"tags", e.tags},
              {"created_at", format_time(e.created_at)},
              {"updated_at", format_time(e.updated_at)}};
  if (!e.rejected_answer.empty()) out["rejected_answer"] = e.rejected_answer;
  if (e.review) {
    out["reviewed_by"] = e.review->by;
    out["reviewed_at"] = format_time(e.review->at);
  }
  if (e.feedback) out["feedback"] = feedback_name(*e.feedback);
  if (e.dataset_version != 0) out["dataset_version"] = e.dataset_version;
  if (!e.outdated.empty()) out["outdated_sources"] = e.outdated;
  return out;
}

json to_json(const ToolResult& result) {
  return std::visit(
      [](const auto& value) -> json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
          return nullptr;
        } else {
          return to_json(value);
        }
      },
      result);
}

json to_json(const Receipt& receipt, bool explain) {
  json out = {{"id", receipt.id},
              {"tool", receipt.tool},
              {"args", json_or_text(receipt.args)},
              {"status", name(receipt.status)},
              {"at", format_time(receipt.at)},
              {"result", to_json(receipt.result)},
              {"text", receipt.text}};
  if (explain) out["explain"] = receipt.explain;
  return out;
}

}  // namespace precedent
