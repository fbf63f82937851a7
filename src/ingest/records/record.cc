#include "ingest/records/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {

bool Value::blank() const {
  switch (type) {
    case Type::kNull: return true;
    case Type::kText: return trim(text).empty();
    case Type::kList: return text == "[]";
    case Type::kObject: return text == "{}";
    case Type::kBool:
    case Type::kNumber: return false;
  }
  return false;
}

std::string value_shown(const Value& value) {
  constexpr size_t kMaxBytes = 80;
  const std::string safe = redact(squeeze(value.text));
  const std::string_view start = utf8_prefix(safe, kMaxBytes);
  return std::string(start) + (start.size() < safe.size() ? "…" : "");
}

void Record::set(std::string name, Value value) {
  const auto same = std::ranges::find(fields, name, &Field::name);
  if (same != fields.end()) {
    same->value = std::move(value);
  } else {
    fields.push_back({std::move(name), std::move(value)});
  }
}

const Value* Record::find(std::string_view name) const {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &found->value;
}

std::string BadRecord::text() const {
  std::string where = line == 0 ? path : fmt::format("{}:{}", path, line);
  if (!record.empty()) where += ": " + record;
  if (alike > 0) where += fmt::format(" and {} more record{}", alike, alike == 1 ? "" : "s");
  return field.empty() ? fmt::format("{}: {}", where, message)
                       : fmt::format("{}: '{}': {}", where, field, message);
}

std::string too_large(size_t max_bytes) {
  const std::string limit = max_bytes < (1 << 20) ? fmt::format("{} bytes", max_bytes)
                                                  : fmt::format("{} MB", max_bytes >> 20);
  return fmt::format("the record is larger than {}, the most that one may have; shorten it", limit);
}

namespace {

class Items {
 public:
  void add(std::string_view item) {
    const std::string_view text = trim(item);
    if (!text.empty() && seen_.insert(std::string(text)).second) items_.emplace_back(text);
  }

  // Whether `text` was a list of JSON.
  bool add_json(std::string_view text) {
    const auto list = parse_json(text);
    if (!list.is_array()) return false;
    for (const auto& item : list) {
      if (item.is_string()) {
        add(item.get_ref<const std::string&>());
      } else if (item.is_object() && item.contains("name") && item["name"].is_string()) {
        add(item["name"].get_ref<const std::string&>());
      } else if (!item.is_null()) {
        add(item.dump());
      }
    }
    return true;
  }

  std::vector<std::string> take() { return std::move(items_); }

 private:
  std::vector<std::string> items_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

std::vector<std::string> list_items(const Value& value) {
  Items items;
  if (value.blank()) return {};
  const std::string_view text = trim(value.text);
  if ((value.type == Value::Type::kList || text.starts_with('[')) && items.add_json(text))
    return items.take();
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find_first_of(",;\n", begin), text.size());
    items.add(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items.take();
}

}  // namespace precedent
