#include "investigate/knowledge/knowledge.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/strings.h"
#include "investigate/knowledge/runbook_steps.h"
#include "knowledge/incident.h"
#include "tools/procedure.h"

namespace precedent {
namespace {

const std::string& asked_of(const Investigation& investigation) {
  return investigation.verdict.first_failing_service.empty()
             ? investigation.evidence.brief.service
             : investigation.verdict.first_failing_service;
}

// How relevant a runbook must be for its procedure to be quoted.
constexpr double kFits = 0.5;

// What is wrong, in words.
std::string wrong_in(const Investigation& investigation) {
  const IncidentBrief& brief = investigation.evidence.brief;
  std::string out = brief.title;
  for (const std::string& id : investigation.verdict.causes)
    if (const Hypothesis* cause = investigation.hypothesis(id)) out += ". " + cause->statement;
  for (const std::string& error : brief.errors) out += ". " + error;
  return shown_line(out, 1000);
}

// Around what was found, else wherever the document has steps.
std::optional<Procedure> procedure_of(const Document& document, LineRange found) {
  if (auto near = procedure_around(document, found)) return near;
  const auto lines = static_cast<uint32_t>(split_lines(document.body).size());
  return procedure_around(document, {document.body_line, document.body_line + lines});
}

// What somebody can do by it: of the first runbook that fits its procedure, of past incidents what
// fixed them. `chunks`: where each of them was found.
void add_helps(const Searcher& search, const DocumentOf& document_of,
               const std::map<std::string, LineRange>& chunks, Investigation& investigation) {
  bool has_procedure = false;
  const std::string wrong = wrong_in(investigation);
  for (KnownDocument& known : investigation.known) {
    const bool runbook = known.kind == name(Kind::kRunbook);
    if ((runbook && (has_procedure || known.relevance < kFits)) ||
        (!runbook && known.kind != name(Kind::kIncident)))
      continue;
    const auto document = document_of(known.id);
    if (!document) continue;
    if (!runbook) {
      const Incident incident = incident_of(*document);
      known.helps = shown_line(
          incident.mitigation.empty() ? incident.action_taken : incident.mitigation, 400);
      continue;
    }
    // The steps to follow alone, with the warnings above them; else whatever was found.
    const auto section = section_to_follow(search, *document, wrong);
    if (const auto procedure =
            procedure_of(*document, section ? section->lines : chunks.at(known.id))) {
      if (section) known.steps = section->steps;
      known.helps = shown_text(procedure->text, kMaxProcedureBytes);
      known.lines = procedure->lines;
      has_procedure = true;
    }
  }
}

}  // namespace

void search_known(const Searcher& search, TimePoint now, Investigation& investigation,
                  const DocumentOf& document_of) {
  std::map<std::string, LineRange> chunks;
  for (const std::string& query : investigation.queries) {
    SearchRequest request;
    request.text = query;
    request.filter.kinds = {Kind::kRunbook, Kind::kPostmortem, Kind::kKnownIssue, Kind::kIncident};
    request.limit = kMaxKnown;
    request.self_query = false;
    request.now = now;
    const auto response = search.search(request);
    if (!response) {
      investigation.evidence.missing.push_back("the knowledge base: " + response.error().text());
      return;
    }
    for (const Hit& hit : response->hits) {
      chunks.try_emplace(hit.payload.doc_id, hit.payload.lines);
      const auto known =
          std::ranges::find(investigation.known, hit.payload.doc_id, &KnownDocument::id);
      if (known != investigation.known.end()) {
        known->relevance = std::max(known->relevance, static_cast<double>(hit.relevance));
        continue;
      }
      investigation.known.push_back({hit.payload.doc_id,
                                     shown_line(hit.payload.title),
                                     std::string(name(hit.payload.kind)),
                                     hit.payload.path,
                                     shown_text(hit.snippet.text, 300),
                                     hit.relevance,
                                     "",
                                     {}});
    }
  }
  std::ranges::stable_sort(investigation.known, std::greater<>(), &KnownDocument::relevance);
  if (investigation.known.size() > kMaxKnown) investigation.known.resize(kMaxKnown);
  if (document_of) add_helps(search, document_of, chunks, investigation);
  auto documents = documents_about(search, asked_of(investigation), now);
  if (!documents) {
    investigation.evidence.missing.push_back("who owns it: " + documents.error().text());
    return;
  }
  investigation.documents = std::move(*documents);
  add_ownership(now, investigation);
}

void add_ownership(TimePoint now, Investigation& investigation) {
  const CaseVerdict& verdict = investigation.verdict;
  Ownership found = read_ownership(investigation.documents, asked_of(investigation), now,
                                   investigation.evidence.receipts);
  investigation.owners = std::move(found.owners);
  for (DownstreamService& each : found.downstream) {
    const auto is_same = [&](const DownstreamService& other) {
      return bare_name(other.service) == bare_name(each.service);
    };
    if (std::ranges::any_of(investigation.downstream, is_same)) continue;
    each.fails =
        std::ranges::find(verdict.blast_radius, each.service) != verdict.blast_radius.end();
    investigation.downstream.push_back(std::move(each));
  }
}

}  // namespace precedent
