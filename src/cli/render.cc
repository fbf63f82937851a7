#include "cli/render.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

constexpr std::string_view kBold = "\x1b[1m", kDim = "\x1b[2m", kCyan = "\x1b[36m",
                           kReset = "\x1b[0m";

// **bold** → bold; everything else as it is.
std::string render_inline(std::string_view line) {
  std::string out;
  bool bold = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line.substr(i).starts_with("**")) {
      out += bold ? kReset : kBold;
      bold = !bold;
      ++i;
    } else {
      out += line[i];
    }
  }
  if (bold) out += kReset;
  return out;
}

}  // namespace

std::string render_markdown(std::string_view markdown, bool color) {
  if (!color) return std::string(markdown);
  std::string out;
  bool code = false;
  for (const std::string_view line : split_lines(markdown)) {
    if (!out.empty()) out += '\n';
    const bool fence = trim(line).starts_with("```") || trim(line).starts_with("> ```");
    if (fence) code = !code;
    if (fence || code) {
      out.append(kCyan).append(line).append(kReset);
    } else if (line.starts_with("> ")) {
      out.append(kDim).append("│ ").append(kReset).append(render_inline(line.substr(2)));
    } else {
      out += render_inline(line);
    }
  }
  return out;
}

void StatusLine::emit(const Event& event) {
  if (!enabled_ || event.type != Event::Type::kStatus) return;
  fmt::print(stderr, "\r\x1b[K{}", utf8_prefix(event.text, 100));
  std::fflush(stderr);
  shown_ = true;
}

void StatusLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace precedent
