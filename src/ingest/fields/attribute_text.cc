#include "ingest/fields/attribute_text.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"
#include "ingest/records/field_map.h"
#include "ingest/records/record.h"

namespace precedent {
namespace {

// Folded names, in the order in which a reader wants them.
constexpr std::array<std::string_view, 25> kFirst = {
    "rootcause",        "workaround",     "mitigation",    "actiontaken",  "resolution",
    "actionitems",      "duration",       "impact",        "incidentid",   "incidentdate",
    "discoveredat",     "resolvedat",     "ticketurl",     "dependencies", "team",
    "accountableparty", "owner",          "oncall",        "escalation",   "tier",
    "author",           "repeatincident", "lastvalidated", "expiresat",    "sourcesystem"};

size_t rank(std::string_view name) {
  return static_cast<size_t>(std::ranges::find(kFirst, bare_name(name)) - kFirst.begin());
}

// "rootCause", "root_cause" → "Root cause".
std::string label_of(std::string_view name) {
  std::string label;
  for (size_t i = 0; i < name.size(); ++i) {
    if (is_upper(name[i]) && i > 0 && !is_upper(name[i - 1])) label += ' ';
    label += name[i] == '_' || name[i] == '-' ? ' ' : name[i];
  }
  label = squeeze(ascii_lower(label));
  if (!label.empty() && is_lower(label[0])) label[0] = static_cast<char>(label[0] - 32);
  return label;
}

std::string value_of(const std::string& text) {
  if (!text.starts_with('[')) return text;
  const std::vector<std::string> items = list_items({Value::Type::kList, text});
  const bool long_items =
      std::ranges::any_of(items, [](const std::string& item) { return item.size() > 40; });
  return long_items ? "\n- " + join(items, "\n- ") : join(items, ", ");
}

// Addresses, paths, hashes and counters of fields that we do not know are for programs.
bool for_programs(std::string_view text) {
  const bool one_token = text.find_first_of(" \n,") == std::string_view::npos;
  const bool letters =
      std::ranges::any_of(text, [](char c) { return is_upper(c) || is_lower(c) || (c & 0x80); });
  const bool signs = text.find_first_of("/0123456789") != std::string_view::npos;
  return one_token && (!letters || signs);
}

}  // namespace

std::string attribute_text(const Document& document) {
  std::vector<const Attributes::value_type*> shown;
  for (const auto& attribute : document.attributes) {
    if (rank(attribute.first) < kFirst.size() || !for_programs(attribute.second))
      shown.push_back(&attribute);
  }
  std::ranges::sort(shown, {}, [](const auto* attribute) {
    return std::pair(rank(attribute->first), std::string_view(attribute->first));
  });
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (value.empty()) return;
    if (!text.empty()) text += '\n';
    text.append(name).append(value.starts_with('\n') ? ":" : ": ").append(value);
  };
  add("Symptoms", join(document.symptoms, "; "));
  for (const auto* attribute : shown) add(label_of(attribute->first), value_of(attribute->second));
  return text;
}

}  // namespace precedent
