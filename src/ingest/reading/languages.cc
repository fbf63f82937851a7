#include "ingest/reading/languages.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"

namespace precedent {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr auto kExtensions = std::to_array<Pair>({
    {"ada", "ada"},
    {"adb", "ada"},
    {"ads", "ada"},
    {"asm", "assembly"},
    {"awk", "awk"},
    {"bash", "shell"},
    {"bat", "batch"},
    {"bzl", "starlark"},
    {"c", "c"},
    {"cc", "cpp"},
    {"clj", "clojure"},
    {"cmake", "cmake"},
    {"cpp", "cpp"},
    {"cs", "csharp"},
    {"css", "css"},
    {"cu", "cuda"},
    {"cxx", "cpp"},
    {"d", "d"},
    {"dart", "dart"},
    {"el", "lisp"},
    {"erl", "erlang"},
    {"ex", "elixir"},
    {"exs", "elixir"},
    {"fish", "fish"},
    {"f90", "fortran"},
    {"fs", "fsharp"},
    {"go", "go"},
    {"gradle", "groovy"},
    {"graphql", "graphql"},
    {"groovy", "groovy"},
    {"h", "cpp"},
    {"hcl", "terraform"},
    {"hh", "cpp"},
    {"hpp", "cpp"},
    {"hs", "haskell"},
    {"html", "html"},
    {"hxx", "cpp"},
    {"ini", "ini"},
    {"ino", "cpp"},
    {"java", "java"},
    {"jl", "julia"},
    {"js", "javascript"},
    {"json", "json"},
    {"jsx", "javascript"},
    {"kt", "kotlin"},
    {"kts", "kotlin"},
    {"l", "lex"},
    {"less", "css"},
    {"lisp", "lisp"},
    {"lua", "lua"},
    {"m", "objectivec"},
    {"m4", "m4"},
    {"md", "markdown"},
    {"mjs", "javascript"},
    {"mk", "make"},
    {"ml", "ocaml"},
    {"mli", "ocaml"},
    {"mm", "objectivec"},
    {"nix", "nix"},
    {"pas", "pascal"},
    {"php", "php"},
    {"pl", "perl"},
    {"pm", "perl"},
    {"promql", "promql"},
    {"properties", "properties"},
    {"proto", "protobuf"},
    {"ps1", "powershell"},
    {"py", "python"},
    {"pyi", "python"},
    {"r", "r"},
    {"rb", "ruby"},
    {"rs", "rust"},
    {"rst", "rst"},
    {"s", "assembly"},
    {"sass", "css"},
    {"scala", "scala"},
    {"scm", "scheme"},
    {"scss", "css"},
    {"sh", "shell"},
    {"sql", "sql"},
    {"svelte", "svelte"},
    {"swift", "swift"},
    {"tcl", "tcl"},
    {"tf", "terraform"},
    {"thrift", "thrift"},
    {"toml", "toml"},
    {"ts", "typescript"},
    {"tsx", "typescript"},
    {"v", "verilog"},
    {"vb", "vb"},
    {"vim", "vim"},
    {"vue", "vue"},
    {"xml", "xml"},
    {"y", "yacc"},
    {"yaml", "yaml"},
    {"yml", "yaml"},
    {"zig", "zig"},
    {"zsh", "shell"},
});

constexpr auto kNames = std::to_array<Pair>({
    {"build", "starlark"},
    {"cmakelists.txt", "cmake"},
    {"dockerfile", "dockerfile"},
    {"gemfile", "ruby"},
    {"jenkinsfile", "groovy"},
    {"makefile", "make"},
    {"rakefile", "ruby"},
    {"vagrantfile", "ruby"},
    {"workspace", "starlark"},
});

template <size_t N>
std::string_view find(const std::array<Pair, N>& table, std::string_view key) {
  const auto found = std::ranges::find(table, key, &Pair::first);
  return found == table.end() ? std::string_view() : found->second;
}

}  // namespace

std::string_view language_of(std::string_view path) {
  const std::string name = ascii_lower(path.substr(path.rfind('/') + 1));
  if (const auto language = find(kNames, name); !language.empty()) return language;
  if (const size_t dot = name.rfind('.'); dot != std::string::npos) {
    if (const auto language = find(kExtensions, name.substr(dot + 1)); !language.empty())
      return language;
  }
  return "text";
}

}  // namespace precedent
