#include "search/path_role.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "text/code_analyzer.h"

namespace precedent {
namespace {

struct Rule {
  std::string_view word;
  PathRole role;
};

// A folder of exactly this name, in lower case.
constexpr std::array kFolders = {
    Rule{"test", PathRole::kTest},
    Rule{"tests", PathRole::kTest},
    Rule{"testing", PathRole::kTest},
    Rule{"testdata", PathRole::kTest},
    Rule{"spec", PathRole::kTest},
    Rule{"specs", PathRole::kTest},
    Rule{"__tests__", PathRole::kTest},
    Rule{"__mocks__", PathRole::kTest},
    Rule{"fixtures", PathRole::kTest},
    Rule{"regress", PathRole::kTest},
    Rule{"e2e", PathRole::kTest},
    Rule{"fuzz", PathRole::kTest},
    Rule{"bench", PathRole::kTest},
    Rule{"benchmark", PathRole::kTest},
    Rule{"benchmarks", PathRole::kTest},
    Rule{"testsuite", PathRole::kTest},
    Rule{"example", PathRole::kExample},
    Rule{"examples", PathRole::kExample},
    Rule{"demo", PathRole::kExample},
    Rule{"demos", PathRole::kExample},
    Rule{"sample", PathRole::kExample},
    Rule{"samples", PathRole::kExample},
    Rule{"doc", PathRole::kDocument},
    Rule{"docs", PathRole::kDocument},
    Rule{"documentation", PathRole::kDocument},
    Rule{"man", PathRole::kDocument},
    Rule{"manual", PathRole::kDocument},
    Rule{"doc_src", PathRole::kDocument},
    Rule{"po", PathRole::kTranslation},
    Rule{"locale", PathRole::kTranslation},
    Rule{"locales", PathRole::kTranslation},
    Rule{"i18n", PathRole::kTranslation},
};

// The name of the file without its extension, or its beginning up to a '-', '_' or '.'.
constexpr std::array kNames = {
    Rule{"changelog", PathRole::kHistory}, Rule{"changes", PathRole::kHistory},
    Rule{"news", PathRole::kHistory},      Rule{"history", PathRole::kHistory},
    Rule{"copying", PathRole::kHistory},   Rule{"license", PathRole::kHistory},
    Rule{"licence", PathRole::kHistory},   Rule{"notice", PathRole::kHistory},
    Rule{"authors", PathRole::kHistory},   Rule{"contributors", PathRole::kHistory},
    Rule{"thanks", PathRole::kHistory},    Rule{"releasing", PathRole::kHistory},
    Rule{"readme", PathRole::kDocument},   Rule{"contributing", PathRole::kDocument},
    Rule{"install", PathRole::kDocument},  Rule{"todo", PathRole::kDocument},
};

constexpr std::array kExtensions = {
    Rule{"md", PathRole::kDocument},     Rule{"rst", PathRole::kDocument},
    Rule{"adoc", PathRole::kDocument},   Rule{"asciidoc", PathRole::kDocument},
    Rule{"txt", PathRole::kDocument},    Rule{"tex", PathRole::kDocument},
    Rule{"texi", PathRole::kDocument},   Rule{"sgml", PathRole::kDocument},
    Rule{"html", PathRole::kDocument},   Rule{"htm", PathRole::kDocument},
    Rule{"pod", PathRole::kDocument},    Rule{"po", PathRole::kTranslation},
    Rule{"pot", PathRole::kTranslation},
};

// Words of the file's name: graph_test.cc, TestGraph.java, graph.spec.ts.
constexpr std::array<std::string_view, 8> kTestWords = {"test",  "tests", "spec",  "mock",
                                                        "mocks", "fuzz",  "bench", "benchmark"};
// These are documents only as Markdown or plain text: history.c is code.
bool is_prose_name(std::string_view extension) {
  return extension.empty() || extension == "md" || extension == "rst" || extension == "txt" ||
         extension == "html" || extension == "adoc";
}

template <size_t N>
const Rule* find(const std::array<Rule, N>& rules, std::string_view word) {
  const auto found = std::ranges::find(rules, word, &Rule::word);
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace

PathRole role_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  const std::string_view name = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
  const size_t dot = name.rfind('.');
  const bool has_extension = dot != std::string_view::npos && dot > 0;
  const std::string extension = has_extension ? ascii_lower(name.substr(dot + 1)) : "";
  const std::string_view stem = has_extension ? name.substr(0, dot) : name;

  if (is_prose_name(extension)) {
    const std::string lower = ascii_lower(stem);
    if (const Rule* rule = find(kNames, lower.substr(0, lower.find_first_of("-_."))))
      return rule->role;
  }
  if (slash != std::string_view::npos) {
    const Rule* role = nullptr;
    const std::string folders = ascii_lower(path.substr(0, slash));
    for (const std::string_view folder : split(folders, '/')) {
      if (const Rule* rule = find(kFolders, folder); rule != nullptr && role == nullptr)
        role = rule;
    }
    if (role != nullptr) return role->role;
  }
  for (const std::string_view part : split(stem, '.')) {
    for (const WordSpan& word : identifier_words(part)) {
      const std::string lower = ascii_lower(part.substr(word.begin, word.end - word.begin));
      if (std::ranges::find(kTestWords, lower) != kTestWords.end()) return PathRole::kTest;
    }
  }
  if (const Rule* rule = find(kExtensions, extension)) return rule->role;
  return PathRole::kSource;
}

}  // namespace precedent
