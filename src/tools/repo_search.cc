#include "tools/repo_search.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "tools/code_scan.h"
#include "tools/present.h"

namespace precedent {
namespace {

constexpr std::string_view kRegexMark = "re:";
// Passages of one file in a list, so that a question about it is answered without filling the list.
constexpr size_t kPerFile = 2;
// Of a file that is looked at by its lines.
constexpr size_t kMostPassages = 500;

// "83-111,130": lines of a file, the most important first.
Result<std::vector<LineRange>> read_lines(std::string_view given) {
  std::vector<LineRange> ranges;
  for (const std::string_view part : split(given, ',')) {
    static const RE2 kRange("\\s*(\\d{1,7})(?:\\s*-\\s*(\\d{1,7}))?\\s*");
    LineRange range;
    std::string end;
    if (!RE2::FullMatch(re2::StringPiece(part.data(), part.size()), kRange, &range.begin, &end))
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'lines' is '{}'; write lines of a file such as 83-111,130", given));
    range.end = range.begin;
    if (!end.empty()) std::from_chars(end.data(), end.data() + end.size(), range.end);
    range.end = std::max(range.begin, range.end);
    ranges.push_back(range);
  }
  return ranges;
}

// What holds the lines first, the first range before the second; of one range what holds more of
// it.
void put_lines_first(std::vector<CodeItem>& items, const std::vector<LineRange>& ranges) {
  const auto held = [](const CodeItem& item, const LineRange& range) {
    const uint32_t begin = std::max(item.lines.begin, range.begin);
    const uint32_t end = std::min(item.lines.end, range.end);
    return end < begin ? 0 : end - begin + 1;
  };
  auto rest = items.begin();
  float relevance = 1;
  for (const LineRange& range : ranges) {
    const auto best = std::ranges::max_element(
        rest, items.end(), {}, [&](const CodeItem& item) { return held(item, range); });
    if (best == items.end() || held(*best, range) == 0) continue;
    best->relevance = relevance;
    relevance *= 0.99F;
    std::rotate(rest, best, best + 1);
    ++rest;
  }
}

// What "c++" and "py" are called in the index (ingest/reading/languages.h).
std::string language_name(std::string_view given) {
  static const std::map<std::string_view, std::string_view> kAliases = {
      {"c++", "cpp"},    {"cc", "cpp"},        {"hpp", "cpp"},       {"c#", "csharp"},
      {"py", "python"},  {"js", "javascript"}, {"ts", "typescript"}, {"sh", "shell"},
      {"bash", "shell"}, {"yml", "yaml"},      {"golang", "go"},     {"rs", "rust"}};
  const std::string lower = ascii_lower(trim(given));
  const auto found = kAliases.find(lower);
  return found == kAliases.end() ? lower : std::string(found->second);
}

// "src/payments" is a folder or a file, "*.py" and "src/*/retry.py" have '*' for any characters but
// '/', "**" for all.
class PathFilter {
 public:
  explicit PathFilter(std::string_view given) {
    while (given.starts_with("./") || given.starts_with('/'))
      given.remove_prefix(given.starts_with('/') ? 1 : 2);
    while (given.ends_with('/')) given.remove_suffix(1);
    if (given.empty()) return;
    std::string pattern;
    for (size_t i = 0; i < given.size(); ++i) {
      if (given.substr(i).starts_with("**")) {
        pattern += ".*";
        ++i;
      } else if (given[i] == '*') {
        pattern += "[^/]*";
      } else if (given[i] == '?') {
        pattern += "[^/]";
      } else {
        pattern += RE2::QuoteMeta(re2::StringPiece(&given[i], 1));
      }
    }
    // What is given may begin at any folder, and stands for all below it.
    pattern_.emplace(fmt::format("(?i)(?:.*/)?{}(?:/.*)?", pattern));
  }
  bool matches(std::string_view path) const {
    return !pattern_ || RE2::FullMatch(re2::StringPiece(path.data(), path.size()), *pattern_);
  }
  bool any() const { return !pattern_.has_value(); }

 private:
  std::optional<RE2> pattern_;
};

// Fills in what the store knows of a file; each is read once.
class FileFacts {
 public:
  explicit FileFacts(const KnowledgeStore& store) : store_(store) {}

  Result<void> complete(CodeItem& item, const std::string& id) {
    auto [entry, is_new] = known_.try_emplace(id);
    if (is_new) {
      if (auto document = TRY(store_.find(id))) entry->second = std::move(document->attributes);
    }
    const auto get = [&](const char* name) {
      const auto found = entry->second.find(name);
      return found == entry->second.end() ? std::string() : found->second;
    };
    item.id = id;
    item.repository = get("repository");
    item.commit = get("commit");
    item.language = get("language");
    return {};
  }

 private:
  const KnowledgeStore& store_;
  std::map<std::string, Attributes> known_;
};

// The text between the quotation marks around the whole query; nothing if there are none.
std::optional<std::string_view> quoted(std::string_view query) {
  if (query.size() < 3) return std::nullopt;
  const char mark = query.front();
  if ((mark != '"' && mark != '`' && mark != '\'') || query.back() != mark) return std::nullopt;
  const std::string_view inner = query.substr(1, query.size() - 2);
  return inner.find(mark) == std::string_view::npos ? std::optional(inner) : std::nullopt;
}

// "a1b2c3d" and longer: hexadecimal with a digit, as git writes commits.
bool is_commit_id(std::string_view query) {
  static const RE2 kHex("[0-9a-f]{7,40}");
  return RE2::FullMatch(re2::StringPiece(query.data(), query.size()), kHex) &&
         query.find_first_of("0123456789") != std::string_view::npos;
}

// One name as code writes it: fetch_all, PaymentClient, retryPolicy, cache::get, load().
bool is_symbol(std::string_view query) {
  static const RE2 kSymbol(
      "[A-Za-z_]\\w*(?:_\\w+|[a-z][A-Z]\\w*|(?:(?:::|\\.|->)[A-Za-z_]\\w*)*::[A-Za-z_]\\w*|\\(\\)"
      ")");
  return RE2::FullMatch(re2::StringPiece(query.data(), query.size()), kSymbol);
}

// A commit or a name is there or not: what only resembles it is no answer, or said to be none.
Result<void> check_exact(std::string_view query, const KnowledgeStore& store, CodeResult& result) {
  const bool commit = is_commit_id(query);
  if (!commit && !is_symbol(query)) return {};
  if (query.ends_with("()")) query.remove_suffix(2);
  if (std::ranges::any_of(result.items, [&](const CodeItem& item) {
        return item.excerpt.contains(query) || (commit && item.commit.starts_with(query));
      }))
    return {};
  const auto all = [](std::string_view, std::string_view) { return true; };
  const CodeScan scan = TRY(scan_code(
      store, "(?i)" + RE2::QuoteMeta(re2::StringPiece(query.data(), query.size())), all, 1));
  if (scan.total > 0 || !scan.complete) return {};
  if (commit) {
    result.items.clear();
    result.note = fmt::format(
        "No indexed code is of a commit {0} or holds it; commits are known to recent_changes.",
        query);
  } else if (!result.items.empty()) {
    result.note =
        fmt::format("No indexed code holds the name '{}'; these only resemble it.", query);
  }
  return {};
}

}  // namespace

RepoSearch::RepoSearch()
    : Tool({"repo_search",
            "Find code, configuration and tests in the indexed repositories. Takes a question in "
            "plain language, a symbol, a path, an exact text in quotation marks, or a regular "
            "expression as re:PATTERN.",
            {{.name = "query",
              .type = Param::Type::kString,
              .description = "Question, symbol, path, \"exact text\" or re:PATTERN",
              .required = true},
             {.name = "limit",
              .type = Param::Type::kInteger,
              .description = "Most results to return",
              .default_value = 10,
              .minimum = 1,
              .maximum = static_cast<int64_t>(Limits{}.max_tool_limit)},
             {.name = "path",
              .type = Param::Type::kString,
              .description = "Only below this folder, or paths like *.py or src/**/retry*"},
             {.name = "lines",
              .type = Param::Type::kString,
              .description =
                  "Of the one file that 'path' names: what holds these lines comes first, "
                  "such as 83-111,130-146"},
             {.name = "language",
              .type = Param::Type::kString,
              .description = "Only this language: cpp, python, yaml ..."}}}) {}

bool holds_asked_lines(const CodeItem& item, const Receipt& receipt) {
  const auto args = parse_json(receipt.args);
  if (!args.is_object() || !args.contains("lines") || !args["lines"].is_string()) return false;
  const auto ranges = read_lines(args["lines"].get<std::string>());
  return ranges && std::ranges::any_of(*ranges, [&](const LineRange& range) {
           return item.lines.begin <= range.end && range.begin <= item.lines.end;
         });
}

Result<Tool::Outcome> RepoSearch::run(const Args& args, ToolContext& context) const {
  const std::string_view query = trim(args.text("query"));
  if (query.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "'query' is blank; give a question, a symbol, a path or re:PATTERN");
  }
  const auto limit = static_cast<size_t>(args.integer("limit"));
  SearchRequest request;
  request.text = std::string(query);
  request.limit = limit;
  request.per_document = kPerFile;
  request.self_query = false;
  request.filter.kinds = {Kind::kCode};
  request.now = context.clock.now();
  Outcome outcome;
  CodeResult result;
  outcome.empty = true;
  if (TRY(context.search.index().count_documents(request.filter)) == 0) {
    result.note = "No repository has been indexed; `precedent ingest --repo PATH` reads one.";
    outcome.text = result.note;
    outcome.result = std::move(result);
    return outcome;
  }
  const PathFilter path(args.text("path"));
  if (const std::string& language = args.text("language"); !trim(language).empty())
    request.filter.tags = {language_name(language)};
  if (!path.any() || !request.filter.tags.empty()) {
    // By id, so that the filter holds before anything is ranked.
    for (const Payload& file :
         TRY(context.search.index().list(request.filter, KnowledgeIndex::Order::kTitle,
                                         context.search.index().info().documents))) {
      if (path.matches(file.path)) request.filter.ids.push_back(file.doc_id);
    }
    if (request.filter.ids.empty()) {
      result.note = fmt::format(
          "No indexed file is{}{}.",
          request.filter.tags.empty() ? "" : " written in " + request.filter.tags.front(),
          path.any() ? "" : fmt::format(" at '{}'", args.text("path")));
      outcome.text = result.note;
      outcome.result = std::move(result);
      return outcome;
    }
  }
  context.events.status("Searching the code...");
  FileFacts facts(context.store);
  const auto exact = quoted(query);
  const std::string_view written = trim(args.text("lines"));
  const std::vector<LineRange> lines =
      written.empty() ? std::vector<LineRange>() : TRY(read_lines(written));
  if (!lines.empty() && path.any())
    return fail(ErrorCode::kInvalidArgument, "'lines' are of one file; name it with 'path'");
  // All of the file is ranked by its lines.
  if (!lines.empty()) request.limit = request.per_document = kMostPassages;
  if (exact || query.starts_with(kRegexMark)) {
    const std::string pattern = exact
                                    ? RE2::QuoteMeta(re2::StringPiece(exact->data(), exact->size()))
                                    : std::string(trim(query.substr(kRegexMark.size())));
    std::ranges::sort(request.filter.ids);
    const auto wanted = [&](std::string_view id, std::string_view) {
      return request.filter.ids.empty() || std::ranges::binary_search(request.filter.ids, id);
    };
    CodeScan scan = TRY(scan_code(context.store, pattern, wanted, limit));
    for (CodeMatch& match : scan.matches) {
      CodeItem item;
      item.path = std::move(match.path);
      item.lines = match.lines;
      item.excerpt = std::move(match.excerpt);
      item.relevance = 1;
      TRY(facts.complete(item, match.id));
      result.items.push_back(std::move(item));
    }
    if (scan.total > 0)
      result.note =
          fmt::format("{} line{} in {} file{} match{}.", scan.total, scan.total == 1 ? "" : "s",
                      scan.files, scan.files == 1 ? "" : "s", scan.total == 1 ? "es" : "");
    if (!scan.complete) result.note += " Not all of the code was read; narrow it down with 'path'.";
    outcome.explain.push_back("pattern: " + pattern);
  } else {
    const SearchResponse response = TRY(context.search.search(request));
    for (const Hit& hit : response.hits) {
      CodeItem item;
      item.path = hit.payload.path;
      item.lines = hit.payload.lines;
      item.excerpt = hit.payload.text;
      item.symbols = hit.payload.heading;
      item.relevance = hit.relevance;
      TRY(facts.complete(item, hit.payload.doc_id));
      result.items.push_back(std::move(item));
    }
    // What holds the very words of the question is meant.
    std::ranges::stable_partition(result.items, [&](const CodeItem& item) {
      return item.excerpt.find(query) != std::string::npos;
    });
    put_lines_first(result.items, lines);
    if (result.items.size() > limit) result.items.resize(limit);
    TRY(check_exact(query, context.store, result));
    outcome.explain = explain_search(response);
  }
  outcome.empty = result.items.empty();
  if (outcome.empty && result.note.empty()) result.note = "No code found matching the query.";
  context.events.status(outcome.empty
                            ? std::string("No code found")
                            : fmt::format("Found {} places in the code...", result.items.size()));
  outcome.text = present(result);
  outcome.result = std::move(result);
  return outcome;
}

}  // namespace precedent
