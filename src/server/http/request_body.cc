#include "server/http/request_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "server/http/problem.h"

namespace precedent {
namespace {

std::unexpected<Error> wrong(std::string message) {
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

}  // namespace

Result<RequestBody> RequestBody::of(const ServedRequest& request) {
  nlohmann::json object = parse_json(request.body);
  if (object.is_discarded()) return wrong("the body is no JSON in UTF-8, or nests too deeply");
  if (!object.is_object()) return wrong("the body is no JSON object");
  return RequestBody(std::move(object));
}

const nlohmann::json* RequestBody::find(const char* field) {
  read_.insert(field);
  const auto found = object_.find(field);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

Result<std::string> RequestBody::text(const char* field, Need need) {
  const nlohmann::json* value = find(field);
  if (value == nullptr) {
    if (need == Need::kRequired) return wrong(fmt::format("'{}' is missing", field));
    return std::string();
  }
  if (!value->is_string()) return wrong(fmt::format("'{}' must be a string", field));
  return value->get<std::string>();
}

Result<bool> RequestBody::flag(const char* field, bool otherwise) {
  const nlohmann::json* value = find(field);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) return wrong(fmt::format("'{}' must be true or false", field));
  return value->get<bool>();
}

Result<std::optional<size_t>> RequestBody::count(const char* field, size_t most) {
  const nlohmann::json* value = find(field);
  if (value == nullptr) return std::optional<size_t>();
  // 2.0 is a whole number, too, in JSON Schema as in JSON.
  const double number = value->is_number() ? value->get<double>() : -1;
  if (number < 0 || number > static_cast<double>(most) || std::floor(number) != number)
    return wrong(fmt::format("'{}' must be a whole number from 0 to {}", field, most));
  return static_cast<size_t>(number);
}

Result<nlohmann::json> RequestBody::object(const char* field) {
  const nlohmann::json* value = find(field);
  if (value == nullptr) return nlohmann::json::object();
  if (!value->is_object()) return wrong(fmt::format("'{}' must be an object", field));
  return *value;
}

Result<std::vector<std::string>> RequestBody::texts(const char* field) {
  std::vector<std::string> texts;
  const nlohmann::json* value = find(field);
  if (value == nullptr) return texts;
  const auto is_text = [](const nlohmann::json& item) { return item.is_string(); };
  if (!value->is_array() || !std::ranges::all_of(*value, is_text))
    return wrong(fmt::format("'{}' must be a list of strings", field));
  return value->get<std::vector<std::string>>();
}

nlohmann::json RequestBody::value(const char* field) {
  const nlohmann::json* value = find(field);
  return value == nullptr ? nlohmann::json() : *value;
}

Result<void> RequestBody::end() const {
  for (const auto& [name, value] : object_.items())
    if (!read_.contains(name))
      return wrong(fmt::format("'{}' is not known here; known are: {}", name,
                               join(std::vector<std::string>(read_.begin(), read_.end()), ", ")));
  return {};
}

Result<size_t> read_count(const ServedRequest& request, std::string_view name, size_t otherwise,
                          size_t most) {
  const std::string_view text = request.parameter(name);
  if (text.empty()) return otherwise;
  size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count > most)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is '{}'; it must be a number from 0 to {}", name, text, most));
  return count;
}

Result<bool> read_flag(const ServedRequest& request, std::string_view name) {
  const std::string_view text = request.parameter(name);
  if (text.empty() || text == "false") return false;
  if (text == "true") return true;
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("'{}' is '{}'; it must be true or false", name, text));
}

ServedResponse answered(const ServedRequest& request,
                        const std::function<Result<ServedResponse>(RequestBody& body)>& read) {
  auto body = request.body.empty() ? Result<RequestBody>(RequestBody(nlohmann::json::object()))
                                   : RequestBody::of(request);
  if (!body) return problem(body.error());
  auto response = read(*body);
  return response ? std::move(*response) : problem(response.error());
}

Result<std::string> text_of_content(const nlohmann::json& content) {
  if (content.is_null()) return std::string();
  if (content.is_string()) return content.get<std::string>();
  const auto wrong = [] {
    return fail(ErrorCode::kInvalidArgument,
                "'content' must be a string, or a list of parts with a text");
  };
  if (!content.is_array()) return wrong();
  std::string text;
  for (const nlohmann::json& part : content) {
    if (!part.is_object()) return wrong();
    const auto found = part.find("text");
    if (found == part.end()) continue;  // an image, a file: nothing here reads it
    if (!found->is_string()) return wrong();
    text += (text.empty() ? "" : "\n") + found->get<std::string>();
  }
  return text;
}

}  // namespace precedent
