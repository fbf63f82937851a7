#include "search/code_ranking.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"
#include "text/code_analyzer.h"

namespace precedent {
namespace {

constexpr float kTestPrior = 0.6f;
constexpr float kDocumentPrior = 0.6f;
constexpr float kExamplePrior = 0.8f;
constexpr float kTranslationPrior = 0.3f;
constexpr float kHistoryPrior = 0.3f;

bool is_name(char c) { return is_lower(c) || is_upper(c) || is_digit(c) || c == '_'; }
// What may stand inside a path or a qualified name.
bool is_inner(char c) {
  return is_name(c) || c == '.' || c == '/' || c == ':' || c == '-' || c == '+';
}

// "util.h", "a/b": a file by its extension, or below a folder.
bool is_path(std::string_view token) {
  const size_t dot = token.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || token.size() - dot < 2 || token.size() - dot > 8)
    return token.find('/') != std::string_view::npos && token.size() > 3;
  const std::string_view extension = token.substr(dot + 1);
  return std::ranges::all_of(extension, [](char c) { return is_name(c) || c == '+'; }) &&
         !std::ranges::all_of(extension, is_digit) && std::ranges::all_of(token, [](char c) {
           return is_name(c) || c == '.' || c == '/' || c == '-' || c == '+';
         });
}

// fish_git_prompt, parseHeader, Builder::Start, HTTPServer; not NASA, not Ninja.
bool is_symbol(std::string_view token) {
  if (token.find("::") != std::string_view::npos || token.find('_') != std::string_view::npos)
    return true;
  bool lower_before = false;
  for (const char c : token) {
    if (is_upper(c) && lower_before) return true;
    lower_before = is_lower(c);
  }
  return false;
}

bool names_line(std::string_view token) {
  const size_t colon = token.rfind(':');
  return colon != std::string_view::npos && colon + 1 < token.size() &&
         std::ranges::all_of(token.substr(colon + 1), is_digit);
}

// The last name of "Builder::StartEdge" and of "Platform.is_linux".
std::string_view unqualified(std::string_view name) {
  const size_t at = name.find_last_of(":.");
  return at == std::string_view::npos ? name : name.substr(at + 1);
}

bool path_is(std::string_view path, std::string_view named) {
  while (named.starts_with("./")) named.remove_prefix(2);
  if (path.size() < named.size() || !iequals(path.substr(path.size() - named.size()), named))
    return false;
  return path.size() == named.size() || path[path.size() - named.size() - 1] == '/';
}

std::string_view stem_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.substr(0, std::max<size_t>(1, name.find('.')));
}

}  // namespace

CodeNames find_code_names(std::string_view question) {
  // A pasted log names everything; what is said first is meant.
  constexpr size_t kMaxNames = 16;
  CodeNames names;
  for (size_t i = 0;
       i < question.size() && names.paths.size() + names.symbols.size() < kMaxNames;) {
    if (!is_inner(question[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < question.size() && is_inner(question[end])) ++end;
    const bool called = question.substr(end).starts_with("(");
    std::string_view token = question.substr(i, end - i);
    i = end;
    while (!token.empty() && !is_name(token.front())) token.remove_prefix(1);
    // "build_log.cc:12": the line is no part of the name.
    while (!token.empty() && (!is_name(token.back()) || names_line(token)))
      token = token.substr(0, names_line(token) ? token.rfind(':') : token.size() - 1);
    if (token.size() < 3) continue;
    if (is_path(token)) {
      names.paths.emplace_back(token);
    } else if (called || is_symbol(token)) {
      names.symbols.emplace_back(token);
    }
  }
  return names;
}

float name_bonus(const Payload& payload, const CodeNames& names) {
  for (const std::string& path : names.paths) {
    if (path_is(payload.path, path)) return 1;
  }
  float bonus = 0;
  for (const std::string& symbol : names.symbols) {
    for (const std::string& defined : payload.heading) {
      if (iequals(defined, symbol) || iequals(unqualified(defined), unqualified(symbol))) return 1;
    }
    if (iequals(stem_of(payload.path), symbol)) bonus = 1;
  }
  return bonus;
}

std::vector<std::string> joined_words(std::string_view question) {
  constexpr size_t kMaxWords = 64;
  const CodeAnalyzer analyzer;
  std::vector<std::string_view> words;
  std::vector<std::string> joined;
  size_t end_before = 0;
  for (const Term& term : analyzer.analyze(question)) {
    if (words.size() == kMaxWords) break;
    const std::string_view word = question.substr(term.begin, term.end - term.begin);
    // Neighbours: one space or hyphen between them, or the parts of an identifier.
    const bool neighbours = !words.empty() && !term.part && term.begin == end_before + 1;
    if (neighbours) {
      for (std::string& one :
           analyzer.terms(ascii_lower(std::string(words.back()) + std::string(word))))
        joined.push_back(std::move(one));
    }
    words.push_back(word);
    end_before = term.end;
  }
  return joined;
}

RolePrior::RolePrior(std::string_view question) {
  constexpr std::array<std::string_view, 6> kTests = {"test", "benchmark", "fixtur",
                                                      "fuzz", "mock",      "bench"};
  constexpr std::array<std::string_view, 7> kDocuments = {
      "doc", "document", "readm", "manual", "changelog", "licens", "man"};
  for (const std::string& term : CodeAnalyzer().terms(question)) {
    tests_ = tests_ || std::ranges::find(kTests, term) != kTests.end();
    documents_ = documents_ || std::ranges::find(kDocuments, term) != kDocuments.end();
  }
}

float RolePrior::of(std::string_view path) const {
  switch (role_of(path)) {
    case PathRole::kSource: return 1;
    case PathRole::kTest: return tests_ ? 1 : kTestPrior;
    case PathRole::kExample: return kExamplePrior;
    case PathRole::kDocument: return documents_ ? 1 : kDocumentPrior;
    case PathRole::kTranslation: return kTranslationPrior;
    case PathRole::kHistory: return documents_ ? 1 : kHistoryPrior;
  }
  return 1;
}

}  // namespace precedent
