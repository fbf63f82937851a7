#include "cli/command/durability.h"

#include <fmt/format.h>

namespace precedent {
namespace {

constexpr std::string_view kKeys[] = {"durability"};

}  // namespace

std::optional<Durability> parse_durability(std::string_view text) {
  if (text == "sync") return Durability::kSync;
  if (text == "async") return Durability::kAsync;
  if (text == "exit") return Durability::kExit;
  return std::nullopt;
}

Result<Durability> read_durability(std::string_view yaml, std::string_view path,
                                   const std::string& option, ConfigProblems* all) {
  const ConfigSection root(TRY(parse_yaml(yaml, path)), path, "", all);
  Durability durability = Durability::kSync;
  if (root.has("threads")) {
    const ConfigSection section = root.section("threads");
    TRY(section.check(kKeys));
    std::string said;
    TRY(section.read("durability", said));
    const auto known = parse_durability(said);
    if (!said.empty() && !known) {
      TRY(section.settle(
          section.wrong("durability", fmt::format("'{}' must be sync, async or exit", said))));
    }
    durability = known.value_or(durability);
  }
  return parse_durability(option).value_or(durability);
}

void add_durability(CLI::App& command, std::string& durability) {
  command
      .add_option("--durability", durability,
                  "What a crash may cost the conversation: nothing that was finished (sync), the "
                  "step on its way (async), the whole turn (exit); instead of the configured one")
      ->check(CLI::IsMember({"sync", "async", "exit"}))
      ->type_name("MODE");
}

}  // namespace precedent
