#include "server/knowledge/uploads_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/strings.h"
#include "server/http/multipart.h"
#include "server/http/problem.h"
#include "server/http/request_body.h"
#include "server/knowledge/upload_shape.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMaxSourceBytes = 200;

// What was sent, or why it is not taken.
struct Sent {
  std::vector<SentFile> files;
  UploadReading reading;
};
using Refused = std::expected<Sent, ServedResponse>;

std::unexpected<ServedResponse> refuse(int status, std::string_view detail) {
  return std::unexpected(problem(status, detail));
}

Result<Kind> read_kind(const std::string& text) {
  const auto kind = parse_kind(text);
  std::vector<std::string> names;
  for (const Kind known : kAllKinds) {
    if (known == Kind::kGolden || known == Kind::kCode) continue;
    if (kind == known) return *kind;
    names.emplace_back(name(known));
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("'kind' is '{}'; it must be one of {}", text, join(names, ", ")));
}

Result<void> read_field(std::string_view field, const std::string& text, UploadReading& reading) {
  if (field == "kind") {
    if (!text.empty()) reading.kind = TRY(read_kind(text));
    return {};
  }
  if (text.size() > kMaxSourceBytes)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'source' has more than {} bytes", kMaxSourceBytes));
  reading.source = text;
  return {};
}

// Of text/csv and the like; a form that is not multipart has no file in it.
bool is_file_type(std::string_view content_type) {
  const std::string type = ascii_lower(
      trim(content_type.substr(0, std::min(content_type.size(), content_type.find(';')))));
  return type.empty() || type.starts_with("text/") || type == "application/json" ||
         type == "application/jsonl" || type == "application/x-ndjson" ||
         type == "application/ndjson" || type == "application/csv" ||
         type == "application/octet-stream";
}

std::expected<void, ServedResponse> take_file(const UploadLimits& limits, std::string_view called,
                                              std::string_view bytes, Sent& sent) {
  std::string name = clean_file_name(called);
  if (name.empty()) return refuse(400, "a file has no name; give it one, as incidents.csv");
  if (upload_extension(name).empty())
    return refuse(415, fmt::format("'{}' is none of the files that can be read: .json .jsonl "
                                   ".ndjson .csv .tsv .md .markdown .txt",
                                   name));
  if (sent.files.size() == limits.files)
    return refuse(413, fmt::format("there are more than {} files; send them in several uploads",
                                   limits.files));
  if (std::ranges::find(sent.files, name, &SentFile::name) != sent.files.end())
    return refuse(400, fmt::format("two files are called '{}'; rename one of them", name));
  sent.files.push_back({std::move(name), bytes});
  return {};
}

Refused read_form(const UploadLimits& limits, const ServedRequest& request) {
  const auto parts = parse_multipart(request.header("Content-Type"), request.body);
  if (!parts) return std::unexpected(problem(parts.error()));
  Sent sent;
  for (const MultipartPart& part : *parts) {
    if (part.name == "file") {
      if (!part.is_file) return refuse(400, "'file' has no file name; send it as a file");
      if (auto taken = take_file(limits, part.filename, part.body, sent); !taken)
        return std::unexpected(std::move(taken).error());
    } else if (part.name == "kind" || part.name == "source") {
      if (const auto read = read_field(part.name, std::string(part.body), sent.reading); !read)
        return std::unexpected(problem(read.error()));
    } else {
      return refuse(
          400, fmt::format("'{}' is not known here; known are: file, kind, source", part.name));
    }
  }
  return sent;
}

Refused read_raw(const UploadLimits& limits, const ServedRequest& request) {
  const std::string_view type = request.header("Content-Type");
  if (!is_file_type(type))
    return refuse(415, fmt::format("the content type is '{}'; send multipart/form-data with the "
                                   "field 'file', or the bytes of one file as "
                                   "application/octet-stream with ?name=incidents.csv",
                                   type));
  Sent sent;
  if (auto taken = take_file(limits, request.parameter("name"), request.body, sent); !taken)
    return std::unexpected(std::move(taken).error());
  for (const char* field : {"kind", "source"}) {
    const std::string value(request.parameter(field));
    if (value.empty()) continue;
    if (const auto read = read_field(field, value, sent.reading); !read)
      return std::unexpected(problem(read.error()));
  }
  return sent;
}

json to_json(const UploadShown& upload) {
  return {{"upload_id", upload.id},
          {"expires_at", format_time(upload.expires_at)},
          {"state", name(upload.state)},
          {"report", precedent::to_json(upload.report)}};
}

ServedResponse create(Uploads& uploads, const ServedRequest& request) {
  const UploadLimits& limits = uploads.limits();
  const auto sent = is_multipart(request.header("Content-Type")) ? read_form(limits, request)
                                                                 : read_raw(limits, request);
  if (!sent) return sent.error();
  size_t bytes = 0;
  for (const SentFile& file : sent->files) bytes += file.bytes.size();
  if (sent->files.empty()) return problem(400, "there is no file in it; send the field 'file'");
  if (bytes > limits.bytes)
    return problem(
        413, fmt::format("the files have {} bytes; an upload may have {}", bytes, limits.bytes));
  const auto upload = uploads.create(sent->files, sent->reading);
  if (!upload) return problem(upload.error());
  ServedResponse response = json_response(to_json(*upload), 201);
  response.headers.push_back({"Location", "/uploads/" + upload->id});
  return response;
}

Result<json> shown(const Result<UploadShown>& upload) {
  if (!upload) return std::unexpected(upload.error());
  return to_json(*upload);
}

// An empty column takes the field's mapping back.
Result<std::map<std::string, std::string>> read_map(const json& object) {
  std::map<std::string, std::string> map;
  for (const auto& [field, column] : object.items()) {
    if (!column.is_string() && !column.is_null())
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'map': '{}' must be the name of a column", field));
    if (column.is_string() && !trim(column.get<std::string>()).empty())
      map.emplace(field, column.get<std::string>());
  }
  return map;
}

Result<ServedResponse> read_as(Uploads& uploads, const std::string& id, RequestBody& body) {
  UploadReading reading;
  const json map = TRY(body.object("map"));
  if (!body.value("map").is_null()) reading.map = TRY(read_map(map));
  for (const char* field : {"kind", "source"}) {
    const std::string value = TRY(body.text(field));
    if (!value.empty()) TRY(read_field(field, value, reading));
  }
  TRY(body.end());
  return json_response(TRY(shown(uploads.read_as(id, reading))));
}

Result<json> remove(Uploads& uploads, const std::string& id) {
  TRY(uploads.remove(id));
  return json{{"upload_id", id}, {"deleted", true}};
}

}  // namespace

void add_upload_routes(Router& router, Uploads& uploads) {
  router.add_now(
      "POST", "/uploads",
      [&uploads](const Routed& routed) { return create(uploads, routed.request); },
      Takes::kAnything);
  router.add_now("GET", "/uploads/{id}", [&uploads](const Routed& routed) {
    return json_or_problem(shown(uploads.find(routed.at("id"))));
  });
  router.add_now("PUT", "/uploads/{id}", [&uploads](const Routed& routed) {
    return answered(routed.request,
                    [&](RequestBody& body) { return read_as(uploads, routed.at("id"), body); });
  });
  router.add_now("POST", "/uploads/{id}/ingest", [&uploads](const Routed& routed) {
    const auto log = uploads.ingest(routed.at("id"));
    return log ? event_stream((*log)->read(routed.request.header("Last-Event-ID")))
               : problem(log.error());
  });
  router.add_now("DELETE", "/uploads/{id}", [&uploads](const Routed& routed) {
    return json_or_problem(remove(uploads, routed.at("id")));
  });
}

}  // namespace precedent
