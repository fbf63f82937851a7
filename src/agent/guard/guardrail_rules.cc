#include "agent/guard/guardrail_rules.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include "agent/language/nearest_name.h"
#include "agent/language/plain_words.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// The built-in file has 4 KB; the parser's time on hostile text grows faster than the text.
constexpr size_t kMaxBytes = 256 * 1024;
// Entries of one list: sentences are embedded when they are first needed.
constexpr size_t kMaxEntries = 2000;
constexpr std::string_view kOther = "other";

// Thrown and caught in this file, where yaml-cpp's own exceptions are.
struct Bad {
  int line;  // 1-based
  std::string message;
};

// Goes on after what is wrong with one part, if all problems are wanted.
class Reading {
 public:
  Reading(std::string_view origin, ConfigProblems* all) : origin_(origin), all_(all) {}

  template <typename Part>
  void part(Part read) const {
    if (all_ == nullptr) return read();
    try {
      read();
    } catch (const Bad& bad) {
      all_->push_back(error_of(bad.line, bad.message));
    }
  }
  Error error_of(int line, std::string_view message) const {
    return {ErrorCode::kInvalidArgument, fmt::format("{}:{}: {}", origin_, line, message)};
  }

 private:
  std::string_view origin_;
  ConfigProblems* all_;
};

int line_of(const YAML::Node& node) { return node.Mark().is_null() ? 1 : node.Mark().line + 1; }

[[noreturn]] void refuse(const YAML::Node& node, std::string message) {
  throw Bad{line_of(node), std::move(message)};
}

std::string read_text(const YAML::Node& node, std::string_view key) {
  if (!node.IsScalar()) refuse(node, fmt::format("'{}' must be text", key));
  return std::string(trim(node.Scalar()));
}

double read_similarity(const YAML::Node& node, std::string_view key) {
  const std::string text = read_text(node, key);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || value > 1)
    refuse(node, fmt::format("'{}' is '{}'; write a number above 0 and at most 1, such as 0.7", key,
                             utf8_prefix(text, 40)));
  return value;
}

YAML::Node list_node(const YAML::Node& node, std::string_view key) {
  if (!node.IsSequence())
    refuse(node, fmt::format("'{}' must be a list; write [a, b] or one '- …' a line", key));
  if (node.size() > kMaxEntries)
    refuse(node, fmt::format("'{}' has {} entries, at most {} are allowed", key, node.size(),
                             kMaxEntries));
  return node;
}

// Sentences, words and phrases: all hold a word, or they would match nothing.
std::vector<std::string> read_list(const Reading& reading, const YAML::Node& node,
                                   std::string_view key) {
  std::vector<std::string> list;
  for (const auto& item : list_node(node, key)) {
    reading.part([&] {
      list.push_back(read_text(item, fmt::format("an entry of {}", key)));
      if (plain_words(list.back()).words.empty())
        refuse(item, fmt::format("'{}' in {} holds no word; remove it",
                                 utf8_prefix(list.back(), 40), key));
    });
  }
  return list;
}

using Field = std::pair<std::string_view, std::function<void(const YAML::Node&)>>;

// Reads the mapping `node` with exactly these keys, each optional.
void read_map(const Reading& reading, const YAML::Node& node, std::string_view what,
              const std::vector<Field>& fields) {
  if (!node.IsMap()) refuse(node, fmt::format("{} must be keys with values ('key: …')", what));
  std::vector<std::string_view> names;
  for (const Field& field : fields) names.push_back(field.first);
  for (const auto& item : node) {
    const std::string key = item.first.IsScalar() ? item.first.Scalar() : "";
    reading.part([&] {
      const auto field = std::ranges::find(fields, std::string_view(key), &Field::first);
      if (field == fields.end()) {
        refuse(item.first, fmt::format("{} has no key '{}'; did you mean '{}'?", what,
                                       utf8_prefix(key, 40), nearest_name(key, names)));
      }
      field->second(item.second);
    });
  }
}

Field list_field(const Reading& reading, std::string_view key, std::vector<std::string>& to) {
  return {key,
          [&reading, key, &to](const YAML::Node& node) { to = read_list(reading, node, key); }};
}
Field text_field(std::string_view key, std::string& to) {
  return {key, [key, &to](const YAML::Node& node) { to = read_text(node, key); }};
}

template <typename Item, typename Read>
std::vector<Item> read_named(const Reading& reading, const YAML::Node& node, std::string_view what,
                             Read read) {
  if (!node.IsSequence()) refuse(node, fmt::format("'{}' must be a list of '- name: …'", what));
  if (node.size() > kMaxEntries)
    refuse(node, fmt::format("'{}' has more than {} entries", what, kMaxEntries));
  std::vector<Item> items;
  for (const auto& entry : node) {
    reading.part([&] {
      Item item;
      read(entry, item);
      if (item.name.empty()) refuse(entry, fmt::format("an entry of {} has no name", what));
      if (item.message.empty())
        refuse(entry, fmt::format("'{}' has no message; write what people are told", item.name));
      items.push_back(std::move(item));
    });
  }
  return items;
}

void read_deny(const Reading& reading, const YAML::Node& node, GuardrailRules& rules) {
  const auto read_group = [&reading](const YAML::Node& entry, DenyGroup& group) {
    read_map(
        reading, entry, "a group of deny",
        {text_field("name", group.name), text_field("message", group.message),
         list_field(reading, "words", group.words), list_field(reading, "phrases", group.phrases),
         list_field(reading, "meaning", group.meaning)});
  };
  read_map(reading, node, "deny",
           {{"similarity",
             [&](const YAML::Node& value) {
               rules.deny_similarity = read_similarity(value, "similarity");
             }},
            {"groups", [&](const YAML::Node& value) {
               rules.deny = read_named<DenyGroup>(reading, value, "deny.groups", read_group);
             }}});
}

void read_refusals(const YAML::Node& node, GuardrailRules& rules) {
  if (!node.IsMap()) refuse(node, "refusals must be keys with values ('key: …')");
  for (const auto& item : node) {
    const std::string label = read_text(item.first, "a key of refusals");
    std::string message = read_text(item.second, label);
    if (message.empty())
      refuse(item.first, fmt::format("'{}' has no message; write what people are told",
                                     utf8_prefix(label, 40)));
    rules.refusals.insert_or_assign(label, std::move(message));
  }
}

GuardrailRules read_rules(const Reading& reading, const YAML::Node& root) {
  GuardrailRules rules;
  read_map(reading, root, "the file",
           {text_field("offer", rules.offer),
            {"deny", [&](const YAML::Node& node) { read_deny(reading, node, rules); }},
            list_field(reading, "allow", rules.allow),
            {"refusals", [&](const YAML::Node& node) { read_refusals(node, rules); }},
            text_field("clarify", rules.clarify)});
  reading.part([&] {
    if (rules.clarify.empty())
      throw Bad{1, "there is no 'clarify'; write what is asked back where a question is vague"};
  });
  reading.part([&] {
    if (!rules.refusals.contains(kOther))
      throw Bad{1, "there is no 'other' in 'refusals'; write what people are told by default"};
  });
  return rules;
}

}  // namespace

Result<GuardrailRules> parse_guardrail_rules(std::string_view yaml, std::string_view origin,
                                             ConfigProblems* all) {
  const Reading reading(origin, all);
  const auto bad = [&](int line, std::string_view message) {
    return std::unexpected(reading.error_of(line, message));
  };
  if (yaml.size() > kMaxBytes) {
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("{} has {} KB, at most {} are read; shorten it", origin,
                            yaml.size() >> 10, kMaxBytes >> 10));
  }
  if (const auto at = invalid_utf8_at(yaml)) {
    return bad(static_cast<int>(1 + std::ranges::count(yaml.substr(0, *at), '\n')),
               "the file is not valid UTF-8; convert it, for example with `iconv -t UTF-8`");
  }
  try {
    return read_rules(reading, YAML::Load(std::string(yaml)));
  } catch (const Bad& e) {
    return bad(e.line, e.message);
  } catch (const YAML::Exception& e) {
    return bad(e.mark.is_null() ? 1 : e.mark.line + 1,
               fmt::format("broken YAML: {}; quote values that hold ': ' or '#'", e.msg));
  } catch (const std::exception& e) {
    return bad(1, fmt::format("the file cannot be read: {}", e.what()));
  }
}

const std::string& GuardrailRules::message_of(std::string_view label) const {
  const auto found = refusals.find(label);
  return found == refusals.end() ? refusals.find(kOther)->second : found->second;
}

}  // namespace precedent
