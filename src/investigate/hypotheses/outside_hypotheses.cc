// Generators of causes outside: traffic, certificates, providers.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "investigate/hypotheses/generators.h"
#include "investigate/symptoms/words.h"

namespace precedent {
namespace {

// More than a busy hour.
constexpr double kSurge = 1.5;

const MetricFinding* traffic_of(const CaseFile& evidence, std::string_view service) {
  for (const MetricFinding& finding : evidence.metrics.findings)
    if (finding.service == service && finding.meaning &&
        finding.meaning->symptom == Symptom::kTraffic && finding.course.up())
      return &finding;
  return nullptr;
}

std::string receipt_of(const CaseFile& evidence, Symptom symptom, std::string_view service) {
  const Sign* sign = evidence.sign(symptom, service);
  return sign != nullptr ? sign->receipt : "";
}

// Names that are given out inside a company or a cluster.
bool is_internal(std::string_view host) {
  constexpr std::array<std::string_view, 6> kInside = {".internal", ".local", ".svc",
                                                       ".lan",      ".corp",  ".intranet"};
  return std::ranges::any_of(kInside, [&](std::string_view end) { return host.ends_with(end); });
}

// A host that a text names and that is none of ours: of a URL, or of a public domain. What goes on
// behind it is no host: java.net.SocketTimeoutException.
std::string host_in(std::string_view text, const ServiceGraph& graph) {
  static const RE2 kHost(
      R"((?i)\b((?:[a-z0-9][a-z0-9-]*\.)+(?:com|net|org|io|cloud|dev|app|ai|co|eu|us))(?:$|[^\w.-]|\.(?:$|\W)))");
  // A number at the end is that of an address.
  static const RE2 kOfUrl(R"((?i)\bhttps?://((?:[a-z0-9][a-z0-9-]*\.)+[a-z][a-z0-9-]*))");
  std::string host;
  if (!RE2::PartialMatch(text, kOfUrl, &host) && !RE2::PartialMatch(text, kHost, &host)) return "";
  host = ascii_lower(host);
  if (is_internal(host)) return "";
  return graph.named_in(host, "").empty() ? host : "";
}

}  // namespace

std::vector<Hypothesis> traffic_hypotheses(const CaseFile& evidence) {
  const MetricFinding* entry = nullptr;
  for (const MetricFinding& finding : evidence.metrics.findings) {
    if (!finding.meaning || finding.meaning->symptom != Symptom::kTraffic || !finding.course.up() ||
        finding.course.factor() < kSurge)
      continue;
    // What begins to be counted, as with a new release, is no traffic that rises.
    if (finding.course.usual <= 0) continue;
    // What a database answers is what somebody asks it.
    const std::vector<std::string> parts = parts_of(finding.metric);
    if (std::ranges::find(parts, "db") != parts.end() ||
        std::ranges::find(parts, "queries") != parts.end())
      continue;
    if (evidence.graph.has_callers(finding.service)) continue;
    if (entry == nullptr || finding.course.onset < entry->course.onset) entry = &finding;
  }
  if (entry == nullptr) return {};
  Hypothesis out;
  out.category = Category::kTraffic;
  out.service = entry->service;
  out.statement = fmt::format("{} gets {:.1f} times its requests, from outside", entry->service,
                              entry->course.factor());
  const std::string receipt = receipt_of(evidence, Symptom::kTraffic, entry->service);
  const bool known = !evidence.graph.edges().empty();
  out.needs.push_back(
      {"requests rise where they come in", known ? 1.0 : 0.7, 1,
       known ? fmt::format("nobody here calls {}", entry->service) : "who calls whom is not known",
       receipt});
  const Instant onset = evidence.onset.value_or(entry->course.onset);
  out.needs.push_back({"before the failure",
                       entry->course.onset <= onset + evidence.slack ? 1.0 : 0.0, 1,
                       fmt::format("requests rose at {}, the onset was {}",
                                   format_time(entry->course.onset), format_time(onset)),
                       receipt});
  size_t measured = 0, rose = 0;
  for (const std::string& service : evidence.graph.services()) {
    const bool has = std::ranges::any_of(
        evidence.metrics.findings,
        [&](const MetricFinding& finding) { return finding.service == service; });
    if (!has) continue;
    ++measured;
    rose += traffic_of(evidence, service) != nullptr;
  }
  const double breadth =
      measured > 1 ? static_cast<double>(rose) / static_cast<double>(measured) : 0.7;
  out.predictions.push_back({"requests rise behind it, too", breadth, 0.35,
                             fmt::format("{} of {} services", rose, measured), receipt});
  const Sign* full = nullptr;
  for (const Symptom symptom : {Symptom::kCpu, Symptom::kQueue, Symptom::kPool, Symptom::kQuota})
    if (full == nullptr) full = evidence.sign(symptom);
  out.predictions.push_back({"something is in full use", full != nullptr ? 1.0 : 0.2, 0.4,
                             full != nullptr ? full->what : "nothing is",
                             full != nullptr ? full->receipt : ""});
  const Sign* more_calls = evidence.sign(Symptom::kFanOut);
  out.predictions.push_back({"a request does what it did", more_calls == nullptr ? 1.0 : 0.2, 0.25,
                             more_calls == nullptr ? "" : more_calls->what, ""});
  out.remedy = "scale";
  out.advice = fmt::format("Scale {} and what it calls, or shed load.", entry->service);
  out.path = path_from(evidence, entry->service);
  return {out};
}

std::vector<Hypothesis> certificate_hypotheses(const CaseFile& evidence) {
  const MetricFinding* ran_out = nullptr;
  for (const MetricFinding& finding : evidence.metrics.findings)
    if (finding.crossed_zero) ran_out = &finding;
  const LogTemplate* said = nullptr;
  for (const LogTemplate& made : evidence.logs) {
    const std::string lower = ascii_lower(made.detail);
    if (made.fresh && made.bad() && made.symptoms.has(Symptom::kCertificate) &&
        lower.find("expired") != std::string::npos) {
      said = &made;
      break;
    }
  }
  if (ran_out == nullptr && said == nullptr) return {};
  const Instant onset = evidence.onset.value_or(evidence.window.to);
  Hypothesis out;
  out.category = Category::kCertificate;
  out.service = ran_out != nullptr ? ran_out->service : said->service;
  out.statement =
      fmt::format("a certificate of {} expired",
                  ran_out != nullptr ? ran_out->service : "what " + said->service + " calls");
  const Sign* sign = evidence.sign(Symptom::kCertificate);
  const std::string receipt = sign != nullptr ? sign->receipt : "";
  if (ran_out != nullptr) {
    const auto apart = std::chrono::abs(*ran_out->crossed_zero - onset);
    out.needs.push_back({"it ran out as the failure began", apart <= 3 * evidence.slack ? 1.0 : 0.2,
                         1,
                         fmt::format("it ran out at {}, the onset was {}",
                                     format_time(*ran_out->crossed_zero), format_time(onset)),
                         receipt});
  } else {
    out.needs.push_back(
        {"an error says that it expired", 0.85, 1, shown_text(said->sample, 200), receipt});
  }
  out.predictions.push_back(
      {"connections fail with its error", said != nullptr ? 1.0 : 0.4, 1,
       said != nullptr ? shown_text(said->sample, 160) : "no such error is logged", receipt});
  out.remedy = "rotate-cert";
  out.advice = "Issue the certificate anew and load it.";
  out.path = path_from(evidence, out.service);
  return {out};
}

namespace {

// Who outside is blamed, and by how many complaints of how many.
struct Blamed {
  std::map<std::string, size_t> names;
  size_t complaints = 0;
};

Blamed blamed_outside(const CaseFile& evidence) {
  Blamed out;
  for (const LogTemplate& made : evidence.logs) {
    if (!made.bad() || !(made.fresh || made.grown) || made.service != evidence.failing) continue;
    out.complaints += made.count;
    if (const std::string host = host_in(made.detail, evidence.graph); !host.empty())
      out.names[host] += made.count;
  }
  for (const TraceSpan* span : error_origins(evidence.traces)) {
    std::string text = span->name + ' ' + span->error;
    for (const auto& [key, value] : span->attributes) text += ' ' + value;
    ++out.complaints;
    if (const std::string host = host_in(text, evidence.graph); !host.empty()) ++out.names[host];
    // Only where we have records of our own does a callee without any stand outside.
    else if (has_own_records(evidence, evidence.failing) &&
             !has_own_records(evidence, span->service) && span->service != evidence.failing)
      ++out.names[span->service];
  }
  return out;
}

// Metrics that measure what is called, not who calls.
const MetricFinding* outside_metric(const CaseFile& evidence) {
  constexpr std::array<std::string_view, 6> kParts = {"provider", "external", "thirdparty",
                                                      "vendor",   "partner",  "egress"};
  for (const MetricFinding& finding : evidence.metrics.findings) {
    if (!finding.worse || !finding.meaning) continue;
    const std::vector<std::string> parts = parts_of(finding.metric);
    for (const std::string_view wanted : kParts)
      if (std::ranges::find(parts, wanted) != parts.end()) return &finding;
  }
  return nullptr;
}

}  // namespace

std::vector<Hypothesis> provider_hypotheses(const CaseFile& evidence) {
  Blamed blamed = blamed_outside(evidence);
  std::map<std::string, size_t>& hosts = blamed.names;
  const size_t complaints = blamed.complaints;
  if (const MetricFinding* metric = outside_metric(evidence); metric != nullptr && hosts.empty())
    hosts["what " + metric->metric + " measures"] = complaints;
  if (hosts.empty()) return {};
  const auto most =
      std::ranges::max_element(hosts, {}, [](const auto& entry) { return entry.second; });
  Hypothesis out;
  out.category = Category::kUpstream;
  out.service = evidence.failing;
  out.statement = fmt::format("{}, which is not ours, fails", shown_text(most->first, 120));
  const double share =
      complaints > 0 ? static_cast<double>(most->second) / static_cast<double>(complaints) : 0;
  out.needs.push_back(
      {"errors name it", std::min(1.0, 0.5 + share), 1,
       fmt::format("{} of {} complaints of {}", most->second, complaints, evidence.failing), ""});
  const SymptomSet seen = evidence.symptoms_of(evidence.failing);
  const bool answers = seen.has(Symptom::kTimeouts) || seen.has(Symptom::kRefused) ||
                       seen.has(Symptom::kQuota) || seen.has(Symptom::kLatency) ||
                       seen.has(Symptom::kErrors);
  out.predictions.push_back({"calls to it fail or wait", answers ? 1.0 : 0.3, 0.5, "", ""});
  const bool own = seen.has(Symptom::kCpu) || seen.has(Symptom::kMemory) ||
                   seen.has(Symptom::kCrash) || seen.has(Symptom::kOutOfMemory);
  out.predictions.push_back(
      {"we have what we need", own ? 0.2 : 1.0, 0.5, own ? "resources of ours are short" : "", ""});
  out.remedy = "failover";
  out.advice = "Switch to another provider or degrade without it; ask its status page.";
  out.path = path_from(evidence, evidence.failing);
  return {out};
}

}  // namespace precedent
