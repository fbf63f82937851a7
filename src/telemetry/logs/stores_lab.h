// For tests of what reads logs: a Loki in this process, which answers as its reference says. Times
// begin inclusive and end exclusive, at most `limit` lines come, the earliest first, and those of
// one time in no order.
//
// Thread safety: one thread.
#pragma once

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "net/http_client.h"
#include "telemetry/logs/logs_source.h"

namespace precedent {

// The decoded fields behind the '?' of an address.
inline std::map<std::string, std::string> fields_of(std::string_view url) {
  std::map<std::string, std::string> out;
  const size_t mark = url.find('?');
  std::string name, value;
  std::string* into = &name;
  const auto end = [&] {
    if (!name.empty()) out[name] = value;
    name.clear(), value.clear(), into = &name;
  };
  for (size_t i = mark == std::string_view::npos ? url.size() : mark + 1; i < url.size(); ++i) {
    if (url[i] == '&')
      end();
    else if (url[i] == '=' && into == &name)
      into = &value;
    else if (url[i] == '%' && i + 2 < url.size()) {
      int code = 0;
      std::from_chars(url.data() + i + 1, url.data() + i + 3, code, 16);
      *into += static_cast<char>(code), i += 2;
    } else {
      *into += url[i];
    }
  }
  end();
  return out;
}
inline std::string path_of(std::string_view url) {
  const size_t host = url.find("://") + 3;
  const size_t path = url.find('/', host);
  return std::string(url.substr(path, url.find('?') == std::string_view::npos
                                          ? std::string_view::npos
                                          : url.find('?') - path));
}

class FakeLoki final : public HttpClient {
 public:
  void add(int64_t at_ns, LabelSet labels, std::string text) {
    lines_.push_back({at_ns, "", std::move(labels), std::move(text)});
  }
  const std::vector<HttpRequest>& requests() const { return requests_; }
  // Queries for lines, of all requests.
  size_t queries() const {
    return static_cast<size_t>(std::ranges::count_if(requests_, [](const HttpRequest& request) {
      return path_of(request.url) == "/loki/api/v1/query_range";
    }));
  }

  // Instead of the ordinary answer, where it gives one.
  std::function<std::optional<HttpResponse>(const HttpRequest&)> instead = [](const HttpRequest&) {
    return std::nullopt;
  };
  // Answers above the limit of the request are refused as the real client does.
  Result<HttpResponse> stream(const HttpRequest& request, const HttpContext& context,
                              const OnHttpBody& on_body) override {
    TRY(context.cancel.check());
    requests_.push_back(request);
    HttpResponse response = instead(request).value_or(HttpResponse{200, {}, ""});
    if (response.status == 200 && response.body.empty()) response.body = answer(request).dump();
    if (response.body.size() > std::min(request.max_response_bytes, max_answer))
      return fail(ErrorCode::kResourceExhausted, "the response is larger than allowed");
    const std::string body = std::move(response.body);
    response.body.clear();
    on_body(response, body);
    return response;
  }
  size_t max_answer = SIZE_MAX;

 private:
  using json = nlohmann::json;

  static int64_t number(const std::string& text) {
    int64_t out = 0;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
  }

  // {label="value"}, {label!="value", label=~".+"} or {label=~".+"}.
  static bool selects(const std::string& selector, const LabelSet& labels) {
    const std::string label = selector.substr(1, selector.find_first_of("!=") - 1);
    const auto found = labels.find(label);
    const std::string has = label + "=\"", has_not = label + "!=\"";
    const auto value = [&](size_t at) { return selector.substr(at, selector.find('"', at) - at); };
    if (found == labels.end() || found->second.empty()) return false;
    if (const size_t at = selector.find(has_not); at != std::string::npos)
      return found->second != value(at + has_not.size());
    if (const size_t at = selector.find(has); at != std::string::npos)
      return found->second == value(at + has.size());
    return true;
  }

  json answer(const HttpRequest& request) {
    const std::string path = path_of(request.url);
    auto fields = fields_of(request.url);
    const int64_t start = number(fields["start"]), end = number(fields["end"]);
    if (path == "/loki/api/v1/query_range") {
      std::vector<StoredLine> found;
      for (const StoredLine& line : lines_)
        if (line.at_ns >= start && line.at_ns < end && selects(fields["query"], line.labels))
          found.push_back(line);
      // Those of one time in another order each time.
      std::ranges::reverse(lines_);
      std::ranges::stable_sort(found, {}, &StoredLine::at_ns);
      if (const auto limit = static_cast<size_t>(number(fields["limit"])); found.size() > limit)
        found.resize(limit);
      json result = json::array();
      for (const StoredLine& line : found)
        result.push_back(
            {{"stream", line.labels},
             {"values", json::array({json::array({std::to_string(line.at_ns), line.text})})}});
      return {{"status", "success"},
              {"data", {{"resultType", "streams"}, {"result", result}, {"stats", json::object()}}}};
    }
    std::set<std::string> names;
    constexpr std::string_view kBefore = "/loki/api/v1/label/", kBehind = "/values";
    for (const StoredLine& line : lines_)
      for (const auto& [label, value] : line.labels) {
        if (path == "/loki/api/v1/labels") names.insert(label);
        if (path == std::string(kBefore) + label + std::string(kBehind)) names.insert(value);
      }
    return {{"status", "success"}, {"data", names}};
  }

  std::vector<StoredLine> lines_;
  std::vector<HttpRequest> requests_;
};

}  // namespace precedent
