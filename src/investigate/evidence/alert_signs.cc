#include "investigate/evidence/alert_signs.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/strings.h"
#include "investigate/symptoms/words.h"

namespace precedent {
namespace {

// Less than what was measured: nobody saw it here.
constexpr double kToldWeight = 0.5;

// "Product-Catalog" and "product catalog" are " product catalog ".
std::string spaced(std::string_view text) {
  std::string out = " ";
  for (const char c : ascii_lower(text)) {
    const bool joins = std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0;
    if (joins)
      out += c;
    else if (out.back() != ' ')
      out += ' ';
  }
  if (out.back() != ' ') out += ' ';
  return out;
}

// The names that a text holds; of one that is part of another only where it stands alone.
class Names {
 public:
  void add(const std::string& name) {
    for (const std::string& spelling : {spaced(name), spaced(stem_of_service(name))})
      if (spelling.size() > 4) spellings_.emplace(spelling, name);
  }
  std::set<std::string> in(std::string_view text) const {
    std::string left = spaced(text);
    std::set<std::string> found;
    for (const auto& [spelling, name] : spellings_)
      for (size_t at = left.find(spelling); at != std::string::npos; at = left.find(spelling)) {
        // Each word stands between two spaces, and gives them back.
        left.replace(at + 1, spelling.size() - 2, "|");
        found.insert(name);
      }
    return found;
  }

 private:
  struct LongestFirst {
    bool operator()(const std::string& a, const std::string& b) const {
      return std::pair(b.size(), std::string_view(a)) < std::pair(a.size(), std::string_view(b));
    }
  };
  std::map<std::string, std::string, LongestFirst> spellings_;
};

SymptomSet symptoms_of(const AlertSaid& said) {
  SymptomSet out = symptoms_of_text(said.text);
  const auto meaning = meaning_of_metric(said.name);
  if (meaning)
    out.add(meaning->symptom);
  else if (out.empty())
    out.add(Symptom::kErrors);
  return out;
}

std::string told(const AlertSaid& said) {
  return fmt::format("the alert {}{}{}", said.name.empty() ? "without a name" : said.name,
                     said.service.empty() ? "" : " of " + said.service,
                     said.text.empty() ? "" : ": " + said.text);
}

// What leads to `service` along calls, itself left out.
size_t callers_of(const ServiceGraph& graph, const std::string& service) {
  std::set<std::string> seen = {service};
  std::deque<std::string> next = {service};
  for (; !next.empty(); next.pop_front())
    for (const CallEdge& edge : graph.edges())
      if (edge.callee == next.front() && seen.insert(edge.caller).second)
        next.push_back(edge.caller);
  return seen.size() - 1;
}

struct Origin {
  std::string service;
  bool own = false;    // has an alert of its own
  size_t callers = 0;  // that lead to it
  double failures = 0;
  std::optional<Instant> at;
};

std::vector<Origin> origins_of(const CaseFile& evidence, const std::vector<AlertSaid>& alerts) {
  std::vector<Origin> out;
  const auto of = [&](const std::string& service) -> Origin& {
    const auto known = std::ranges::find(out, service, &Origin::service);
    if (known != out.end()) return *known;
    out.push_back({.service = service, .callers = callers_of(evidence.graph, service), .at = {}});
    return out.back();
  };
  for (const AlertSaid& said : alerts) {
    if (said.service.empty()) continue;
    Origin& origin = of(said.service);
    const std::vector<Symptom> symptoms = symptoms_of(said).list();
    origin.own |= said.own || std::ranges::any_of(symptoms, [](Symptom symptom) {
                    return is_specific(symptom) && is_failure(symptom);
                  });
    if (std::ranges::any_of(symptoms, is_failure)) origin.failures += 1;
    if (said.at && (!origin.at || *said.at < *origin.at)) origin.at = said.at;
  }
  for (const CallEdge& edge : evidence.graph.edges()) of(edge.callee);
  std::ranges::stable_sort(out, [&](const Origin& a, const Origin& b) {
    const auto rank = [&](const Origin& one) {
      return std::tuple(!one.own, -static_cast<double>(one.callers), -one.failures,
                        one.service != evidence.brief.service, one.at.value_or(Instant::max()));
    };
    return rank(a) < rank(b);
  });
  return out;
}

}  // namespace

bool nothing_measured(const CaseFile& evidence) {
  return evidence.metrics.series == 0 && evidence.logs.empty() && evidence.traces.spans.empty();
}

void read_alerts_alone(CaseFile& evidence) {
  const std::vector<AlertSaid> alerts = alerts_of(evidence.brief);
  Names names;
  for (const std::string& service : evidence.known.services) names.add(service);
  for (const AlertSaid& said : alerts)
    if (!said.service.empty()) names.add(said.service);
  for (const AlertSaid& said : alerts) {
    evidence.graph.add_service(said.service);
    const std::string receipt = add_receipt(
        evidence, "alerts", {{"alert", said.name}, {"service", said.service}}, told(said), said.at);
    for (const Symptom symptom : symptoms_of(said).list())
      evidence.signs.push_back({symptom, said.service, said.at, kToldWeight, told(said), receipt});
    // Whoever says it is no proof of it: no receipt.
    for (const std::string& other : names.in(said.text))
      evidence.graph.add_edge({said.service, other,
                               fmt::format("{} names {} ({})", told(said), other, receipt), "",
                               false});
  }
  // Of the names that documents know, those that matter are kept.
  std::erase_if(evidence.known.services, [&](const std::string& service) {
    return !evidence.graph.services().contains(service);
  });
  for (const CallEdge& call : evidence.known.calls) evidence.graph.add_edge(call);
  for (KnownFault& fault : evidence.known.faults)
    fault.receipt = add_receipt(
        evidence, "knowledge", {{"document", fault.id}, {"path", fault.path}},
        fault.says.empty() ? fault.title : fmt::format("{}: {}", fault.title, fault.says),
        std::nullopt);
  const std::vector<Origin> origins = origins_of(evidence, alerts);
  if (origins.empty()) return;
  evidence.failing = origins.front().service;
  for (const Origin& origin : origins) {
    if (origin.at && (!evidence.onset || *origin.at < *evidence.onset)) evidence.onset = origin.at;
    const bool alerted =
        std::ranges::find(alerts, origin.service, &AlertSaid::service) != alerts.end();
    if (alerted && origin.service != evidence.failing) evidence.affected.push_back(origin.service);
  }
}

}  // namespace precedent
