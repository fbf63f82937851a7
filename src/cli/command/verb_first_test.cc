#include "cli/command/verb_first.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/strings.h"
#include "cli/command/command.h"

namespace precedent {
namespace {

class VerbFirst : public testing::Test {
 protected:
  VerbFirst() {
    CLI::App* ask = app.add_subcommand("ask");
    ask->add_option("question", question);
    ask->add_option("--data-dir", data_dir);
    ask->add_flag("--json", json);
    CLI::App* check = app.add_subcommand("config")->add_subcommand("check");
    check->add_option("--data-dir", data_dir);
    app.set_version_flag("--version", "1");
  }
  std::string of(std::string_view line) {
    std::vector<std::string> args;
    for (const std::string_view word : split(line, ' ')) args.emplace_back(word);
    return join(verb_first(app, args), " ");
  }

  CLI::App app;
  std::string question, data_dir;
  bool json = false;
};

TEST_F(VerbFirst, OptionsGoBehindTheCommandThatTheyStandBefore) {
  EXPECT_EQ(of("ask --json q"), "ask --json q");
  EXPECT_EQ(of("--json ask q"), "ask --json q");
  EXPECT_EQ(of("--data-dir d --json ask q"), "ask --data-dir d --json q");
  EXPECT_EQ(of("--data-dir=d ask q"), "ask --data-dir=d q");
  EXPECT_EQ(of("--data-dir ask ask q"), "ask --data-dir ask q") << "a folder may be called ask";
  EXPECT_EQ(of("--data-dir d config check"), "config check --data-dir d");
  EXPECT_EQ(of("config --data-dir d check"), "config --data-dir d check");
}

TEST_F(VerbFirst, WhatIsNoOptionOrNoCommandIsLeftToTheParser) {
  EXPECT_EQ(of("--unknown ask q"), "--unknown ask q");
  EXPECT_EQ(of("--json aks"), "--json aks");
  EXPECT_EQ(of("--version ask"), "--version ask");
  EXPECT_EQ(of("--json --version ask"), "--json --version ask");
  EXPECT_EQ(of("--json"), "--json");
  EXPECT_EQ(of("--data-dir"), "--data-dir");
  EXPECT_EQ(of(""), "");
  EXPECT_THAT(verb_first(app, {}), testing::IsEmpty());
}

// Whether an option takes a value is looked up by its name alone.
TEST(Commands, AnOptionOfTheSameNameTakesAValueEverywhereOrNowhere) {
  CLI::App app;
  int exit_code = 0;
  add_commands(app, exit_code);
  std::map<std::string, bool> takes_value;
  const std::function<void(const CLI::App&)> visit = [&](const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        const bool takes = option->get_items_expected_max() > 0;
        EXPECT_EQ(takes_value.try_emplace(name, takes).first->second, takes)
            << command.get_name() << " --" << name;
      }
    }
    for (const CLI::App* below : command.get_subcommands(nullptr)) visit(*below);
  };
  visit(app);
  EXPECT_GT(takes_value.size(), 30u);
}

}  // namespace
}  // namespace precedent
