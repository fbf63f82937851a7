// plain_text() of markdown.h: inline Markdown by md4c.
#include <md4c.h>

#include <charconv>
#include <string>

#include "base/strings.h"
#include "base/utf8.h"
#include "text/markdown.h"

namespace precedent {
namespace {

// The entities that occur in operations documents; any other is left as it is written.
void append_entity(std::string& out, std::string_view entity) {
  constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
      {"&amp;", "&"},   {"&lt;", "<"},    {"&gt;", ">"},    {"&quot;", "\""},  {"&apos;", "'"},
      {"&nbsp;", " "},  {"&ndash;", "–"}, {"&mdash;", "—"}, {"&hellip;", "…"}, {"&rarr;", "→"},
      {"&lsquo;", "‘"}, {"&rsquo;", "’"}, {"&ldquo;", "“"}, {"&rdquo;", "”"},  {"&copy;", "©"},
      {"&times;", "×"}, {"&deg;", "°"},   {"&micro;", "µ"}, {"&le;", "≤"},     {"&ge;", "≥"},
  };
  for (const auto& [name, text] : kNamed) {
    if (entity == name) return void(out += text);
  }
  if (entity.starts_with("&#") && entity.size() > 3) {
    const bool hexadecimal = entity[2] == 'x' || entity[2] == 'X';
    const char* begin = entity.data() + (hexadecimal ? 3 : 2);
    uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(begin, entity.data() + entity.size() - 1, code, hexadecimal ? 16 : 10);
    const bool scalar = code > 0 && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    if (error == std::errc() && scalar) return append_utf8(out, code);
  }
  out += entity;
}

int append_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
  auto& out = *static_cast<std::string*>(user);
  const std::string_view part(text, size);
  switch (type) {
    case MD_TEXT_BR:
    case MD_TEXT_SOFTBR: out += ' '; break;
    case MD_TEXT_HTML:
      if (ascii_lower(part.substr(0, 3)) == "<br") out += ' ';
      break;
    case MD_TEXT_ENTITY: append_entity(out, part); break;
    case MD_TEXT_NULLCHAR: break;
    default: out += part;
  }
  return 0;
}

int ignore_block(MD_BLOCKTYPE, void*, void*) { return 0; }
int ignore_span(MD_SPANTYPE, void*, void*) { return 0; }

// Text over several lines of a quote has a mark on each: white space to a reader.
std::string without_quote_marks(std::string_view text) {
  std::string out(text);
  bool line_begins = false;
  for (char& c : out) {
    if (line_begins && c == '>') c = ' ';
    line_begins = c == '\n' || (line_begins && (c == ' ' || c == '\t'));
  }
  return out;
}

}  // namespace

std::string plain_text(std::string_view inline_markdown) {
  const std::string text = squeeze(without_quote_marks(inline_markdown));
  // Most text has no markup at all.
  if (text.find_first_of("*_`[<&\\~!") == std::string::npos) return text;
  // One line behind a full stop is a paragraph, whatever it begins with, and a full stop lets
  // emphasis begin.
  const std::string paragraph = "." + text;
  MD_PARSER parser = {};
  parser.flags = MD_FLAG_STRIKETHROUGH;
  parser.enter_block = parser.leave_block = ignore_block;
  parser.enter_span = parser.leave_span = ignore_span;
  parser.text = append_text;
  std::string out;
  out.reserve(paragraph.size());
  if (md_parse(paragraph.data(), static_cast<MD_SIZE>(paragraph.size()), &parser, &out) != 0) {
    return paragraph.substr(1);  // md4c ran out of memory: the markup stays
  }
  return squeeze(std::string_view(out).substr(out.empty() ? 0 : 1));
}

}  // namespace precedent
