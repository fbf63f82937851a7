#include "base/instructions.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/untrusted_text.h"

namespace precedent {
namespace {

// "<|im_end|>", "[/INST]", "</system>"
size_t end_of_frame(std::string_view text, size_t open, size_t line_end) {
  const std::string_view line = text.substr(0, line_end);
  for (size_t at = open + 1; at < line.size(); ++at) {
    if ((line[at] != '<' && line[at] != '[') || !opens_frame(line.substr(at))) continue;
    const size_t close = line.find_first_of(">]", at);
    return close == std::string_view::npos ? line_end : close + 1;
  }
  return line_end;
}

bool ends_clause(std::string_view text, size_t at) {
  const char c = text[at];
  if (c == ';' || c == '\n') return true;
  const bool mark = c == '.' || c == '!' || c == '?';
  return mark && (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\n');
}

// What may end a clause or open a frame; most bytes do neither.
constexpr auto kMayEnd = [] {
  std::array<bool, 256> out{};
  for (const char c : std::string_view(";\n.!?<[")) out[static_cast<unsigned char>(c)] = true;
  return out;
}();

bool is_name_letter(char c) { return is_lower(c) || c == '_'; }

// By the first byte of a word, whether some phrase begins with it: most words begin none.
constexpr auto kBeginsPhrase = [] {
  std::array<bool, 256> out{};
  for (const std::string_view phrase : kToAModel) out[static_cast<unsigned char>(phrase[0])] = true;
  return out;
}();

// Of a clause of a text in lower case.
bool speaks_to_a_model(std::string_view clause) {
  for (size_t at = 0; at < clause.size(); ++at) {
    if (!kBeginsPhrase[static_cast<unsigned char>(clause[at])] ||
        (at > 0 && is_name_letter(clause[at - 1])))
      continue;
    const std::string_view rest = clause.substr(at);
    const bool found = std::ranges::any_of(kToAModel, [&](std::string_view phrase) {
      return rest.size() > 1 && rest[1] == phrase[1] && rest.starts_with(phrase) &&
             (rest.size() == phrase.size() || !is_name_letter(rest[phrase.size()]));
    });
    if (found) return true;
  }
  return false;
}

bool is_word(char c) { return is_name_letter(c) || c == '\'' || (c & 0x80) != 0; }

// What closes the quotation that opens at `at`; "" if none does. An apostrophe opens none.
std::string_view closing_quote(std::string_view text, size_t at) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kMarks = {
      {{"\"", "\""}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"„", "“"}}};
  const char c = text[at];
  if (c != '"' && c != '\'' && c != '`' && (c & 0x80) == 0) return {};
  if (c == '\'' && at > 0 && is_name_letter(text[at - 1])) return {};
  for (const auto& [open, close] : kMarks)
    if (text.substr(at).starts_with(open)) return close;
  return {};
}

// Verbs whose object is what somebody says; the others may have another, a state or a command, so
// that only a quotation behind them is said.
enum class Order : uint8_t { kNone, kQuote, kSay };
Order order_of(std::string_view word) {
  constexpr auto kSay = std::to_array<std::string_view>(
      {"say", "answer", "reply", "respond", "tell", "claim", "declare", "announce", "assure",
       "inform", "conclude", "pretend", "insist"});
  constexpr auto kQuote = std::to_array<std::string_view>(
      {"state", "write", "report", "confirm", "repeat", "print", "output", "mention", "summarize",
       "summarise", "acknowledge"});
  if (std::ranges::find(kSay, word) != kSay.end()) return Order::kSay;
  return std::ranges::find(kQuote, word) != kQuote.end() ? Order::kQuote : Order::kNone;
}
// After a subject a verb is an order only behind one of these: "you must say".
bool makes_an_order(std::string_view word) {
  constexpr auto kWords =
      std::to_array<std::string_view>({"must", "should", "shall", "please", "always", "just",
                                       "only", "simply", "then", "to", "and", "instead", "now"});
  return std::ranges::find(kWords, word) != kWords.end();
}
// "The correct answer is", "the reply must be".
bool names_what_is_said(std::string_view word) {
  return word == "answer" || word == "reply" || word == "response";
}

// Where a quotation ends whose mark is `close`: no further than its line.
size_t end_of_quotation(std::string_view text, size_t open, std::string_view close) {
  const size_t line_end = std::min(text.find('\n', open), text.size());
  size_t stop = text.find(close, open + 1);
  // An apostrophe within a word closes nothing.
  while (close == "'" && stop < line_end && stop + 1 < text.size() &&
         is_name_letter(text[stop + 1]))
    stop = text.find(close, stop + 1);
  return stop >= line_end ? line_end : stop + close.size();
}

// The dictation in the clause [begin, end) of a text in lower case, empty if there is none: an
// order to say, and within a few words of it a quotation, "that", or a colon. "They say 'x'" tells
// what they say, too, but no more than that.
std::pair<size_t, size_t> find_dictation(std::string_view text, size_t begin, size_t end) {
  constexpr size_t kMostBetween = 6;
  Order order = Order::kNone;
  bool opens = true, noun = false, label = false;
  size_t between = 0, words = 0, ordered = begin;
  std::string_view last;
  for (size_t at = begin; at < end;) {
    const std::string_view close = closing_quote(text, at);
    if (!close.empty() || !is_word(text[at])) {
      const bool says = order == Order::kSay || (order == Order::kQuote && text[at] != '`');
      if (says && !close.empty()) return {ordered, end_of_quotation(text, at, close)};
      // "Answer: …" is a label.
      if (order == Order::kSay && text[at] == ':' && (between > 0 || !label))
        return {ordered, std::min(text.find('\n', at), text.size())};
      opens = opens || std::string_view(",:(-").contains(text[at]);
      ++at;
      continue;
    }
    const size_t from = at;
    while (at < end && is_word(text[at]) && (at == from || closing_quote(text, at).empty())) ++at;
    const std::string_view word = text.substr(from, at - from);
    if (order != Order::kNone && ++between > kMostBetween) order = Order::kNone;
    if (order == Order::kSay && word == "that") return {ordered, end};
    Order own = order_of(word);
    if (!opens && !makes_an_order(last)) own = own == Order::kSay ? Order::kQuote : Order::kNone;
    const bool said = noun && (word == "is" || word == "be");
    if (own != Order::kNone || said) {
      order = said ? Order::kSay : own;
      label = words == 0 && word != "say" && word != "reply" && word != "respond";
      ordered = from;
      between = 0;
    }
    noun = names_what_is_said(word) || (noun && makes_an_order(word));
    opens = opens && makes_an_order(word);
    last = word;
    ++words;
  }
  return {begin, begin};
}

// Whether a clause has a word that may order to say something: most have none.
bool may_dictate(std::string_view clause) {
  constexpr auto kBegins = [] {
    std::array<bool, 256> out{};
    for (const char c : std::string_view("sartcdipwom")) out[static_cast<unsigned char>(c)] = true;
    return out;
  }();
  for (size_t at = 0; at < clause.size();) {
    const size_t from = at;
    while (at < clause.size() && is_name_letter(clause[at])) ++at;
    const std::string_view word = clause.substr(from, at - from);
    if (word.size() > 2 && kBegins[static_cast<unsigned char>(word[0])] &&
        (order_of(word) != Order::kNone || names_what_is_said(word)))
      return true;
    at = std::max(at, from + 1);
  }
  return false;
}

}  // namespace

std::vector<std::pair<size_t, size_t>> find_instructions(std::string_view text) {
  std::vector<std::pair<size_t, size_t>> found;
  const auto add = [&](size_t begin, size_t end) {
    if (!found.empty() && begin <= found.back().second)
      found.back().second = std::max(found.back().second, end);
    else
      found.emplace_back(begin, end);
  };
  const std::string lower = ascii_lower(text);
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    while (i + 1 < text.size() && !kMayEnd[static_cast<unsigned char>(text[i])]) ++i;
    if ((text[i] == '<' || text[i] == '[') && opens_frame(text.substr(i))) {
      const size_t line_end = std::min(text.find('\n', i), text.size());
      const size_t end = end_of_frame(text, i, line_end);
      add(i, end);
      begin = i = end;
      if (i >= text.size()) break;
    }
    if (!ends_clause(text, i) && i + 1 != text.size()) continue;
    const size_t end = ends_clause(text, i) ? i : i + 1;
    if (end > begin && speaks_to_a_model(std::string_view(lower).substr(begin, end - begin)))
      add(begin, end);
    if (end > begin && may_dictate(std::string_view(lower).substr(begin, end - begin))) {
      const auto [from, to] = find_dictation(lower, begin, end);
      if (to > from) {
        add(from, to);
        i = std::max(i, to - 1);
      }
    }
    begin = i + 1;
  }
  return found;
}

}  // namespace precedent
