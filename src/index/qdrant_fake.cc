#include "index/qdrant_fake.h"

#include <fmt/format.h>

#include <charconv>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/strings.h"
#include "index/qdrant_points.h"

namespace precedent {
namespace {

using fake_qdrant::Collection;
using nlohmann::json;

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound: return 404;
    case ErrorCode::kConflict: return 409;
    case ErrorCode::kCorrupt: return 422;
    case ErrorCode::kResourceExhausted: return 429;
    default: return 400;
  }
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(&text[i + 1], &text[i + 3], value, 16).ec == std::errc()) {
      decoded += static_cast<char>(value);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

// No such route: a 404 without a word.
std::unexpected<Error> no_route() { return fail(ErrorCode::kNotFound, ""); }

HttpResponse plain(int status, std::string body) {
  return {status, {{"content-type", "text/plain; charset=utf-8"}}, std::move(body)};
}

HttpResponse as_json(int status, const json& body) {
  return {status, {{"content-type", "application/json"}}, body.dump()};
}

}  // namespace

size_t QdrantFake::requests() const {
  const MutexLock lock(mutex_);
  return requests_;
}

void QdrantFake::restore(const QdrantFake& other) {
  if (&other == this) return;
  std::map<std::string, Collection> collections;
  std::map<std::string, std::string> aliases;
  {
    const MutexLock lock(other.mutex_);
    collections = other.collections_;
    aliases = other.aliases_;
  }
  const MutexLock lock(mutex_);
  collections_ = std::move(collections);
  aliases_ = std::move(aliases);
}

size_t QdrantFake::points_in(const std::string& collection) const {
  const MutexLock lock(mutex_);
  const auto found = collections_.find(collection);
  return found == collections_.end() ? 0 : found->second.size();
}

Result<HttpResponse> QdrantFake::stream(const HttpRequest& request, const HttpContext& context,
                                        const OnHttpBody& on_body) {
  TRY(context.cancel.check());
  size_t n = 0;
  {
    const MutexLock lock(mutex_);
    n = ++requests_;
  }
  HttpResponse response;
  const auto instead = before ? before(n, request) : std::nullopt;
  if (instead) {
    response = TRY(*instead);
  } else {
    const MutexLock lock(mutex_);
    response = answer(request);
  }
  const std::string body = std::exchange(response.body, "");
  on_body(response, body);
  return response;
}

HttpResponse QdrantFake::answer(const HttpRequest& request) {
  const auto header = [&](std::string_view name) -> std::string_view {
    for (const HttpHeader& each : request.headers)
      if (iequals(each.name, name)) return each.value;
    return "";
  };
  const size_t host = request.url.find("://");
  std::string_view target = request.url;
  target.remove_prefix(std::min(target.size(), target.find('/', host + 3)));
  const bool wait = target.ends_with("wait=true");
  target = target.substr(0, target.find('?'));
  const bool open = target == "/" || target == "/readyz" || target == "/healthz";
  const std::string_view bearer = header("authorization");
  if (!key_.empty() && !open && header("api-key") != key_ && bearer != "Bearer " + key_) {
    return plain(401, header("api-key").empty() && bearer.empty()
                          ? "Must provide an API key or an Authorization bearer token"
                          : "Invalid API key or JWT");
  }
  if (target == "/")
    return as_json(
        200,
        {{"title", "qdrant - vector search engine"}, {"version", version}, {"commit", "fake"}});
  if (target == "/readyz") return plain(200, "all shards are ready");
  if (target == "/healthz") return plain(200, "healthz check passed");
  json body = parse_json(request.body);
  if (!request.body.empty() && body.is_discarded()) {
    return as_json(400, {{"status",
                          {{"error", fmt::format("Format error in JSON body: EOF while parsing a "
                                                 "list at line 1 column {}",
                                                 request.body.size())}}}});
  }
  std::vector<std::string> path;
  for (const std::string_view part : split(target.substr(1), '/'))
    path.push_back(percent_decoded(part));
  auto result = route(request.method, path, request.body.empty() ? json::object() : body, wait);
  if (result) return as_json(200, {{"result", *result}, {"status", "ok"}});
  const Error& refusal = result.error();
  if (refusal.message.empty()) return {404, {}, ""};
  return as_json(status_of(refusal.code), {{"status", {{"error", refusal.message}}}});
}

Result<json> QdrantFake::route(const std::string& method, const std::vector<std::string>& path,
                               const json& body, bool wait) {
  if (path[0] == "aliases" && path.size() == 1 && method == "GET") return aliases_of("");
  if (path[0] != "collections") return no_route();
  if (path.size() == 1) {
    if (method != "GET") return no_route();
    json names = json::array();
    for (const auto& [name, collection] : collections_) names.push_back({{"name", name}});
    return json{{"collections", names}};
  }
  if (path[1] == "aliases" && method == "POST") return change_aliases(body);
  if (path[1].contains('/')) {
    return fail(ErrorCode::kCorrupt,
                "Validation error in path parameters: [collection_name: collection name cannot "
                "contain \"/\" char]");
  }
  return collections_call(method, path, body, wait);
}

Result<json> QdrantFake::collections_call(const std::string& method,
                                          const std::vector<std::string>& path, const json& body,
                                          bool wait) {
  const std::string& name = path[1];
  const std::string call = path.size() > 2 ? path[2] : "";
  if (call.empty() && method == "PUT") return create(name, body);
  if (call.empty() && method == "DELETE") {
    std::erase_if(aliases_, [&](const auto& alias) { return alias.second == name; });
    return json(collections_.erase(name) > 0);
  }
  if (call == "exists")
    return json{{"exists", collections_.contains(name) || aliases_.contains(name)}};
  Collection& collection = *TRY(find(name));
  if (call.empty() && method == "GET") return collection.info();
  if (call.empty() && method == "PATCH") {
    collection.patch(body);
    return json(true);
  }
  if (call == "aliases") return aliases_of(name);
  if (call == "snapshots") return snapshots_call(method, name);
  if (call == "index" && method == "PUT") {
    TRY(collection.create_index(body));
    return json{{"operation_id", ++operations_}, {"status", "completed"}};
  }
  if (call == "facet" && method == "POST") return collection.facet(body);
  if (call != "points") return no_route();
  if (method == "GET" && path.size() == 4) {
    uint64_t number = 0;
    const char* end = path[3].data() + path[3].size();
    const auto read = std::from_chars(path[3].data(), end, number);
    const bool is_number = read.ec == std::errc() && read.ptr == end;
    return collection.point(is_number ? json(number) : json(path[3]));
  }
  std::string rest = path.size() > 3 ? path[3] : "";
  if (path.size() > 4) rest += "/" + path[4];
  return points_call(method, collection, rest, body, wait);
}

Result<json> QdrantFake::create(const std::string& name, const json& body) {
  if (aliases_.contains(name))
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("Wrong input: Can't create collection with name {}. Alias with the "
                            "same name already exists",
                            name));
  if (!collections_.emplace(name, Collection(body)).second)
    return fail(ErrorCode::kConflict,
                fmt::format("Wrong input: Collection `{}` already exists!", name));
  return json(true);
}

Result<json> QdrantFake::change_aliases(const json& body) {
  auto changed = aliases_;
  for (const json& action : foreign::member(body, "actions")) {
    if (action.contains("delete_alias"))
      changed.erase(foreign::string_at(action["delete_alias"], "alias_name"));
    if (!action.contains("create_alias")) continue;
    const std::string alias = foreign::string_at(action["create_alias"], "alias_name");
    const std::string name = foreign::string_at(action["create_alias"], "collection_name");
    if (!collections_.contains(name))
      return fail(ErrorCode::kNotFound,
                  fmt::format("Not found: Collection `{}` doesn't exist!", name));
    if (collections_.contains(alias))
      return fail(ErrorCode::kConflict,
                  fmt::format("Wrong input: Collection `{}` already exists!", alias));
    changed[alias] = name;
  }
  aliases_ = std::move(changed);
  return json(true);
}

Result<json> QdrantFake::aliases_of(const std::string& collection) {
  json list = json::array();
  for (const auto& [alias, name] : aliases_) {
    if (collection.empty() || name == collection)
      list.push_back({{"alias_name", alias}, {"collection_name", name}});
  }
  return json{{"aliases", list}};
}

Result<json> QdrantFake::snapshots_call(const std::string& method, const std::string& name) {
  json& list = snapshots_.emplace(name, json::array()).first->second;
  if (method == "GET") return list;
  list.push_back({{"name", fmt::format("{}-{}.snapshot", name, list.size())},
                  {"creation_time", "2026-01-01T00:00:00"},
                  {"size", 1},
                  {"checksum", "00"}});
  return list.back();
}

Result<Collection*> QdrantFake::find(const std::string& name) {
  const auto alias = aliases_.find(name);
  const auto found = collections_.find(alias == aliases_.end() ? name : alias->second);
  if (found != collections_.end()) return &found->second;
  return fail(ErrorCode::kNotFound, fmt::format("Not found: Collection `{}` doesn't exist!", name));
}

Result<json> QdrantFake::points_call(const std::string& method, Collection& collection,
                                     const std::string& call, const json& body, bool wait) {
  const uint64_t operation = ++operations_;
  const auto written = [&](const Result<void>& done) -> Result<json> {
    if (!done) return std::unexpected(done.error());
    return json{{"operation_id", operation}, {"status", wait ? "completed" : "acknowledged"}};
  };
  if (call.empty() && method == "PUT") return written(collection.upsert(body));
  if (method != "POST") return no_route();
  if (call == "payload") return written(collection.set_payload(body));
  if (call == "payload/delete") return written(collection.delete_payload(body));
  if (call == "delete") return written(collection.remove(body));
  if (call == "query") {
    TRY(collection.admit_read());
    return collection.query(body);
  }
  if (call == "query/batch") {
    TRY(collection.admit_read());
    json lists = json::array();
    for (const json& search : foreign::member(body, "searches"))
      lists.push_back(TRY(collection.query(search)));
    return lists;
  }
  if (call == "scroll") return collection.scroll(body);
  if (call == "count") return collection.count(body);
  if (call.empty()) return collection.retrieve(body);
  return no_route();
}

}  // namespace precedent
