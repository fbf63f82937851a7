#include "server/site.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "server/http/problem.h"
#include "server/http/query_check.h"
#include "server/investigations/investigations_api.h"
#include "server/knowledge/changes_api.h"
#include "server/knowledge/dataset_api.h"
#include "server/knowledge/feedback_api.h"
#include "server/knowledge/golden_api.h"
#include "server/knowledge/knowledge_api.h"
#include "server/knowledge/sources_api.h"
#include "server/knowledge/uploads_api.h"
#include "server/mcp/mcp_api.h"
#include "server/openai/openai_api.h"
#include "server/threads/threads_api.h"
#include "server/turns/chat_api.h"

namespace precedent {

using nlohmann::json;

Site::Site(const Caller& caller, std::unique_ptr<Seat> seat, const SharedParts& shared)
    : caller_(caller),
      seat_(std::move(seat)),
      shared_(shared),
      answerer_(*seat_, shared.counters),
      desk_(shared.desk, caller.name),
      knowledge_{desk_, [seat = seat_.get()] { return seat->knowledge(); }},
      chats_(seat_->copilot(), seat_->threads()),
      turns_(shared.pool),
      investigate_(shared.investigator != nullptr && caller.scope.everything()
                       ? std::make_unique<McpInvestigate>(*shared.investigator)
                       : nullptr),
      mcp_(
          {.answerer = answerer_,
           .tools = seat_->tools(),
           .call_tool =
               [seat = seat_.get()](const Tool& tool, const json& args, const CancelToken& cancel) {
                 return seat->call_tool(tool, args, cancel);
               },
           .clock = shared.clock,
           .version = shared.version,
           .jobs = jobs(),
           .more = seat_->more(),
           .knowledge = [seat = seat_.get()] { return seat->knowledge(); },
           .turns = &turns_,
           .last_turn = [this](const std::string& chat) { return chats_.last_turn(chat); },
           .principal = caller.name,
           .state_key = shared.state_key}),
      threads_(seat_->copilot(), seat_->threads(), chats_, turns_, shared.clock),
      runs_({answerer_, threads_, turns_, shared.clock}) {
  // Clients of other protocols send parameters of their own.
  add_openai_routes(router_, {answerer_, chats_, turns_, shared.clock});
  add_mcp_route(router_, mcp_, turns_);
  add_thread_routes(router_, {threads_, runs_, shared.clock, shared.version});
  router_.check_queries(query_problem);
  add_chat_routes(router_, {answerer_, chats_, turns_, shared.clock, shared.model});
  add_knowledge_routes(router_, knowledge_, shared.clock);
  add_upload_routes(router_, shared.uploads);
  add_golden_routes(router_, knowledge_);
  add_dataset_routes(router_, knowledge_, shared.uploads, turns_);
  add_feedback_routes(router_, knowledge_, chats_, shared.clock);
  add_changes_route(router_, desk_);
  if (shared.investigations != nullptr && caller.scope.everything())
    add_investigation_routes(router_, *shared.investigations, caller.name);
  add_source_routes(router_, shared.sources, caller);
  add_own_routes();
}

std::vector<const McpJob*> Site::jobs() const {
  std::vector<const McpJob*> all = seat_->jobs();
  if (investigate_ != nullptr) all.push_back(investigate_.get());
  return all;
}

// What runs uses the other parts.
Site::~Site() { turns_.stop(); }

void Site::add_own_routes() {
  router_.add_now("GET", "/whoami", [this](const Routed&) {
    const auto may = [this](AccessRole role) { return caller_.role >= role; };
    return json_response({{"name", caller_.name},
                          {"role", name(caller_.role)},
                          {"auth", caller_.signed_in_by},
                          {"can",
                           {{"ask", may(AccessRole::kUser)},
                            {"edit", may(AccessRole::kEditor)},
                            {"admin", may(AccessRole::kAdmin)}}}});
  });
  router_.add_now("GET", "/version", [this](const Routed&) {
    return json_response({{"version", shared_.version}, {"model", shared_.model}});
  });
  router_.add_now("GET", "/suggestions", [this](const Routed&) {
    return json_response({{"questions", seat_->suggestions()}});
  });
}

Result<std::shared_ptr<Site>> Sites::of(const Caller& caller) {
  // A site without turns is a few hundred kilobytes.
  constexpr size_t kMostSites = 256;
  const MutexLock lock(mutex_);
  const auto found =
      std::ranges::find_if(sites_, [&](const auto& site) { return site->caller() == caller; });
  if (found != sites_.end()) {
    sites_.splice(sites_.begin(), sites_, found);
    return sites_.front();
  }
  if (closed_) return fail(ErrorCode::kUnavailable, "the server is stopping");
  sites_.push_front(std::make_shared<Site>(caller, TRY(make_(caller)), shared_));
  for (auto site = sites_.end(); sites_.size() > kMostSites && site != sites_.begin();) {
    --site;
    // Nobody else holds it: no request, no stream, no turn.
    if (site->use_count() == 1 && (*site)->idle() && site != sites_.begin())
      site = sites_.erase(site);
  }
  return sites_.front();
}

void Sites::close() {
  const MutexLock lock(mutex_);
  closed_ = true;
  for (const auto& site : sites_) site->close();
}

}  // namespace precedent
