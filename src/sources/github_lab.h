// GitHub's list of issues on a port of this machine, as its documentation of the REST API has it:
// two a page, a Link header, ETags and 304. One thread, but for its server.
#pragma once

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/hash.h"
#include "sources/github_source.h"
#include "sources/source_lab.h"

namespace precedent {

class GithubLab {
 public:
  struct Issue {
    int number = 0;
    std::string title, text, state = "open";
    std::vector<std::string> labels = {"known-issue"};
    bool is_pull_request = false;
    TimePoint updated{};
    std::vector<std::pair<std::string, std::string>> comments = {};  // who, what
  };

  GithubLab() : vendor_([this](const ServedRequest& request) { return answer(request); }) {
    options.name = "issues";
    options.repo = "acme/shop";
    options.label_kinds = {{"known-issue", Kind::kKnownIssue}, {"postmortem", Kind::kPostmortem}};
  }

  Issue& put(const std::string& title, const std::string& text) {
    const std::lock_guard lock(mutex_);
    Issue& issue = issues_[title];
    if (issue.number == 0) {
      issue.number = ++count_;
      issue.title = title;
    }
    issue.text = text;
    issue.updated = parse_time("2026-11-24T09:00:00Z").value() + std::chrono::seconds(++seconds_);
    return issue;
  }
  void remove(const std::string& title) {
    const std::lock_guard lock(mutex_);
    issues_.erase(title);
  }

  GithubSource open() {
    return GithubSource(vendor_.http("", github_headers("lab-token")), options);
  }
  VendorLab& vendor() { return vendor_; }

  GithubOptions options;
  std::function<std::optional<ServedResponse>(const ServedRequest&)> instead =
      [](const ServedRequest&) { return std::nullopt; };

 private:
  using json = nlohmann::json;

  static json as_json(const Issue& issue) {
    json labels = json::array();
    for (const std::string& label : issue.labels) labels.push_back({{"name", label}});
    json out = {{"number", issue.number},
                {"title", issue.title},
                {"body", issue.text},
                {"state", issue.state},
                {"labels", labels},
                {"html_url", fmt::format("https://github.com/acme/shop/issues/{}", issue.number)},
                {"created_at", "2026-11-20T08:00:00Z"},
                {"updated_at", format_time(issue.updated)},
                {"comments", issue.comments.size()},
                {"closed_at", issue.state == "closed" ? json("2026-11-21T08:00:00Z") : json()}};
    if (issue.is_pull_request) out["pull_request"] = json::object();
    return out;
  }

  ServedResponse comments(const ServedRequest& request) {
    for (const auto& [title, issue] : issues_) {
      if (request.path != fmt::format("/repos/acme/shop/issues/{}/comments", issue.number))
        continue;
      const size_t count = std::stoul(std::string(request.parameter("per_page")));
      const size_t from = count * (std::stoul(std::string(request.parameter("page"))) - 1);
      json list = json::array();
      for (size_t i = from; i < std::min(from + count, issue.comments.size()); ++i)
        list.push_back({{"user",
                         {{"login", issue.comments[i].first},
                          {"type", issue.comments[i].first.ends_with("[bot]") ? "Bot" : "User"}}},
                        {"created_at", "2026-11-21T08:00:00Z"},
                        {"body", issue.comments[i].second}});
      return {.body = list.dump()};
    }
    return {.status = 404, .body = "{}"};
  }

  ServedResponse answer(const ServedRequest& request) {
    const std::lock_guard lock(mutex_);
    if (auto other = instead(request)) return std::move(*other);
    if (request.header("Authorization") != "Bearer lab-token" ||
        request.header("X-GitHub-Api-Version") != "2022-11-28")
      return {.status = 401, .body = "{}"};
    if (request.path.ends_with("/comments")) return comments(request);
    if (request.path != "/repos/acme/shop/issues") return {.status = 404, .body = "{}"};
    const std::string label(request.parameter("labels"));
    std::map<int, json> found;
    for (const auto& [title, issue] : issues_)
      if (std::ranges::find(issue.labels, label) != issue.labels.end())
        found.emplace(issue.number, as_json(issue));
    const std::string page(request.parameter("page"));
    const size_t from = page.empty() ? 0 : 2 * (std::stoul(page) - 1);
    json list = json::array();
    size_t i = 0;
    for (const auto& [number, issue] : found) {
      if (i >= from && i < from + 2) list.push_back(issue);
      ++i;
    }
    ServedResponse out{.body = list.dump()};
    if (from + 2 < found.size())
      out.headers.push_back(
          {"Link", fmt::format("<{}>; rel=\"next\", <{}>; rel=\"last\"",
                               vendor_.url(fmt::format("/repos/acme/shop/issues?labels={}&page={}",
                                                       label, from / 2 + 2)),
                               vendor_.url("/x"))});
    const std::string etag =
        fmt::format("W/\"{}\"", content_hash(fmt::format("{}{}", out.body, out.headers.size())));
    out.headers.push_back({"ETag", etag});
    if (request.header("If-None-Match") == etag)
      return {.status = 304, .headers = {{"ETag", etag}}};
    return out;
  }

  std::mutex mutex_;
  std::map<std::string, Issue> issues_;
  int count_ = 0, seconds_ = 0;
  VendorLab vendor_;
};

}  // namespace precedent
