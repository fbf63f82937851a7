// A Confluence of two spaces, OPS and DEV, on a port of this machine, that answers as Atlassian's
// documentation of its REST APIs does: version 2 and CQL below /wiki for Cloud, version 1 below
// /confluence for Data Center; pages of two results, "next" without the path of the base in
// version 1, times in the time zone of the account. One thread, but for its server.
#pragma once

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "base/strings.h"
#include "net/url.h"
#include "sources/confluence_source.h"
#include "sources/source_lab.h"

namespace precedent {

class ConfluenceLab {
 public:
  struct Page {
    std::string id, title, storage, space = "OPS", view = {};
    int version = 1;
    TimePoint modified{};
    std::vector<std::string> ancestors, labels;
    bool restricted = false;
    bool indexed = true;  // whether CQL knows it
  };

  explicit ConfluenceLab(bool data_center = false)
      : data_center_(data_center),
        vendor_([this](const ServedRequest& request) { return answer(request); }) {
    options.name = "wiki";
    options.data_center = data_center;
    options.spaces = {"OPS"};
  }

  Page& put(const std::string& title, const std::string& storage) {
    const std::lock_guard lock(mutex_);
    Page& page = pages_[title];
    if (page.id.empty()) {
      page.id = std::to_string(100 + ++count_);
      page.title = title;
    } else {
      ++page.version;
    }
    page.storage = storage;
    page.modified = parse_time("2026-11-24T09:00:30Z").value() + std::chrono::minutes(++minutes_);
    return page;
  }
  void remove(const std::string& title) {
    const std::lock_guard lock(mutex_);
    pages_.erase(title);
  }

  ConfluenceSource open() {
    return ConfluenceSource(vendor_.http(root(), {{"Authorization", "Basic bGFi"}}), options);
  }
  VendorLab& vendor() { return vendor_; }
  std::string root() const { return data_center_ ? "/confluence" : "/wiki"; }

  ConfluenceOptions options;
  // Instead of the ordinary answer, where it gives one. Called by the server's threads.
  std::function<std::optional<ServedResponse>(const ServedRequest&)> instead =
      [](const ServedRequest&) { return std::nullopt; };

 private:
  using json = nlohmann::json;

  static ServedResponse reply(const json& value, int status = 200) {
    return {
        .status = status, .headers = {{"Content-Type", "application/json"}}, .body = value.dump()};
  }

  json version_1(const Page& page, std::string_view body) const {
    json ancestors = json::array(), labels = json::array();
    for (const std::string& id : page.ancestors) ancestors.push_back({{"id", id}});
    for (const std::string& label : page.labels)
      labels.push_back({{"prefix", "global"}, {"name", label}});
    const json nobody = {{"results", json::array()}, {"size", 0}};
    const json somebody = {{"results", {{{"type", "known"}}}}, {"size", 1}};
    json out = {{"id", page.id},
                {"type", "page"},
                {"status", "current"},
                {"title", page.title},
                {"space", {{"key", page.space}}},
                {"version", {{"number", page.version}, {"when", format_time(page.modified)}}},
                {"ancestors", ancestors},
                {"metadata", {{"labels", {{"results", labels}}}}},
                {"restrictions",
                 {{"read",
                   {{"restrictions",
                     {{"user", nobody}, {"group", page.restricted ? somebody : nobody}}}}}}},
                {"_links", {{"webui", "/spaces/OPS/pages/" + page.id}}}};
    if (body == "storage") out["body"]["storage"] = {{"value", page.storage}};
    if (body == "view") out["body"]["view"] = {{"value", page.view}};
    return out;
  }
  static json version_2(const Page& page, std::string_view body) {
    json out = {{"id", page.id},
                {"status", "current"},
                {"title", page.title},
                {"spaceId", "9"},
                {"version", {{"number", page.version}, {"createdAt", format_time(page.modified)}}},
                {"_links", {{"webui", "/spaces/OPS/pages/" + page.id}}}};
    if (!body.empty())
      out["body"][body] = {{"representation", body},
                           {"value", body == "view" ? page.view : page.storage}};
    return out;
  }

  // Two of `all`, from `parameter` on.
  static json piece(const std::vector<json>& all, const ServedRequest& request,
                    std::string_view parameter, const std::string& next) {
    const std::string said(request.parameter(parameter));
    const size_t from = said.empty() ? 0 : std::stoul(said);
    json results = json::array();
    for (size_t i = from; i < std::min(all.size(), from + 2); ++i) results.push_back(all[i]);
    json out = {{"results", results}, {"_links", json::object()}};
    if (from + 2 < all.size())
      out["_links"]["next"] = fmt::format("{}&{}={}", next, parameter, from + 2);
    return out;
  }

  ServedResponse answer(const ServedRequest& request) {
    const std::lock_guard lock(mutex_);
    if (auto other = instead(request)) return std::move(*other);
    if (request.header("Authorization") != "Basic bGFi") return reply({}, 401);
    const std::string path = request.path.substr(std::min(request.path.size(), root().size()));
    std::vector<json> found;
    // Version 1 gives a body only to who expands it.
    const std::string body =
        request.parameter("expand").find("body.storage") == std::string::npos ? "" : "storage";
    if (path == "/rest/api/content/search") {
      const std::string cql(request.parameter("cql"));
      const auto has = [&](const Page& page) {
        const bool by_title =
            !cql.contains(" title = ") ||
            ascii_lower(cql).contains(fmt::format("title = \"{}\"", ascii_lower(page.title)));
        return by_title && (!cql.contains(" id in (") || cql.contains(page.id));
      };
      const size_t at = cql.find("lastmodified >= \"");
      // The account is eight hours behind.
      const auto since = at == std::string::npos
                             ? TimePoint{}
                             : parse_time(cql.substr(at + 17, 16)).value() + std::chrono::hours(8);
      for (const auto& [title, page] : pages_)
        if (page.indexed && page.modified >= since && cql.contains("\"" + page.space + "\"") &&
            has(page))
          found.push_back(version_1(page, body));
      return reply(
          piece(found, request, "start", "/rest/api/content/search?cql=" + percent_encoded(cql)));
    }
    if (data_center_ && path == "/rest/api/content") {
      const std::string space(request.parameter("spaceKey"));
      for (const auto& [title, page] : pages_)
        if (page.space == space && (request.parameter("title").empty() ||
                                    ascii_lower(request.parameter("title")) == ascii_lower(title)))
          found.push_back(version_1(page, body));
      return reply(piece(found, request, "start", "/rest/api/content?spaceKey=" + space));
    }
    if (!data_center_ && path == "/api/v2/spaces") {
      const std::string key(request.parameter("keys"));
      const bool known = kSpaces.contains(key);
      return reply(
          {{"results", known ? json{{{"id", kSpaces.at(key)}, {"key", key}}} : json::array()}});
    }
    for (const auto& [key, id] : kSpaces) {
      const std::string pages = "/api/v2/spaces/" + id + "/pages";
      if (data_center_ || path != pages) continue;
      for (const auto& [title, page] : pages_)
        if (page.space == key) found.push_back(version_2(page, ""));
      return reply(piece(found, request, "cursor", "/wiki" + pages + "?limit=2"));
    }
    if (!data_center_ && path == "/api/v2/pages") {
      const std::string ids = fmt::format(",{},", request.parameter("id"));
      for (const auto& [title, page] : pages_)
        if (ids.find(fmt::format(",{},", page.id)) != std::string::npos)
          found.push_back(version_2(page, "storage"));
      return reply(piece(found, request, "cursor",
                         fmt::format("/wiki/api/v2/pages?id={}", request.parameter("id"))));
    }
    for (const auto& [title, page] : pages_) {
      if (data_center_ && path == "/rest/api/content/" + page.id)
        return reply(version_1(
            page, request.parameter("expand").starts_with("body.view") ? "view" : "storage"));
      if (!data_center_ && path == "/api/v2/pages/" + page.id)
        return reply(version_2(page, request.parameter("body-format")));
    }
    return reply({{"message", "no such thing"}}, 404);
  }

  inline static const std::map<std::string, std::string> kSpaces = {{"OPS", "9"}, {"DEV", "8"}};
  const bool data_center_;
  std::mutex mutex_;
  std::map<std::string, Page> pages_;
  int count_ = 0, minutes_ = 0;
  VendorLab vendor_;
};

}  // namespace precedent
