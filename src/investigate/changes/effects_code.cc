// Rows of diff_effects about how code runs: checks, loops, failures, work.
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include "base/strings.h"
#include "investigate/changes/edit.h"
#include "investigate/changes/effect_rows.h"
#include "investigate/symptoms/words.h"

namespace precedent {
namespace {

using S = Symptom;

std::string packed_lines(const std::vector<Hunk>& all, char kind) {
  std::string out;
  for (const Hunk& hunk : all)
    for (const DiffLine& line : hunk.lines)
      if (line.kind == kind) out += packed(line.text) + '\n';
  return out;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The condition of "if (x == nil) {": without the keyword, what stands before ';', and the brace.
std::string condition_of(std::string_view line) {
  std::string_view text = trim(line);
  constexpr std::array<std::string_view, 6> kWords = {"if",   "unless", "guard",
                                                      "elif", "assert", "while"};
  while (text.starts_with('}')) text = trim(text.substr(1));
  if (text.starts_with("else ")) text = trim(text.substr(5));
  const auto word = std::ranges::find_if(kWords, [&](std::string_view w) {
    return text.starts_with(w) && text.size() > w.size() &&
           std::isalnum(static_cast<unsigned char>(text[w.size()])) == 0;
  });
  if (word == kWords.end()) return "";
  text = trim(text.substr(word->size()));
  if (const size_t brace = text.find('{'); brace != std::string_view::npos)
    text = text.substr(0, brace);
  if (const size_t semicolon = text.rfind(';'); semicolon != std::string_view::npos)
    text = text.substr(semicolon + 1);
  std::string out = packed(text);
  while (!out.empty() && (out.back() == ':' || out.back() == ')') &&
         (out.back() == ':' || out.front() == '(')) {
    if (out.back() == ')') out.erase(0, 1);
    out.pop_back();
  }
  return out;
}

bool is_empty_check(std::string_view condition) {
  const std::vector<std::string> tokens = tokens_of(condition);
  constexpr std::array<std::string_view, 10> kWords = {
      "nil", "null", "None", "undefined", "nullptr", "empty", "isEmpty", "len", "length", "ok"};
  return std::ranges::any_of(tokens, [&](const std::string& token) {
    return std::ranges::find(kWords, token) != kWords.end();
  });
}

bool names_error(std::string_view condition) {
  const std::vector<std::string> parts = parts_of(condition);
  return std::ranges::any_of(
      parts, [](const std::string& part) { return part == "err" || part == "error"; });
}

// Whether "if err … return err; return x" became "return call()", which gives the same.
bool still_passed_on(const Hunk& hunk, std::string_view added) {
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '-') continue;
    const std::string text = packed(line.text);
    const size_t open = text.find('(');
    if (open == std::string::npos || !contains(text, "=")) continue;
    std::string callee = text.substr(text.find('=') + 1, open - text.find('='));
    if (callee.size() > 2 && contains(added, "return" + callee)) return true;
  }
  return false;
}

// Lines that only tell what happens.
bool only_tells(std::string_view line) {
  const std::vector<std::string> parts = parts_of(line);
  constexpr std::array<std::string_view, 12> kParts = {"log",     "logger",  "logging", "printf",
                                                       "println", "debugf",  "counter", "histogram",
                                                       "inc",     "observe", "span",    "metrics"};
  return std::ranges::any_of(parts, [&](const std::string& part) {
    return std::ranges::find(kParts, part) != kParts.end();
  });
}

std::set<std::string> callees_of(std::string_view line) {
  std::set<std::string> out;
  for (size_t open = line.find('('); open != std::string_view::npos;
       open = line.find('(', open + 1)) {
    size_t begin = open;
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(line[begin - 1])) != 0 ||
                         line[begin - 1] == '_'))
      --begin;
    if (begin < open) out.insert(std::string(line.substr(begin, open - begin)));
  }
  return out;
}

std::set<std::string> callees_of(const Hunk& hunk, char kind) {
  std::set<std::string> out;
  for (const DiffLine& line : hunk.lines)
    if (line.kind == kind) out.merge(callees_of(line.text));
  return out;
}

bool names_query(std::string_view callee) {
  constexpr std::array<std::string_view, 5> kParts = {"query", "exec", "execute", "select", "sql"};
  return std::ranges::any_of(parts_of(callee), [&](const std::string& part) {
    return std::ranges::find(kParts, part) != kParts.end();
  });
}

// "def run_query(", "func (s *Store) RunQuery(", "List<Row> runQuery(": behind another name that
// is no word of a statement.
bool defines(std::string_view line, std::string_view callee) {
  constexpr std::array<std::string_view, 14> kOfStatements = {
      "return", "await", "yield", "throw", "new",  "not", "and",
      "or",     "in",    "if",    "elif",  "case", "go",  "else"};
  const std::vector<std::string> tokens = tokens_of(line);
  const auto at = std::ranges::find(tokens, callee);
  if (at == tokens.begin() || at == tokens.end()) return false;
  const std::string& before = *std::prev(at);
  const bool name = std::isalnum(static_cast<unsigned char>(before.back())) != 0;
  const bool receiver = before == ")" || before == ">" || before == "*" || before == "&";
  return receiver || (name && std::ranges::find(kOfStatements, before) == kOfStatements.end());
}

// Runs by the clock, not once a request.
bool is_background(const Hunk& hunk) {
  return std::ranges::any_of(hunk.lines, [](const DiffLine& line) {
    const std::string lower = ascii_lower(line.text);
    return contains(lower, "ticker") || contains(lower, "setinterval") ||
           contains(lower, "@scheduled") || contains(lower, "cron");
  });
}

}  // namespace

std::optional<RowHit> guard_removed(const Hunk& hunk, const std::vector<Hunk>& all) {
  const std::string added = packed_lines(all, '+');
  std::optional<RowHit> best;
  const auto offer = [&](RowHit hit) {
    if (!best || hit.strength > best->strength) best = std::move(hit);
  };
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '-') continue;
    const std::string condition = condition_of(line.text);
    if (condition.size() > 2 && !contains(added, condition)) {
      if (names_error(condition)) {
        if (!still_passed_on(hunk, added))
          offer({{S::kErrors, S::kCrash, S::kDataFormat}, 0.6, line.text});
      } else if (is_empty_check(condition)) {
        if (!contains(added, "?.") && !contains(added, "??"))
          offer({{S::kCrash, S::kErrors, S::kDataFormat}, 0.9, line.text});
      } else {
        offer({{S::kErrors, S::kCrash, S::kDataFormat, S::kCpu, S::kLatency, S::kQuota, S::kQueue,
                S::kAccess},
               0.6,
               line.text});
      }
    }
    // Other forms of the same: what stood in for a missing value, and what caught a failure.
    constexpr std::array<std::string_view, 9> kNets = {"?.",      "??",        "getOrDefault(",
                                                       "orElse(", "recover()", "catch(",
                                                       "except",  "rescue",    "unwrap_or"};
    const std::string text = packed(line.text);
    if (contains(text, ".get(") && !contains(added, ".get(") && contains(added, "[\""))
      offer({{S::kCrash, S::kErrors, S::kDataFormat}, 0.75, line.text});
    for (const std::string_view net : kNets)
      if (contains(text, net) && !contains(added, net))
        offer({{S::kCrash, S::kErrors, S::kDataFormat}, 0.75, line.text});
  }
  return best;
}

std::optional<RowHit> call_in_loop(const Hunk& hunk, const std::vector<Hunk>&) {
  if (is_background(hunk)) return std::nullopt;
  const std::set<std::string> before = callees_of(hunk, '-');
  std::vector<size_t> loops;  // indents of the open ones
  for (const DiffLine& line : hunk.lines) {
    if (line.kind == '-' || trim(line.text).empty()) continue;
    const size_t indent = indent_of(line.text);
    while (!loops.empty() && indent <= loops.back()) loops.pop_back();
    if (!loops.empty() && line.kind == '+' && calls_out(line.text) && !only_tells(line.text)) {
      const std::set<std::string> now = callees_of(line.text);
      const bool fresh = std::ranges::any_of(now, [&](const std::string& callee) {
        return callee != "append" && callee != "len" && !before.contains(callee);
      });
      if (fresh)
        return RowHit{
            {S::kFanOut, S::kLatency, S::kTimeouts, S::kTraffic, S::kPool, S::kCpu, S::kQueue},
            0.85,
            line.text};
    }
    if (opens_loop(line.text)) loops.push_back(indent);
  }
  return std::nullopt;
}

std::optional<RowHit> aborts(const Hunk& hunk, const std::vector<Hunk>& all) {
  const std::string removed = packed_lines(all, '-');
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '+') continue;
    const std::string text = packed(line.text);
    constexpr std::array<std::string_view, 9> kEnds = {"panic(",   "throw",         "raise",
                                                       "os.Exit(", "process.exit(", "log.Fatal",
                                                       "abort()",  "sys.exit(",     "MustCompile("};
    for (const std::string_view end : kEnds)
      if (contains(text, end) && !contains(removed, end))
        return RowHit{{S::kCrash, S::kErrors}, 0.5, line.text};
  }
  return std::nullopt;
}

std::optional<RowHit> heavy_work(const Hunk& hunk, const std::vector<Hunk>&) {
  std::vector<size_t> loops;
  std::optional<RowHit> best;
  for (const DiffLine& line : hunk.lines) {
    if (line.kind == '-' || trim(line.text).empty()) continue;
    const size_t indent = indent_of(line.text);
    while (!loops.empty() && indent <= loops.back()) loops.pop_back();
    const std::string lower = ascii_lower(line.text);
    if (line.kind == '+') {
      const bool regex =
          contains(lower, "regex") || contains(lower, "re.compile") || contains(lower, "pattern");
      // Repeated, and what repeats can itself end anywhere: a text that fails is split in every
      // way.
      static const RE2 kNested(R"([+*](?:(?:\[[^\]]*\]|\\?.)[?*])*\)[+*{])");
      const bool nested = RE2::PartialMatch(line.text, kNested);
      const bool crypto = contains(lower, "bcrypt") || contains(lower, "scrypt") ||
                          contains(lower, "pbkdf2") || contains(lower, "argon2");
      const double strength = nested                                      ? 0.85
                              : (!loops.empty() && opens_loop(line.text)) ? 0.6
                              : crypto                                    ? 0.6
                              : regex                                     ? 0.4
                                                                          : 0;
      if (strength > 0 && (!best || strength > best->strength))
        best =
            RowHit{{S::kCpu, S::kLatency, S::kTimeouts, S::kQueue}, strength, line.text, !nested};
    }
    if (opens_loop(line.text)) loops.push_back(indent);
  }
  return best;
}

std::optional<RowHit> call_added(const Hunk& hunk, const std::vector<Hunk>& all) {
  if (is_background(hunk)) return std::nullopt;
  const std::string removed = packed_lines(all, '-');
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '+' || only_tells(line.text)) continue;
    const std::string lower = ascii_lower(packed(line.text));
    constexpr std::array<std::string_view, 4> kSleeps = {"sleep(", "thread.sleep", ".join()",
                                                         "blockinggetsingle("};
    for (const std::string_view sleep : kSleeps)
      if (contains(lower, sleep))
        return RowHit{{S::kLatency, S::kTimeouts, S::kQueue, S::kPool}, 0.7, line.text};
    constexpr std::array<std::string_view, 8> kCalls = {"http.get(", "http.post(", "requests.",
                                                        "fetch(",    "axios",      "client.",
                                                        ".do(req",   "httpclient"};
    for (const std::string_view call : kCalls)
      if (contains(lower, call) && !contains(ascii_lower(removed), call))
        return RowHit{
            {S::kLatency, S::kTimeouts, S::kErrors, S::kPool, S::kQueue, S::kRefused, S::kFanOut},
            0.5,
            line.text};
  }
  return std::nullopt;
}

// A query that was not made here before: each request waits for it, too.
std::optional<RowHit> query_added(const Hunk& hunk, const std::vector<Hunk>& all) {
  if (is_background(hunk)) return std::nullopt;
  std::set<std::string> before;
  for (const Hunk& other : all)
    for (const char kind : {'-', ' '}) before.merge(callees_of(other, kind));
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '+' || only_tells(line.text)) continue;
    for (const std::string& callee : callees_of(line.text))
      if (!before.contains(callee) && names_query(callee) && !defines(line.text, callee))
        return RowHit{
            {S::kLatency, S::kTimeouts, S::kPool, S::kCpu, S::kQueue, S::kFanOut, S::kTraffic},
            0.6,
            line.text};
  }
  return std::nullopt;
}

// By what is left of the tokens once those that only moved are taken out.
std::optional<RowHit> behaviour_changed(const Hunk& hunk, const std::vector<Hunk>&) {
  std::map<std::string, int> balance;
  size_t total = 0;
  const DiffLine* first = nullptr;
  for (const DiffLine& line : hunk.lines) {
    if (line.kind == ' ' || only_tells(line.text)) continue;
    if (first == nullptr) first = &line;
    for (const std::string& token : tokens_of(line.text)) {
      if (std::isalnum(static_cast<unsigned char>(token.front())) == 0) continue;
      balance[token] += line.kind == '+' ? 1 : -1;
      ++total;
    }
  }
  if (first == nullptr || total == 0) return std::nullopt;
  size_t lost = 0;
  for (const auto& [token, count] : balance)
    if (count < 0) lost += static_cast<size_t>(-count);
  const bool has_removed =
      std::ranges::any_of(hunk.lines, [](const DiffLine& line) { return line.kind == '-'; });
  const double share = static_cast<double>(lost) / static_cast<double>(total);
  return RowHit{{S::kErrors, S::kLatency, S::kTimeouts, S::kCrash, S::kDataFormat, S::kCpu,
                 S::kQueue, S::kMemory},
                has_removed && share > 0.25 ? 0.3 : 0.15,
                first->text};
}

}  // namespace precedent
