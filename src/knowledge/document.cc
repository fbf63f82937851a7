#include "knowledge/document.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace precedent {
namespace {

// Length-prefixed, so that no two field lists give the same bytes.
void put(std::string& out, std::string_view text) {
  fmt::format_to(std::back_inserter(out), "{}:{};", text.size(), text);
}

void put(std::string& out, const std::vector<std::string>& list) {
  fmt::format_to(std::back_inserter(out), "[{}]", list.size());
  for (const std::string& item : list) put(out, item);
}

void put(std::string& out, const std::optional<TimePoint>& time) {
  put(out, time ? format_time(*time) : "");
}

}  // namespace

std::string content_hash(const Document& d) {
  std::string bytes;
  bytes.reserve(d.body.size() + 512);
  for (const std::string_view text :
       {std::string_view(d.id), name(d.kind), std::string_view(d.title), std::string_view(d.body),
        std::string_view(d.path), std::string_view(d.application), std::string_view(d.severity),
        std::string_view(d.status)}) {
    put(bytes, text);
  }
  for (const auto* list : {&d.services, &d.symptoms, &d.tags}) put(bytes, *list);
  for (const auto& time : {d.opened_at, d.updated_at, d.resolved_at}) put(bytes, time);
  for (const auto& [key, value] : d.attributes) {
    put(bytes, key);
    put(bytes, value);
  }
  put(bytes, std::to_string(d.body_line));
  return content_hash(std::string_view(bytes));
}

}  // namespace precedent
