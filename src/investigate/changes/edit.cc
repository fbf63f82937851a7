#include "investigate/changes/edit.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "base/ascii.h"
#include "base/strings.h"
#include "investigate/symptoms/words.h"

namespace precedent {
namespace {

bool is_alpha(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

struct Number {
  double value = 0;
  bool found = false;
};

// The unit that stands behind a number, glued ("15m", "512Mi") or multiplied ("15 * time.Minute").
double unit_factor(const std::vector<std::string>& tokens, size_t i, std::string_view glued) {
  struct Unit {
    std::string_view name;
    double factor;
  };
  constexpr std::array<Unit, 24> kUnits = {{
      {"ns", 1e-9},
      {"us", 1e-6},
      {"ms", 1e-3},
      {"s", 1},
      {"sec", 1},
      {"m", 60},
      {"min", 60},
      {"h", 3600},
      {"d", 86400},
      {"nanosecond", 1e-9},
      {"millisecond", 1e-3},
      {"microsecond", 1e-6},
      {"second", 1},
      {"minute", 60},
      {"hour", 3600},
      {"day", 86400},
      {"ki", 1024.0},
      {"mi", 1048576.0},
      {"gi", 1073741824.0},
      {"k", 1e3},
      {"kb", 1024.0},
      {"mb", 1048576.0},
      {"gb", 1073741824.0},
      {"g", 1073741824.0},
  }};
  const auto of = [&](std::string_view word) {
    std::string lower = ascii_lower(word);
    if (lower.size() > 3 && lower.ends_with('s')) lower.pop_back();
    for (const Unit& unit : kUnits)
      if (unit.name == lower) return unit.factor;
    return 1.0;
  };
  if (!glued.empty()) return of(glued);
  for (size_t j = i + 1; j < std::min(tokens.size(), i + 5); ++j)
    if (is_alpha(tokens[j].front()))
      if (const double factor = of(tokens[j]); factor != 1.0) return factor;
  return 1;
}

// The line with each number and unit taken out, and the numbers.
std::string skeleton_of(const std::vector<std::string>& tokens, std::vector<double>& numbers) {
  std::string out;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    if (!is_digit(token.front())) {
      const std::string lower = ascii_lower(token);
      const bool unit = lower == "second" || lower == "seconds" || lower == "minute" ||
                        lower == "minutes" || lower == "hour" || lower == "hours" ||
                        lower == "millisecond" || lower == "milliseconds" ||
                        lower == "microsecond" || lower == "day" || lower == "days";
      out += unit ? "unit" : token;
      continue;
    }
    char* end = nullptr;
    std::string plain = token;
    std::erase(plain, '_');
    const double value = std::strtod(plain.c_str(), &end);
    numbers.push_back(value * unit_factor(tokens, i, end));
    out += '#';
  }
  return out;
}

}  // namespace

double NumberEdit::ratio() const { return from > 0 && to > 0 ? to / from : 0; }

std::vector<std::string> tokens_of(std::string_view line) {
  std::vector<std::string> out;
  for (size_t i = 0; i < line.size();) {
    const char c = line[i];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++i;
      continue;
    }
    const size_t begin = i++;
    if (is_digit(c)) {
      while (i < line.size() && (is_digit(line[i]) || is_alpha(line[i]) ||
                                 (line[i] == '.' && i + 1 < line.size() && is_digit(line[i + 1]))))
        ++i;
    } else if (is_alpha(c)) {
      while (i < line.size() && (is_alpha(line[i]) || is_digit(line[i]))) ++i;
    }
    out.emplace_back(line.substr(begin, i - begin));
  }
  return out;
}

std::string packed(std::string_view line) {
  std::string out;
  for (const char c : line)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  return out;
}

std::string without_strings(std::string_view line, std::vector<std::string>& strings) {
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c != '"' && c != '\'' && c != '`') {
      out += c;
      continue;
    }
    const size_t end = line.find(c, i + 1);
    if (end == std::string_view::npos) break;
    strings.emplace_back(line.substr(i + 1, end - i - 1));
    out += '"';
    i = end;
  }
  return out;
}

std::vector<ReplacedLine> replaced_lines(const Hunk& hunk) {
  std::vector<ReplacedLine> out;
  std::vector<const DiffLine*> removed;
  size_t next = 0;
  for (const DiffLine& line : hunk.lines) {
    if (line.kind == '-') {
      if (next > 0) removed.clear(), next = 0;
      removed.push_back(&line);
    } else if (line.kind == '+') {
      if (next < removed.size()) out.push_back({removed[next], &line});
      ++next;
    } else {
      removed.clear(), next = 0;
    }
  }
  return out;
}

std::vector<NumberEdit> number_edits(const Hunk& hunk) {
  std::vector<NumberEdit> out;
  std::vector<bool> used(hunk.lines.size(), false);
  for (const DiffLine& removed : hunk.lines) {
    if (removed.kind != '-') continue;
    std::vector<double> before;
    const std::string skeleton = skeleton_of(tokens_of(removed.text), before);
    if (before.empty()) continue;
    for (size_t i = 0; i < hunk.lines.size(); ++i) {
      const DiffLine& added = hunk.lines[i];
      if (added.kind != '+' || used[i]) continue;
      std::vector<double> after;
      if (skeleton_of(tokens_of(added.text), after) != skeleton || after.size() != before.size())
        continue;
      used[i] = true;
      for (size_t n = 0; n < before.size(); ++n)
        if (before[n] != after[n]) {
          out.push_back({removed.text, added.text, before[n], after[n]});
          break;
        }
      break;
    }
  }
  return out;
}

size_t indent_of(std::string_view line) {
  size_t width = 0;
  for (const char c : line) {
    if (c == '\t')
      width += 4;
    else if (c == ' ')
      ++width;
    else
      break;
  }
  return width;
}

bool opens_loop(std::string_view line) {
  const std::string_view text = trim(line);
  const std::vector<std::string> tokens = tokens_of(text);
  if (tokens.empty()) return false;
  constexpr std::array<std::string_view, 4> kFirst = {"for", "while", "foreach", "loop"};
  if (std::ranges::find(kFirst, ascii_lower(tokens.front())) != kFirst.end()) return true;
  return std::ranges::any_of(tokens, [](const std::string& token) {
    return token == "forEach" || token == "foreach" || token == "each";
  });
}

bool calls_out(std::string_view line) {
  if (line.find('(') == std::string_view::npos) return false;
  // Verbs and objects that clients of databases, caches, queues and other services are called by.
  constexpr std::array<std::string_view, 34> kParts = {
      "query",   "exec",       "execute", "select", "fetch",  "client",   "db",
      "http",    "request",    "rpc",     "grpc",   "redis",  "sql",      "dao",
      "repo",    "repository", "session", "store",  "remote", "upstream", "invoke",
      "publish", "send",       "get",     "load",   "find",   "lookup",   "call",
      "read",    "ctx",        "context", "await",  "url",    "conn"};
  const std::vector<std::string> parts = parts_of(line);
  return std::ranges::any_of(parts, [&](const std::string& part) {
    return std::ranges::find(kParts, part) != kParts.end();
  });
}

}  // namespace precedent
