#include "tools/clean_receipt.h"

#include "base/redact.h"
#include "base/redact_json.h"
#include "base/untrusted_text.h"

namespace precedent {
namespace {

void clean(std::string& text) { text = redact(visible_text(text)); }

void clean(std::vector<std::string>& texts) {
  for (std::string& text : texts) clean(text);
}

// Labels, annotations, further fields: a value is judged with its name and those beside it.
template <typename Compare>
void clean(std::map<std::string, std::string, Compare>& fields) {
  fields = redact_fields(fields);
}

template <typename... Texts>
void clean_all(Texts&... texts) {
  (clean(texts), ...);
}

void clean(Source& s) { clean_all(s.id, s.title, s.kind, s.path, s.link, s.version); }

void clean(Incident& i) {
  clean_all(i.incident_id, i.title, i.description, i.action_taken, i.root_cause, i.mitigation,
            i.impacted_application, i.accountable_party, i.source_system, i.status, i.severity,
            i.services, i.tags, i.extra);
}

void clean(KnowledgeItem& item) {
  clean_all(item.id, item.title, item.services, item.preview, item.path, item.heading, item.text,
            item.link, item.version);
}

void clean(GoldenExample& e) {
  clean_all(e.id, e.question, e.answer, e.rejected_answer, e.sources, e.tags);
  if (e.review) clean(e.review->by);
}

void clean(CodeItem& item) {
  clean_all(item.id, item.repository, item.path, item.excerpt, item.symbols, item.commit,
            item.language);
}

void clean(Change& c) {
  clean_all(c.id, c.services, c.version, c.environment, c.commit, c.author, c.title, c.from, c.to,
            c.files, c.source, c.path);
}

void clean(Alert& alert) { clean_all(alert.name, alert.labels, alert.annotations); }

struct ResultCleaner {
  void operator()(std::monostate) {}
  void operator()(IncidentsResult& result) {
    for (IncidentItem& item : result.incidents) {
      clean(item.incident);
      clean_all(item.path, item.preview);
    }
    clean_all(result.note, result.matched_names, result.conditions, result.order);
  }
  void operator()(FiguresResult& result) {
    for (IncidentFigure& figure : result.figures) clean_all(figure.group, figure.title);
    clean_all(result.of, result.by, result.scope, result.note);
  }
  void operator()(KnowledgeResult& result) {
    for (KnowledgeItem& item : result.items) clean(item);
    clean(result.note);
  }
  void operator()(SectionsResult& result) {
    for (KnowledgeItem& item : result.sections) clean(item);
    clean(result.note);
  }
  void operator()(GoldenResult& result) {
    for (GoldenItem& item : result.examples) {
      clean(item.example);
      for (Source& source : item.cited) clean(source);
    }
  }
  void operator()(ChangesResult& result) {
    for (Change& change : result.changes) clean(change);
    for (AskedSource& source : result.asked) clean_all(source.name, source.note);
    if (result.last_deploy) clean(result.last_deploy->change);
    clean_all(result.service, result.note);
  }
  void operator()(MetricsResult& result) {
    for (TopSeries& top : result.top) clean(top.labels);
    for (auto* peak : {&result.highest, &result.lowest})
      if (*peak) clean((*peak)->labels);
    for (Alert& alert : result.alerts) clean(alert);
    for (PastAlert& past : result.past_alerts) clean(past.alert);
    clean_all(result.metric, result.expression, result.source, result.unit, result.alert_source,
              result.alert_problem, result.of, result.nearest, result.notes);
  }
  void operator()(CodeResult& result) {
    for (CodeItem& item : result.items) clean(item);
    clean(result.note);
  }
  void operator()(RemoteResult& result) {
    result.structured = result.structured.empty() ? "" : redact_json(result.structured);
    clean_all(result.server, result.name, result.tool, result.left_out);
  }
};

}  // namespace

void clean(Receipt& receipt) {
  receipt.args = redact_json(receipt.args);
  clean_all(receipt.tool, receipt.text, receipt.explain);
  std::visit(ResultCleaner{}, receipt.result);
}

}  // namespace precedent
