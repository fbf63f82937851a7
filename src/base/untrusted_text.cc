#include "base/untrusted_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// Fewer in a row stand in honest text (a byte order mark, soft hyphens, word joiners) and say
// nothing; more of them are somebody's message.
constexpr size_t kMessageOfHidden = 4;
// Of a tag's attribute: a tool's name.
constexpr size_t kMaxAttributeBytes = 64;
// The longest name of a tag that is looked at.
constexpr size_t kMaxTagName = 32;
// What the tags of delimit() begin with; text may have no tag that does, however long its name.
constexpr std::string_view kOurTags = "data-";

char at(std::string_view text, size_t i) { return i < text.size() ? text[i] : '\0'; }

// --- Escape sequences.

constexpr char kEscape = '\x1b';

// The second byte of the escape that begins at `i`, also of its one-character form (U+0080–U+009F);
// `bytes` is what stands before the parameters. '\0' if none begins here.
char escape_at(std::string_view text, size_t i, size_t& bytes) {
  bytes = 2;
  if (text[i] == kEscape) {
    const char second = at(text, i + 1);
    // "ESC SP F" announces what nobody uses; a stray escape before a space is common.
    return second > 0x20 && second <= 0x7e ? second : '\0';
  }
  const auto second = static_cast<unsigned char>(at(text, i + 1));
  if (text[i] != '\xc2' || second < 0x80 || second > 0x9f) return '\0';
  return static_cast<char>(second - 0x40);
}

// After the sequence that begins at `i`; `i` if none does.
size_t end_of_escape(std::string_view text, size_t i) {
  size_t bytes = 0;
  const char kind = escape_at(text, i, bytes);
  if (kind == '\0') return i;
  size_t end = i + bytes;
  if (kind == '[') {
    while (end < text.size() && text[end] >= 0x20 && text[end] <= 0x3f) ++end;
    return at(text, end) >= 0x40 && at(text, end) <= 0x7e ? end + 1 : end;
  }
  if (kind == ']' || kind == 'P' || kind == 'X' || kind == '^' || kind == '_') {
    // A string ends with BEL or ST; where it does not, only its introducer goes.
    for (size_t at_end = end; at_end < text.size() && text[at_end] != '\n'; ++at_end) {
      if (text[at_end] == '\a') return at_end + 1;
      size_t ignored = 0;
      const char other = escape_at(text, at_end, ignored);
      if (other == '\\') return at_end + 2;
      if (other != '\0' || text[at_end] == kEscape) break;
    }
    return end;
  }
  // Intermediates, then a final byte; else a sequence of two.
  if (kind >= 0x20 && kind <= 0x2f) {
    while (at(text, end) >= 0x20 && at(text, end) <= 0x2f) ++end;
    return at(text, end) >= 0x30 && at(text, end) <= 0x7e ? end + 1 : end;
  }
  return end;
}

// --- Characters that nobody sees.

bool within(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

bool is_hidden(char32_t c) {
  if (c == '\n' || c == '\t') return false;
  return c < 0x20 || within(c, 0x7f, 0x9f) || c == 0xad || c == 0x34f || c == 0x61c ||
         within(c, 0x115f, 0x1160) || within(c, 0x17b4, 0x17b5) || within(c, 0x180b, 0x180f) ||
         within(c, 0x200b, 0x200f) || within(c, 0x202a, 0x202e) || within(c, 0x2060, 0x206f) ||
         c == 0x3164 || within(c, 0xfe00, 0xfe0f) || c == 0xfeff || c == 0xffa0 ||
         within(c, 0xfff0, 0xfffb) || within(c, 0x1d173, 0x1d17a) || within(c, 0xe0000, 0xe0fff);
}

bool is_joiner(char32_t c) { return c == 0x200c || c == 0x200d; }
bool is_variation(char32_t c) { return c == 0xfe0e || c == 0xfe0f; }
bool is_line_separator(char32_t c) { return c == 0x2028 || c == 0x2029; }

// Joiners between letters that are not Latin, and within emoji; a selector after what it varies.
bool has_a_purpose(char32_t c, char32_t before, std::string_view text, size_t next) {
  if (before < 0x80 || is_variation(before)) {
    // ❤️‍🔥: a joiner may follow a selector.
    if (!is_joiner(c) || !is_variation(before)) return false;
  }
  if (is_joiner(before)) return false;
  if (is_variation(c)) return true;
  if (!is_joiner(c) || next >= text.size()) return false;
  const char32_t after = code_point_at(text, next).value;
  return after >= 0x80 && !is_hidden(after) && !is_line_separator(after);
}

// --- What a model could take for the frame of its conversation.

// Names of tags that prompts and templates of models are made of.
constexpr auto kFrameTags = std::to_array<std::string_view>(
    {"assistant",     "begin_of_text", "bos",           "developer",      "end_of_text",
     "end_of_turn",   "eos",           "function_call", "function_calls", "function_results",
     "human",         "instruction",   "instructions",  "invoke",         "s",
     "scratchpad",    "start_of_turn", "sys",           "system",         "system-reminder",
     "system_prompt", "think",         "thinking",      "tool_call",      "tool_calls",
     "tool_output",   "tool_outputs",  "tool_response", "tool_result",    "tool_results",
     "tool_use",      "transcript"});
constexpr auto kFrameBrackets =
    std::to_array<std::string_view>({"available_tools", "end of the summary", "inst", "sys",
                                     "system", "system_prompt", "tool_calls", "tool_results"});
// Keys of a call as vendors write it, with their quotation marks.
constexpr auto kCallKeys =
    std::to_array<std::string_view>({"\"tool_calls\"", "\"tool_call\"", "\"function_call\"",
                                     "\"function_calls\"", "\"tool_use\"", "\"arguments\""});

struct RoleWord {
  std::string_view word;
  // Settings have this name in small letters: only "User:" and "## user:" are a role.
  bool a_setting_too;
};
constexpr auto kRoleWords = std::to_array<RoleWord>({{"action input", false},
                                                     {"ai", false},
                                                     {"assistant", false},
                                                     {"developer", true},
                                                     {"final answer", false},
                                                     {"function", true},
                                                     {"human", false},
                                                     {"instruction", true},
                                                     {"instructions", true},
                                                     {"observation", true},
                                                     {"system", true},
                                                     {"thought", true},
                                                     {"tool", true},
                                                     {"user", true}});

template <size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

// "### System:", "**Human**:", "ASSISTANT:", "## Instruction" from the begin of a line.
bool is_role_line(std::string_view line) {
  size_t i = 0;
  bool decorated = false, heading = false;
  for (; i < line.size() && std::string_view(" \t#>*_").contains(line[i]); ++i) {
    heading |= line[i] == '#';
    decorated |= line[i] == '#' || line[i] == '*';
  }
  size_t end = i;
  while (is_letter(at(line, end)) || (at(line, end) == ' ' && is_letter(at(line, end + 1)))) {
    if (++end - i > kMaxTagName) return false;
  }
  const std::string word = ascii_lower(line.substr(i, end - i));
  const auto* role = std::ranges::find(kRoleWords, word, &RoleWord::word);
  if (role == kRoleWords.end()) return false;
  if (role->a_setting_too && !decorated && line[i] >= 'a') return false;
  while (at(line, end) == '*' || at(line, end) == '_') ++end;
  if (at(line, end) == ':') return true;
  return heading && trim(line.substr(end)).empty();
}

// What stands after '<' names a tag of kFrameTags, a special token, or one of our own tags.
bool is_frame_tag(std::string_view after) {
  if (after.starts_with('|') || after.starts_with("｜")) return true;
  size_t i = 0;
  while (at(after, i) == '/' || at(after, i) == ' ') {
    if (++i > kMaxTagName) return false;
  }
  if (ascii_lower(after.substr(i, kOurTags.size())) == kOurTags) return true;
  size_t end = i;
  while (is_letter(at(after, end)) || at(after, end) == '_' || at(after, end) == '-') {
    if (++end - i > kMaxTagName) return false;
  }
  const std::string name = ascii_lower(after.substr(i, end - i));
  const char next = at(after, end);
  if (next == ':') return name == "antml";
  return (next == '>' || next == ' ' || next == '/' || next == '\n' || next == '\t') &&
         is_one_of(name, kFrameTags);
}

bool is_frame_bracket(std::string_view after) {
  if (after.starts_with('/')) after.remove_prefix(1);
  const std::string_view inside = after.substr(0, kMaxTagName);
  const size_t end = inside.find(']');
  return end != std::string_view::npos &&
         is_one_of(ascii_lower(inside.substr(0, end)), kFrameBrackets);
}

// A model reads these as the sign that they look like.
constexpr std::string_view kFullwidthLess = "＜", kSmallLess = "﹤";

std::string without_frames(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  bool line_begins = true;
  for (size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (line_begins && is_role_line(rest.substr(0, rest.find('\n')))) out += "› ";
    line_begins = text[i] == '\n';
    size_t bytes = 0;
    if (text[i] == '<') bytes = 1;
    if (rest.starts_with(kFullwidthLess) || rest.starts_with(kSmallLess)) bytes = 3;
    if (bytes > 0 && is_frame_tag(rest.substr(bytes))) {
      out += "‹";
    } else if (text[i] == '[' && is_frame_bracket(rest.substr(1))) {
      out += "⁅";
      bytes = 1;
    } else if (text[i] == '"' && std::ranges::any_of(kCallKeys, [&](std::string_view key) {
                 return rest.starts_with(key);
               })) {
      out += "“";
      bytes = 1;
    } else {
      out += text[i];
      bytes = 1;
    }
    i += bytes;
  }
  return out;
}

std::string attribute(std::string_view name, std::string_view value) {
  std::string clean;
  for (const char c : value.substr(0, kMaxAttributeBytes))
    if (is_alnum(c) || c == '_' || c == '.' || c == '-') clean += c;
  return clean.empty() ? "" : fmt::format(" {}=\"{}\"", name, clean);
}

}  // namespace

std::string strip_terminal_escapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    if (const size_t end = end_of_escape(text, i); end != i) {
      i = end;
    } else {
      out += text[i++];
    }
  }
  return out;
}

std::string visible_text(std::string_view text) { return visible_text(text, HiddenText::kTold); }

std::string visible_text(std::string_view text, HiddenText hidden_text) {
  std::string out;
  out.reserve(text.size());
  size_t hidden = 0;
  char32_t before = 0;  // the last that was kept
  const auto tell_hidden = [&] {
    if (hidden >= kMessageOfHidden && hidden_text == HiddenText::kTold) {
      fmt::format_to(std::back_inserter(out), "[{} hidden characters]", hidden);
      before = ']';
    }
    hidden = 0;
  };
  for (size_t i = 0; i < text.size();) {
    const char byte = text[i];
    if ((byte >= ' ' && byte < 0x7f) || byte == '\n' || byte == '\t') {
      if (hidden > 0) tell_hidden();
      out += byte;
      before = static_cast<char32_t>(byte);
      ++i;
      continue;
    }
    if (const size_t end = end_of_escape(text, i); end != i) {
      i = end;
      continue;
    }
    const CodePoint c = code_point_at(text, i);
    const size_t next = i + c.bytes;
    i = next;
    if (c.value == '\r') {
      if (at(text, next) == '\n') continue;
      tell_hidden();
      out += '\n';
      before = '\n';
      continue;
    }
    if (is_hidden(c.value) && (hidden > 0 || !has_a_purpose(c.value, before, text, next))) {
      ++hidden;
      continue;
    }
    tell_hidden();
    before = is_line_separator(c.value) ? U' ' : c.value;
    append_utf8(out, before);
  }
  tell_hidden();
  return out;
}

bool opens_frame(std::string_view text) {
  if (text.starts_with('<')) return is_frame_tag(text.substr(1));
  return text.starts_with('[') && is_frame_bracket(text.substr(1));
}

std::string defuse(std::string_view text) { return without_frames(visible_text(text)); }

std::string delimit(std::string_view text, const DataOrigin& origin) {
  const std::string inside = defuse(text);
  std::string tag;
  for (uint64_t salt = hash64(inside);; ++salt) {
    tag = fmt::format("{}{:08x}", kOurTags, static_cast<uint32_t>(salt ^ (salt >> 32)));
    if (inside.find(tag) == std::string::npos) break;
  }
  return fmt::format("<{0}{1}{2}>\n{3}\n</{0}>", tag, attribute("receipt", origin.receipt),
                     attribute("source", origin.source), inside);
}

}  // namespace precedent
