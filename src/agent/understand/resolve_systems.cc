#include "agent/understand/resolve_systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "agent/sources/dictionary.h"
#include "agent/sources/known_systems.h"
#include "agent/sources/unknown_names.h"
#include "base/strings.h"
#include "telemetry/query/serving.h"

namespace precedent {
namespace {

// The service that most documents on an endpoint are about; "" if they name none.
std::string told_to_serve(const std::string& endpoint, const Searcher& search) {
  constexpr size_t kLooked = 6;
  const auto found = search.search(
      {.text = endpoint, .limit = kLooked, .mode = SearchMode::kSparse, .self_query = false});
  std::map<std::string, int> votes;
  for (const Hit& hit : found ? found->hits : std::vector<Hit>()) {
    // What only shares a word with it is about another.
    if (!ascii_lower(hit.payload.text).contains(ascii_lower(endpoint))) continue;
    for (const std::string& service : hit.payload.services) ++votes[service];
  }
  const auto most = std::ranges::max_element(votes, {}, [](const auto& v) { return v.second; });
  return most == votes.end() ? "" : most->first;
}

struct Serving {
  std::string service;
  std::string_view by;  // what says so
};

// The only service whose name has the word that ends the endpoint: webhook-dispatcher of
// /v1/webhooks. "" if there is none.
std::string named_like(const std::string& endpoint, const Sources& sources, TimePoint now) {
  KnownSystems known = read_known_systems(sources, now);
  known.endpoints.clear();
  return system_in(endpoint.substr(endpoint.rfind('/') + 1), known, dictionary_of(sources, now));
}

// The service of an endpoint: as its own series are labelled, where they name one that is known;
// else as documents say, which may speak of several beside it; else as it is called.
Serving served_by(const std::string& endpoint, const Sources& sources, TimePoint now) {
  constexpr std::chrono::seconds kPatience{3};
  const std::string told = told_to_serve(endpoint, sources.search);
  const Serving written = told.empty() ? Serving{named_like(endpoint, sources, now), "its name"}
                                       : Serving{told, "documents"};
  const LiveSources& live = sources.live;
  if (live.metrics == nullptr || live.metrics_config == nullptr) return written;
  const CancelToken never;
  auto labelled = services_of_endpoint(endpoint, *live.metrics, *live.metrics_config, now,
                                       {never, std::chrono::steady_clock::now() + kPatience});
  if (!labelled || labelled->empty()) return written;
  const std::vector<std::string> known = read_known_systems(sources, now).written;
  const auto is_known = [&](const std::string& service) {
    return std::ranges::find(known, service) != known.end();
  };
  const bool agreed = std::ranges::find(*labelled, told) != labelled->end();
  if (told.empty() || agreed) return {agreed ? told : labelled->front(), "its metrics"};
  const auto first = std::ranges::find_if(*labelled, is_known);
  return first == labelled->end() ? written : Serving{*first, "its metrics"};
}

// What incidents call an application may be the service itself: written as one ("notify-hub"), or
// "Merchant Portal" where a service is merchant-portal. "" if it is not.
std::string service_called(const std::string& application, const Catalogue& known) {
  const auto same = std::ranges::find_if(known.services, [&](const std::string& service) {
    return name_key(service) == name_key(application);
  });
  if (same != known.services.end()) return *same;
  const bool identifier = ascii_lower(application) == application && !application.contains(' ');
  return identifier ? application : "";
}

}  // namespace

void resolve_systems(Intent& intent, const Sources& sources) {
  for (const Subject& subject : intent.subjects) {
    if (!intent.service.empty()) break;
    if (subject.kind == SubjectKind::kService) intent.service = subject.text;
    if (subject.kind == SubjectKind::kApplication)
      intent.service = service_called(subject.text, sources.search.catalogue());
    if (subject.kind == SubjectKind::kEndpoint) {
      const Serving serving = served_by(subject.text, sources, intent.now);
      intent.service = serving.service;
      if (!intent.service.empty())
        intent.cues.push_back(
            fmt::format("{} is served by {}, by {}", subject.text, serving.service, serving.by));
    }
  }
  if (!intent.deploy || sources.live.changes == nullptr) return;
  auto deploy = last_deploy(*sources.live.changes, intent.service, intent.now,
                            {intent.deploy->day, intent.deploy->version});
  // Nothing on that day, or of that version: the latest one there is, which the answer names.
  if (deploy && !*deploy) {
    deploy = last_deploy(*sources.live.changes, intent.service, intent.now);
    intent.deploy->of_version = intent.deploy->version.empty();
  }
  if (deploy && *deploy) {
    intent.deploy->deploy = **deploy;
    intent.cues.push_back("'" + intent.deploy->text + "' is " + (*deploy)->text());
  }
}

}  // namespace precedent
