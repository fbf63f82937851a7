// precedent graph: the copilot's graph, drawn from the object that runs.
#include <fmt/format.h>

#include "agent/turn/copilot_graph.h"
#include "cli/command.h"

namespace precedent {

void add_graph(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("graph", "Print the graph of steps that makes an answer");
  auto mermaid = std::make_shared<bool>(false);
  command->add_flag("--mermaid", *mermaid, "As a Mermaid diagram (the default, and the only form)");
  command->callback([&exit_code, mermaid] {
    const Result<std::string> drawing = draw_agent_graph();
    if (!drawing) {
      exit_code = fail_with(drawing.error());
      return;
    }
    fmt::print("{}", *drawing);
    exit_code = kExitOk;
  });
}

}  // namespace precedent
