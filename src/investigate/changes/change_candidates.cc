#include "investigate/changes/change_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/foreign_json.h"
#include "changes/snapshot_changes.h"
#include "files/files.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kMaxChanges = 5'000;
constexpr size_t kMaxCommitBytes = 64ull << 20;

using Diffs = std::map<std::string, std::string>;

Diffs read_diffs(const fs::path& folder, std::vector<std::string>& missing) {
  Diffs out;
  for (const fs::path& path : {folder / "context" / "commits.json", folder / "commits.json"}) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) continue;
    const auto text = read_file(path, kMaxCommitBytes);
    if (!text) {
      missing.push_back(text.error().text());
      break;
    }
    const json records = parse_json(*text);
    if (!records.is_array()) break;
    for (const json& record : records) {
      if (!record.is_object()) continue;
      const auto diff = record.find("diff");
      if (diff == record.end() || !diff->is_string()) continue;
      for (const char* key : {"sha", "commit", "commit_sha", "id", "revision"})
        if (const auto sha = record.find(key); sha != record.end() && sha->is_string())
          out[sha->get<std::string>()] = diff->get<std::string>();
    }
    break;
  }
  return out;
}

bool is_deploy(const Change& change) {
  return change.kind == ChangeKind::kDeploy || change.kind == ChangeKind::kRollback;
}

void find_live(ChangeCandidate& candidate, const std::vector<const Change*>& deploys) {
  std::set<std::string> with_deploys;
  for (const Change* deploy : deploys) {
    for (const std::string& service : deploy->services) {
      with_deploys.insert(service);
      const bool exact = !deploy->commit.empty() && candidate.change.id.starts_with(deploy->commit);
      const bool touches = candidate.shared ||
                           std::ranges::find(candidate.owners, service) != candidate.owners.end();
      if (!exact && (!touches || deploy->at < candidate.change.at)) continue;
      const auto known = std::ranges::find(candidate.live, service, &WentLive::service);
      if (known != candidate.live.end() && !exact) continue;  // the first deploy after it
      if (known != candidate.live.end()) candidate.live.erase(known);
      candidate.live.push_back(
          {service, deploy->at, exact, deploy->version.empty() ? deploy->id : deploy->version});
    }
  }
  candidate.deploys_known =
      candidate.shared ? !with_deploys.empty()
                       : std::ranges::any_of(candidate.owners, [&](const std::string& owner) {
                           return with_deploys.contains(owner);
                         });
  std::ranges::stable_sort(candidate.live, {}, &WentLive::at);
}

}  // namespace

CandidateList read_candidates(const fs::path& folder, ServiceGraph& graph) {
  CandidateList out;
  const auto source = open_snapshot_changes(folder);
  if (!source) {
    out.missing.push_back(source.error().text());
    return out;
  }
  ChangeQuery query;
  query.limit = kMaxChanges;
  const auto list = (*source)->changes(query);
  if (!list) {
    out.missing.push_back(list.error().text());
    return out;
  }
  for (const AskedSource& asked : list->asked)
    if (!asked.note.empty()) out.missing.push_back(asked.note);
  out.changes = list->changes.size();
  std::vector<const Change*> deploys;
  for (const Change& change : list->changes) {
    if (is_deploy(change)) deploys.push_back(&change);
    for (const std::string& service : change.services) graph.add_service(service);
  }
  std::ranges::reverse(deploys);
  const Diffs diffs = read_diffs(folder, out.missing);
  for (const Change& change : list->changes) {
    if (is_deploy(change) || change.kind == ChangeKind::kTag ||
        change.kind == ChangeKind::kVersionSeen)
      continue;
    ChangeCandidate candidate;
    candidate.change = change;
    if (change.kind == ChangeKind::kCommit) {
      if (const auto diff = diffs.find(change.id); diff != diffs.end()) {
        candidate.hunks = parse_diff(diff->second, change.files);
        candidate.has_diff = !candidate.hunks.empty();
        candidate.effects = effects_of(candidate.hunks);
      }
      std::set<std::string> owners(change.services.begin(), change.services.end());
      for (const std::string& file : change.files) {
        const std::vector<std::string> of_file = graph.owners_of(file);
        owners.insert(of_file.begin(), of_file.end());
        candidate.shared = candidate.shared || of_file.empty();
      }
      candidate.owners.assign(owners.begin(), owners.end());
      find_live(candidate, deploys);
    } else {
      // A flag or a setting holds from the moment it is set.
      candidate.owners = change.services;
      for (const std::string& service : change.services)
        candidate.live.push_back({service, change.at, true, change.subject});
    }
    out.candidates.push_back(std::move(candidate));
  }
  return out;
}

}  // namespace precedent
