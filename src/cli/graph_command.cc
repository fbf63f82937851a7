// precedent graph: the copilot's graph, or that of an investigation, drawn from the object that
// runs.
#include <fmt/format.h>

#include "agent/turn/copilot_graph.h"
#include "cli/command/command.h"
#include "investigate/case_graph.h"

namespace precedent {

void add_graph(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("graph", "Print the graph of steps that makes an answer");
  auto mermaid = std::make_shared<bool>(false);
  command->add_flag("--mermaid", *mermaid, "As a Mermaid diagram (the default, and the only form)");
  auto investigation = std::make_shared<bool>(false);
  command->add_flag("--investigation", *investigation, "That of an investigation");
  command->callback([&exit_code, investigation] {
    const Result<std::string> drawing = *investigation ? draw_case_graph() : draw_agent_graph();
    if (!drawing) {
      exit_code = fail_with(drawing.error());
      return;
    }
    fmt::print("{}", *drawing);
    exit_code = kExitOk;
  });
}

}  // namespace precedent
