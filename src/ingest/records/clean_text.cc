#include "ingest/records/clean_text.h"

#include "base/untrusted_text.h"
#include "base/utf8.h"

namespace precedent {

std::string clean_text(std::string_view text) {
  const std::string plain = strip_terminal_escapes(text);
  text = plain;
  if (text.find('\r') == std::string_view::npos) return strip_controls(text);
  std::string lines;
  lines.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      lines += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      lines += '\n';
    }
  }
  return strip_controls(lines);
}

}  // namespace precedent
