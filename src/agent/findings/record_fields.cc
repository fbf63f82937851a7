#include "agent/findings/record_fields.h"

#include "base/strings.h"

namespace precedent {
namespace {

struct FieldCollector {
  RecordFields& fields;

  void name(std::string_view value) {
    if (!trim(value).empty()) fields.names.insert(ascii_lower(trim(value)));
  }
  void names(const std::vector<std::string>& values) {
    for (const std::string& value : values) name(value);
  }
  void labels(const LabelSet& set) {
    for (const auto& [key, value] : set) {
      name(key);
      name(value);
      // "db-1.internal:9100" names the host, too.
      name(std::string_view(value).substr(0, value.find(':')));
    }
  }
  void path(std::string_view value) {
    name(value);
    const size_t slash = value.rfind('/');
    if (slash != std::string_view::npos) name(value.substr(slash + 1));
  }

  void operator()(std::monostate) {}
  void operator()(const IncidentsResult& result) {
    for (const IncidentItem& item : result.incidents) {
      const Incident& i = item.incident;
      name(i.incident_id), name(i.impacted_application), name(i.accountable_party);
      name(i.source_system), names(i.services), names(i.tags), path(item.path);
      fields.titles.insert(i.title);
    }
    names(result.matched_names);
  }
  void items(const std::vector<KnowledgeItem>& list) {
    for (const KnowledgeItem& item : list) {
      name(item.id), names(item.services), path(item.path);
      fields.titles.insert(item.title);
    }
  }
  void operator()(const FiguresResult& result) {
    name(result.of), name(result.by);
    for (const IncidentFigure& figure : result.figures) {
      name(figure.group);
      if (!figure.title.empty()) fields.titles.insert(figure.title);
    }
  }
  void operator()(const KnowledgeResult& result) { items(result.items); }
  void operator()(const SectionsResult& result) { items(result.sections); }
  void operator()(const GoldenResult& result) {
    for (const GoldenItem& item : result.examples) {
      name(item.example.id), names(item.example.sources), names(item.example.tags);
      fields.titles.insert(item.example.question);
      for (const Source& source : item.cited) name(source.id), path(source.path);
    }
  }
  void change(const Change& c) {
    name(c.id), names(c.services), name(c.version), name(c.environment), name(c.commit);
    name(c.author), name(c.from), name(c.to);
    for (const std::string& file : c.files) path(file);
  }
  void operator()(const ChangesResult& result) {
    for (const Change& c : result.changes) change(c);
    if (result.last_deploy) change(result.last_deploy->change);
  }
  void operator()(const MetricsResult& result) {
    name(result.metric), names(result.nearest);
    for (const TopSeries& top : result.top) labels(top.labels);
    for (const Alert& alert : result.alerts) name(alert.name), labels(alert.labels);
  }
  void operator()(const CodeResult& result) {
    for (const CodeItem& item : result.items) {
      name(item.id), name(item.repository), path(item.path), names(item.symbols);
      name(item.commit);
    }
  }
  // What another server calls a field is not known.
  void operator()(const RemoteResult&) {}
};

}  // namespace

void add_fields(RecordFields& fields, const Receipt& receipt) {
  std::visit(FieldCollector{fields}, receipt.result);
}

}  // namespace precedent
