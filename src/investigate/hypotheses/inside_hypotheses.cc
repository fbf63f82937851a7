// Generators of causes that no change brought: machines, records, resources.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/strings.h"
#include "investigate/hypotheses/generators.h"

namespace precedent {
namespace {

// Lines about one record that cannot be chance.
constexpr size_t kManyLines = 5;

bool is_id(std::string_view value) {
  // "$1" is a place for a value, not one.
  return value.size() >= 2 && value.find_first_of("0123456789") != std::string_view::npos &&
         value.find_first_of(" $?{<") == std::string_view::npos;
}

// Fields by which a line names what it worked on.
bool names_record(std::string_view field) {
  const std::string bare = bare_name(field);
  // In whole, or as the end of a longer name.
  constexpr std::array<std::string_view, 9> kWhole = {
      "key", "id", "message", "record", "event", "tenant", "customer", "order", "job"};
  constexpr std::array<std::string_view, 17> kEnds = {
      "offset",     "messageid", "recordid", "eventid",   "jobid",     "rowid",
      "documentid", "partition", "orderid",  "itemid",    "tenantid",  "customerid",
      "userid",     "objectid",  "batchid",  "payloadid", "messagekey"};
  return std::ranges::find(kWhole, bare) != kWhole.end() ||
         std::ranges::any_of(kEnds, [&](std::string_view end) { return bare.ends_with(end); });
}

// Fields that name the machine or the zone that a line comes from.
bool names_machine(std::string_view field) {
  const std::string bare = bare_name(field);
  constexpr std::array<std::string_view, 8> kNames = {
      "node", "nodename", "k8snodename", "host", "hostname", "zone", "az", "availabilityzone"};
  return std::ranges::find(kNames, bare) != kNames.end();
}

// The machine that the complaints of several services name, and only they.
std::string shared_machine(const CaseFile& evidence) {
  std::map<std::string, std::set<std::string>> services;
  for (const LogTemplate& made : evidence.logs) {
    if (!made.bad() || !made.fresh) continue;
    for (const auto& [field, value] : made.constant)
      if (names_machine(field) && is_id(value)) services[value].insert(made.service);
  }
  for (const auto& [value, named] : services)
    if (named.size() >= 2) return value;
  return "";
}

}  // namespace

std::vector<Hypothesis> machine_hypotheses(const CaseFile& evidence) {
  const Sign* sign = evidence.sign(Symptom::kNode);
  const std::string machine = shared_machine(evidence);
  if (sign == nullptr && machine.empty()) return {};
  const Instant onset = evidence.onset.value_or(evidence.window.to);
  Hypothesis out;
  out.category = Category::kInfrastructure;
  out.service = sign != nullptr ? sign->service : evidence.failing;
  out.statement = machine.empty()
                      ? fmt::format("a machine below {} is in trouble", out.service)
                      : fmt::format("the machine {} is in trouble", shown_text(machine, 80));
  out.needs.push_back(
      {"the machine itself shows it", 0.9, 1,
       sign != nullptr ? sign->what : "complaints of several services come from it alone",
       sign != nullptr ? sign->receipt : ""});
  const bool early = sign == nullptr || !sign->onset || *sign->onset <= onset + 2 * evidence.slack;
  out.needs.push_back({"no later than the failure", early ? 1.0 : 0.2, 1, "",
                       sign != nullptr ? sign->receipt : ""});
  size_t apart = 0;
  for (const std::string& service : evidence.affected)
    if (evidence.graph.edge(service, evidence.failing) == nullptr &&
        evidence.graph.edge(evidence.failing, service) == nullptr)
      ++apart;
  out.predictions.push_back({"services that do not call each other fail together",
                             apart > 0 ? 1.0 : 0.5, 1,
                             fmt::format("{} of {}", apart, evidence.affected.size()), ""});
  out.remedy = "drain-node";
  out.advice = "Drain the machine and let its work run elsewhere.";
  out.path = path_from(evidence, evidence.failing);
  return {out};
}

std::vector<Hypothesis> record_hypotheses(const CaseFile& evidence) {
  std::vector<Hypothesis> all;
  for (const LogTemplate& made : evidence.logs) {
    if (!made.bad() || !made.fresh || made.count < kManyLines) continue;
    for (const auto& [field, value] : made.constant) {
      if (!names_record(field) || !is_id(value)) continue;
      Hypothesis out;
      out.category = Category::kData;
      out.service = made.service;
      out.statement = fmt::format("one record ({} {}) fails {} over and over",
                                  shown_text(field, 60), shown_text(value, 80), made.service);
      const std::string receipt = [&] {
        for (const Sign& sign : evidence.signs)
          if (sign.service == made.service && sign.onset == made.onset) return sign.receipt;
        return std::string();
      }();
      out.needs.push_back({"all of its errors are about one record", 0.9, 1,
                           fmt::format("{} lines name {} {}", made.count, shown_text(field, 60),
                                       shown_text(value, 80)),
                           receipt});
      out.needs.push_back(
          {"where the failure begins", made.service == evidence.failing ? 1.0 : 0.4, 1, "", ""});
      const SymptomSet seen = evidence.symptoms_of(made.service);
      out.predictions.push_back(
          {"it cannot be read",
           seen.has(Symptom::kDataFormat) || seen.has(Symptom::kCrash) ? 1.0 : 0.5, 0.6, "",
           receipt});
      out.predictions.push_back({"work piles up behind it",
                                 seen.has(Symptom::kQueue) || seen.has(Symptom::kCrash) ? 1.0 : 0.5,
                                 0.4, "", ""});
      out.remedy = "quarantine";
      out.advice = "Set the record aside and let the others pass.";
      out.path = path_from(evidence, made.service);
      all.push_back(std::move(out));
      break;
    }
  }
  return all;
}

std::vector<Hypothesis> resource_hypotheses(const CaseFile& evidence) {
  std::vector<Hypothesis> all;
  for (const Symptom symptom :
       {Symptom::kDisk, Symptom::kDns, Symptom::kQuota, Symptom::kHandles}) {
    const Sign* sign = evidence.sign(symptom);
    if (sign == nullptr) continue;
    const Instant onset = evidence.onset.value_or(evidence.window.to);
    Hypothesis out;
    out.category = symptom == Symptom::kDns ? Category::kInfrastructure : Category::kCapacity;
    out.service = sign->service;
    out.statement = fmt::format("{}: {}", sign->service, text(symptom));
    out.needs.push_back({"it is seen", 0.7, 1, sign->what, sign->receipt});
    out.needs.push_back({"no later than the failure",
                         !sign->onset || *sign->onset <= onset + evidence.slack ? 1.0 : 0.3, 1, "",
                         sign->receipt});
    out.predictions.push_back(
        {"where the failure begins", sign->service == evidence.failing ? 1.0 : 0.5, 1, "", ""});
    out.remedy = "scale";
    out.advice = "Give it more of what ran out, then find what uses it.";
    out.path = path_from(evidence, sign->service);
    all.push_back(std::move(out));
  }
  return all;
}

}  // namespace precedent
