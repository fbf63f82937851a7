#include "mcp/mcp_config.h"

#include <gmock/gmock.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::optional<std::string> environment(const std::string& name) {
  if (name == "TOKEN") return "t-1";
  return std::nullopt;
}
Result<std::vector<McpServerConfig>> read(std::string_view text, ConfigProblems* all = nullptr) {
  return read_mcp_config(text, "/etc/precedent/mcp.json", environment, all);
}
std::string problem_of(const std::string& server) {
  const auto servers = read(R"({"mcpServers": {"wiki": )" + server + "}}");
  return servers ? "" : servers.error().message;
}

TEST(McpConfig, ReadsTheShapeThatOthersShare) {
  const auto servers = read(R"({"mcpServers": {
    "tickets": {"type": "stdio", "command": "tickets-mcp", "args": ["--token", "${TOKEN}"],
                "env": {"TOKEN": "${TOKEN}", "LEVEL": "${LEVEL:-info}"}, "cwd": "tickets",
                "allow": ["search", "get"], "timeout": 2.5},
    "wiki": {"url": "https://wiki.example/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"},
             "allow": "*", "allowWrites": true},
    "off": {"command": "x", "disabled": true}}})");
  ASSERT_TRUE(servers) << servers.error().text();
  ASSERT_THAT(*servers, SizeIs(2));
  const McpServerConfig& tickets = (*servers)[0];
  EXPECT_EQ(tickets.command, "tickets-mcp");
  EXPECT_THAT(tickets.args, ElementsAre("--token", "t-1"));
  EXPECT_EQ(tickets.env.at("TOKEN"), "t-1");
  EXPECT_EQ(tickets.env.at("LEVEL"), "info");
  EXPECT_EQ(tickets.cwd, "/etc/precedent/tickets");
  EXPECT_EQ(tickets.timeout, std::chrono::milliseconds(2500));
  EXPECT_TRUE(tickets.allows("get"));
  EXPECT_FALSE(tickets.allows("delete"));
  EXPECT_FALSE(tickets.allow_writes);
  const McpServerConfig& wiki = (*servers)[1];
  EXPECT_EQ(wiki.headers, (std::vector<HttpHeader>{{"Authorization", "Bearer t-1"}}));
  EXPECT_TRUE(wiki.allows("anything"));
  EXPECT_TRUE(wiki.allow_writes);
}

TEST(McpConfig, NothingIsAllowedUnlessItIsListed) {
  const auto servers = read(R"({"mcpServers": {"wiki": {"command": "x"}}})");
  ASSERT_TRUE(servers);
  EXPECT_FALSE((*servers)[0].allows("anything"));
}

TEST(McpConfig, NamesWhatIsWrong) {
  constexpr std::string_view kWhere = "/etc/precedent/mcp.json: mcpServers.wiki";
  for (const auto& [server, said] : std::vector<std::pair<std::string, std::string>>{
           {"7", ": is no object"},
           {"{}", ".command: name either a command or a url"},
           {R"({"command": "x", "url": "http://y"})", ".command: name either"},
           {R"({"comand": "x"})", ".comand: is unknown; did you mean command?"},
           {R"({"command": 7})", ".command: is no text"},
           {R"({"command": "${GONE}"})", ".command: the environment has no GONE; set it"},
           {R"({"command": "${GONE"})", ".command: '${' has no '}'"},
           {R"({"command": "x", "args": [7]})", ".args: is no list of texts"},
           {R"({"command": "x", "env": {"A": 7}})", ".env.A: is no text"},
           {R"({"command": "x", "headers": {}})", ".headers: is for a url"},
           {R"({"url": "http://y", "env": {}})", ".env: is for a command"},
           {R"({"url": "ftp://y"})", ".url: "},
           {R"({"url": "http://y", "type": "sse"})", ".type: the transport 'sse'"},
           {R"({"command": "x", "allowWrites": "yes"})", ".allowWrites: is neither true nor false"},
           {R"({"command": "x", "timeout": 30000})",
            ".timeout: is no number of seconds from 1 to 600"},
           {R"({"command": "x", "timeout": "5"})", ".timeout: "}})
    EXPECT_THAT(problem_of(server), HasSubstr(std::string(kWhere) + said)) << server;
}

TEST(McpConfig, NoFileIsNoServerAndABrokenOneIsAnError) {
  EXPECT_THAT(read("").value(), IsEmpty());
  EXPECT_FALSE(read("{"));
  EXPECT_FALSE(read("[]"));
  EXPECT_FALSE(read("{}"));
  EXPECT_FALSE(read(R"({"mcpServers": {"a name": {"command": "x"}}})"));
  EXPECT_FALSE(read(R"({"mcpServers": {"": {"command": "x"}}})"));
}

TEST(McpConfig, FindsAllThatIsWrongAndKeepsTheRest) {
  ConfigProblems all;
  const auto servers =
      read(R"({"mcpServers": {"a": {}, "b": {"command": "x"}, "c": {"url": 7}}})", &all);
  ASSERT_TRUE(servers);
  EXPECT_THAT(*servers, SizeIs(1));
  EXPECT_THAT(all, SizeIs(2));
}

TEST(McpConfig, PrecedentYamlMayNameTheFile) {
  EXPECT_EQ(read_mcp_path("mcp: {config: servers.json}\n", "/etc/p/precedent.yaml").value(),
            "/etc/p/servers.json");
  EXPECT_EQ(read_mcp_path("model: {name: x}\n", "p.yaml").value(), "");
  EXPECT_EQ(read_mcp_path("", "").value(), "");
  EXPECT_THAT(read_mcp_path("mcp:\n  cofig: x\n", "p.yaml").error().message,
              HasSubstr("p.yaml:2: mcp.cofig"));
}

}  // namespace
}  // namespace precedent
