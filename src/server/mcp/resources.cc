#include "server/mcp/resources.h"

#include <fmt/format.h>

#include <charconv>

#include "base/ascii.h"
#include "base/json_access.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"
#include "net/http_server.h"
#include "server/mcp/output.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr std::string_view kDocument = "precedent://document/";
constexpr std::string_view kIncident = "precedent://incident/";
constexpr const char* kMarkdown = "text/markdown";

std::string clean(std::string_view text) { return redact(visible_text(text)); }

// As RFC 3986 has it for a segment of a path.
std::string escaped(std::string_view id) {
  std::string out;
  for (const char c : id) {
    if (is_letter(c) || is_digit(c) || std::string_view("-._~").contains(c))
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string uri_of(const Document& document) {
  const bool incident = document.kind == Kind::kIncident;
  return fmt::format("{}{}", incident ? kIncident : kDocument, escaped(document.id));
}

json entry(const Document& document) {
  const std::string services =
      document.services.empty() ? "" : " of " + clean(join(document.services, ", "));
  json out = {{"uri", uri_of(document)},
              {"name", clean(document.id)},
              {"title", clean(document.title)},
              {"description", fmt::format("{}{}", name(document.kind), services)},
              {"mimeType", kMarkdown}};
  if (document.updated_at)
    out["annotations"] = {{"lastModified", format_time(*document.updated_at)}};
  return out;
}

// What stands beside the text, and the text.
std::string text_of(const Document& document) {
  std::string out = fmt::format("# {}\n\n", document.title);
  const auto field = [&](std::string_view label, const std::string& value) {
    if (!value.empty()) out += fmt::format("- {}: {}\n", label, value);
  };
  const auto time = [](const std::optional<TimePoint>& at) {
    return at ? format_time(*at) : std::string();
  };
  field("id", document.id);
  field("kind", std::string(name(document.kind)));
  field("path", document.path);
  field("application", document.application);
  field("services", join(document.services, ", "));
  field("severity", document.severity);
  field("status", document.status);
  field("opened", time(document.opened_at));
  field("resolved", time(document.resolved_at));
  field("updated", time(document.updated_at));
  return out + '\n' + document.body;
}

std::optional<uint64_t> read_cursor(const std::string& cursor) {
  uint64_t point = 0;
  const auto [end, error] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), point);
  if (error != std::errc() || end != cursor.data() + cursor.size()) return std::nullopt;
  return point;
}

McpError internal(const Error& error) { return {kMcpInternalError, error.text()}; }

}  // namespace

McpResult<json> McpResources::list(const McpCall& call) const {
  // A page of a hundred entries has about 30,000 bytes.
  constexpr size_t kPage = 100, kPageBytes = 4 << 20;
  // Blocks that are read for one page, whatever is listed of them.
  constexpr int kBlocks = 20;
  std::optional<uint64_t> after = 0;
  if (const json& cursor = foreign::member(call.params, "cursor"); !cursor.is_null()) {
    after = cursor.is_string() ? read_cursor(cursor.get<std::string>()) : std::nullopt;
    if (!after)
      return mcp_fail(kMcpInvalidParams,
                      "'cursor' is none that was given here; begin again without it");
  }
  const auto known = services_.knowledge();
  if (!known) return std::unexpected(internal(known.error()));
  // Beside what is known, on the first page.
  json resources =
      *after == 0 && services_.more != nullptr ? services_.more->resources() : json::array();
  bool more = true;
  for (int block = 0; more && block < kBlocks && resources.size() < kPage; ++block) {
    const size_t wanted = kPage - resources.size();
    const auto read = known->store.stored_after(*after, wanted, kPageBytes);
    if (!read) return std::unexpected(internal(read.error()));
    more = !read->empty();
    for (const StoredDocument& stored : *read) {
      after = stored.point;
      if (stored.document.kind != Kind::kCode && stored.document.kind != Kind::kGolden)
        resources.push_back(entry(stored.document));
    }
  }
  json page = {{"resources", std::move(resources)}};
  if (more) page["nextCursor"] = std::to_string(*after);
  return page;
}

json McpResources::templates() const {
  json all = json::array({{{"uriTemplate", fmt::format("{}{{id}}", kDocument)},
                           {"name", "document"},
                           {"title", "A document"},
                           {"description", "A runbook, post-mortem, note or file by its id"},
                           {"mimeType", kMarkdown}},
                          {{"uriTemplate", fmt::format("{}{{id}}", kIncident)},
                           {"name", "incident"},
                           {"title", "An incident"},
                           {"description", "An incident by its id, such as INC-2025-08-24-001"},
                           {"mimeType", kMarkdown}}});
  if (services_.more != nullptr)
    for (json& one : services_.more->templates()) all.push_back(std::move(one));
  return {{"resourceTemplates", std::move(all)}};
}

McpResult<json> McpResources::read(const McpCall& call) const {
  const std::string uri = foreign::string_at(call.params, "uri");
  const bool incident = uri.starts_with(kIncident);
  const auto missing = [&](int code) {
    return mcp_fail(code, fmt::format("there is no resource '{}'", utf8_prefix(uri, 200)), 200,
                    {{"uri", std::string(utf8_prefix(uri, 200))}});
  };
  if (services_.more != nullptr)
    if (auto contents = services_.more->contents(uri))
      return json{{"contents", std::move(*contents)}};
  const int not_found = call.modern ? kMcpInvalidParams : kMcpResourceNotFound;
  if (!incident && !uri.starts_with(kDocument)) return missing(not_found);
  const auto id =
      percent_decoded(std::string_view(uri).substr((incident ? kIncident : kDocument).size()));
  if (!id || id->empty()) return missing(not_found);
  const auto known = services_.knowledge();
  if (!known) return std::unexpected(internal(known.error()));
  const auto found = known->store.find(*id);
  if (!found) return std::unexpected(internal(found.error()));
  if (!*found || (incident && (*found)->kind != Kind::kIncident)) return missing(not_found);
  return json{
      {"contents", json::array({{{"uri", uri},
                                 {"mimeType", kMarkdown},
                                 {"text", bounded_text(clean(text_of(**found)), kMcpMaxBytes)}}})}};
}

}  // namespace precedent
