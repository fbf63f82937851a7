// RequestBody: a JSON object that a client sent, read field by field.
//
//   RequestBody body = TRY(RequestBody::of(request));
//   const std::string message = TRY(body.text("message", Need::kRequired));
//   TRY(body.end());                       // a field that nobody asked for is an error
//
// Errors: kInvalidArgument naming the field and what it must be. Thread safety: one thread.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "net/http_server.h"

namespace precedent {

enum class Need : uint8_t { kOptional, kRequired };

class RequestBody {
 public:
  // Of a request that a Router passed: its content type is JSON, or says none.
  static Result<RequestBody> of(const ServedRequest& request);
  // Of an object within one.
  explicit RequestBody(nlohmann::json object) : object_(std::move(object)) {}

  // "" where it is optional and missing, or null.
  Result<std::string> text(const char* field, Need need = Need::kOptional);
  Result<bool> flag(const char* field, bool otherwise);
  // A whole number from 0 to `most`; nothing where it is missing, or null.
  Result<std::optional<size_t>> count(const char* field, size_t most);
  // An empty object where it is missing, or null.
  Result<nlohmann::json> object(const char* field);
  // Of texts; empty where it is missing, or null.
  Result<std::vector<std::string>> texts(const char* field);
  // Of any type; null where it is missing.
  nlohmann::json value(const char* field);
  Result<void> end() const;

 private:
  const nlohmann::json* find(const char* field);
  nlohmann::json object_;
  std::set<std::string> read_;
};

// What `read` makes of the body, an empty one being an empty object, or what is wrong.
ServedResponse answered(const ServedRequest& request,
                        const std::function<Result<ServedResponse>(RequestBody& body)>& read);

// A number of the query, from 0 to `most`. Errors: kInvalidArgument naming it.
Result<size_t> read_count(const ServedRequest& request, std::string_view name, size_t otherwise,
                          size_t most);

// "true" or "false" of the query. Errors: kInvalidArgument naming it.
Result<bool> read_flag(const ServedRequest& request, std::string_view name);

// Of a message: a text, or a list of parts of which the texts count. Errors: kInvalidArgument.
Result<std::string> text_of_content(const nlohmann::json& content);

}  // namespace precedent
