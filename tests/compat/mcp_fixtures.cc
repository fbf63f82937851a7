// The tools, prompts and resources that MCP's conformance runner wants to see, on the server of
// precedent as it is: a program for compat_test.py. It listens on loopback, prints its address and
// ends with its input.
//
// Names, arguments and contents are those that the runner's scenarios ask for. Everything between
// the line and a tool is the product's own.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/hash.h"
#include "base/json_access.h"
#include "files/temporary_folder.h"
#include "server/lab_seat.h"
#include "server/server.h"

namespace {

using namespace precedent;  // NOLINT
using nlohmann::json;

// The smallest of their kinds: a picture of one point, and a sound of no length.
constexpr const char* kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg"
    "==";
constexpr const char* kWav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

json text(const std::string& said) { return {{"type", "text"}, {"text", said}}; }
json image() { return {{"type", "image"}, {"data", kPng}, {"mimeType", "image/png"}}; }
json resource(const std::string& uri, const std::string& type, const std::string& said) {
  return {{"type", "resource"}, {"resource", {{"uri", uri}, {"mimeType", type}, {"text", said}}}};
}
McpOutcome contents(json content, bool failed = false) {
  return {.result = {{"content", std::move(content)}, {"isError", failed}}};
}
McpOutcome said(const std::string& what) { return contents({text(what)}); }

json object_schema(json properties) {
  return {{"type", "object"}, {"properties", std::move(properties)}};
}
json form(const std::string& key, const std::string& message, const std::string& field,
          const std::string& type = "string") {
  json schema = object_schema({{field, {{"type", type}}}});
  schema["required"] = json::array({field});
  return mcp_form(key, message, schema);
}
McpOutcome asks(json forms, json kept = json::object()) {
  McpOutcome outcome = said("This takes an answer.");
  outcome.forms = std::move(forms);
  outcome.kept = std::move(kept);
  return outcome;
}
bool is_first(const McpRound& round) { return round.kept.is_null(); }

// Until the time is up or somebody stops it; false: somebody did.
bool wait(double seconds, const CancelToken& cancel) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (cancel.cancelled()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

using Run = std::function<McpResult<McpOutcome>(const McpRound&, EventSink&, const CancelToken&)>;

class Fixture final : public McpJob {
 public:
  Fixture(std::string name, Run run, json schema = object_schema(json::object()))
      : name_(std::move(name)), run_(std::move(run)), schema_(std::move(schema)) {}
  std::string_view name() const override { return name_; }
  json tool() const override {
    return {
        {"name", name_}, {"description", "For the conformance runner"}, {"inputSchema", schema_}};
  }
  std::optional<json> refusal(const json&) const override { return std::nullopt; }
  std::string chat(const json&) const override { return ""; }
  std::string mark(const json& args) const override {
    return fmt::format("{:08x}", hash64(name_ + args.dump()) & 0xffffffff);
  }
  McpResult<McpOutcome> run(const McpRound& round, EventSink& events,
                            const CancelToken& cancel) const override {
    return run_(round, events, cancel);
  }

 private:
  const std::string name_;
  const Run run_;
  const json schema_;
};

// With everything that a schema of JSON Schema 2020-12 may hold beside types.
json rich_schema() {
  return {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"type", "object"},
      {"$defs",
       {{"address",
         {{"$anchor", "addressDef"},
          {"type", "object"},
          {"properties", {{"street", {{"type", "string"}}}, {"city", {{"type", "string"}}}}}}}}},
      {"properties",
       {{"name", {{"type", "string"}}},
        {"address", {{"$ref", "#/$defs/address"}}},
        {"contactMethod", {{"type", "string"}, {"enum", {"phone", "email"}}}},
        {"phone", {{"type", "string"}}},
        {"email", {{"type", "string"}}}}},
      {"allOf", {{{"anyOf", {{{"required", {"phone"}}}, {{"required", {"email"}}}}}}}},
      {"if",
       {{"properties", {{"contactMethod", {{"const", "phone"}}}}},
        {"required", {"contactMethod"}}}},
      {"then", {{"required", {"phone"}}}},
      {"else", {{"required", {"email"}}}},
      {"additionalProperties", false}};
}

McpResult<McpOutcome> greeted_by_name(const McpRound& round, EventSink&, const CancelToken&) {
  if (is_first(round)) return asks(form("user_name", "What is your name?", "name"));
  return said(fmt::format(
      "Hello, {}!",
      foreign::string_at(foreign::member(foreign::member(round.answers, "user_name"), "content"),
                         "name")));
}

McpResult<McpOutcome> confirmed(const McpRound& round, EventSink&, const CancelToken&) {
  if (is_first(round)) return asks(form("confirm", "Please confirm", "ok", "boolean"));
  return said("state-ok");
}

McpResult<McpOutcome> in_two_rounds(const McpRound& round, EventSink&, const CancelToken&) {
  if (is_first(round)) return asks(form("step1", "Step 1: What is your name?", "name"), 1);
  if (round.kept == 1)
    return asks(form("step2", "Step 2: What is your favorite color?", "color"), 2);
  return said("Both steps are done.");
}

std::vector<Fixture> make_fixtures() {
  const auto always = [](const McpOutcome& outcome) {
    return [outcome](const McpRound&, EventSink&, const CancelToken&) -> McpResult<McpOutcome> {
      return outcome;
    };
  };
  const json seconds =
      object_schema({{"seconds", {{"type", "number"}}}, {"label", {{"type", "string"}}}});
  std::vector<Fixture> all;
  all.emplace_back("test_simple_text", always(said("This is a simple text response for testing.")));
  all.emplace_back("test_image_content", always(contents({image()})));
  all.emplace_back(
      "test_audio_content",
      always(contents({{{"type", "audio"}, {"data", kWav}, {"mimeType", "audio/wav"}}})));
  all.emplace_back("test_embedded_resource",
                   always(contents({resource("test://embedded-resource", "text/plain",
                                             "This is an embedded resource content.")})));
  all.emplace_back("test_multiple_content_types",
                   always(contents({text("Multiple content types test:"), image(),
                                    resource("test://mixed-content-resource", "application/json",
                                             R"({"test":"data","value":123})")})));
  all.emplace_back(
      "test_error_handling",
      always(contents({text("This tool intentionally returns an error for testing")}, true)));
  all.emplace_back("json_schema_2020_12_tool", always(said("Taken.")), rich_schema());
  all.emplace_back(
      "test_tool_with_progress",
      [](const McpRound&, EventSink& events, const CancelToken& cancel) -> McpResult<McpOutcome> {
        for (const char* how_far : {"Begun", "Half done", "Done"}) {
          events.status(how_far);
          wait(0.05, cancel);
        }
        return said("Done.");
      });
  all.emplace_back("test_streaming_elicitation", greeted_by_name);
  all.emplace_back("test_logging_tool", always(said("Nothing is logged to clients.")));
  all.emplace_back("test_input_required_result_elicitation", greeted_by_name);
  all.emplace_back("test_input_required_result_request_state", confirmed);
  all.emplace_back("test_input_required_result_tampered_state", confirmed);
  all.emplace_back("test_input_required_result_multi_round", in_two_rounds);
  all.emplace_back(
      "slow_compute",
      [](const McpRound& round, EventSink&, const CancelToken& cancel) -> McpResult<McpOutcome> {
        if (!wait(round.args.value("seconds", 0.0), cancel))
          return contents({text("Stopped.")}, true);
        return said("Computed.");
      },
      seconds);
  all.emplace_back("failing_job", always(contents({text("The job failed.")}, true)));
  all.emplace_back("protocol_error_job",
                   [](const McpRound&, EventSink&, const CancelToken&) -> McpResult<McpOutcome> {
                     return mcp_fail(kMcpInternalError, "the job broke");
                   });
  all.emplace_back(
      "confirm_delete",
      [](const McpRound& round, EventSink&, const CancelToken&) -> McpResult<McpOutcome> {
        if (is_first(round)) return asks(form("confirm", "Delete it?", "confirm", "boolean"));
        return said("Deleted.");
      },
      object_schema({{"filename", {{"type", "string"}}}}));
  all.emplace_back(
      "multi_input",
      [](const McpRound& round, EventSink&, const CancelToken&) -> McpResult<McpOutcome> {
        if (!is_first(round)) return said("Both were answered.");
        json forms = form("name", "What is your name?", "name");
        forms.update(form("confirm", "Shall it go on?", "confirm", "boolean"));
        return asks(std::move(forms));
      });
  return all;
}

// Tools that are no jobs run at once, whatever the client declares.
class Greet final : public Tool {
 public:
  Greet()
      : Tool({"greet", "Greets", {{.name = "name", .description = "Whom", .required = true}}}) {}

 private:
  Result<Outcome> run(const Args& args, ToolContext&) const override {
    Outcome outcome;
    outcome.text = fmt::format("Hello, {}!", args.text("name"));
    return outcome;
  }
};

json message(json content) { return {{"role", "user"}, {"content", std::move(content)}}; }
json argument(const char* name) { return {{"name", name}, {"required", true}}; }

class FixtureTexts final : public McpMore {
 public:
  json prompts() const override {
    const auto entry = [](const char* name, json arguments) -> json {
      return {{"name", name},
              {"description", "For the conformance runner"},
              {"arguments", std::move(arguments)}};
    };
    return {entry("test_simple_prompt", json::array()),
            entry("test_prompt_with_arguments", {argument("arg1"), argument("arg2")}),
            entry("test_prompt_with_embedded_resource", json::array({argument("resourceUri")})),
            entry("test_prompt_with_image", json::array())};
  }
  std::optional<McpResult<json>> prompt(const std::string& name,
                                        const json& arguments) const override {
    if (name == "test_simple_prompt")
      return prompt_of({message(text("This is a simple prompt for testing."))});
    if (name == "test_prompt_with_arguments")
      return prompt_of({message(text(fmt::format("Prompt with arguments: arg1='{}', arg2='{}'",
                                                 foreign::string_at(arguments, "arg1"),
                                                 foreign::string_at(arguments, "arg2"))))});
    if (name == "test_prompt_with_embedded_resource")
      return prompt_of({message(resource(foreign::string_at(arguments, "resourceUri"), "text/plain",
                                         "Embedded resource content for testing.")),
                        message(text("Please process the embedded resource above."))});
    if (name == "test_prompt_with_image")
      return prompt_of({message(image()), message(text("Please analyze the image above."))});
    return std::nullopt;
  }

  json resources() const override {
    return {{{"uri", kText}, {"name", "static-text"}, {"mimeType", "text/plain"}},
            {{"uri", kBinary}, {"name", "static-binary"}, {"mimeType", "image/png"}}};
  }
  json templates() const override {
    return json::array({{{"uriTemplate", "test://template/{id}/data"},
                         {"name", "template"},
                         {"mimeType", "application/json"}}});
  }
  std::optional<json> contents(const std::string& uri) const override {
    const auto one = [&](const char* type, const char* key, const std::string& value) {
      return json::array({{{"uri", uri}, {"mimeType", type}, {key, value}}});
    };
    if (uri == kText)
      return one("text/plain", "text", "This is the content of the static text resource.");
    if (uri == kBinary) return one("image/png", "blob", kPng);
    std::string_view id = uri;
    constexpr std::string_view kBegin = "test://template/", kEnd = "/data";
    if (!id.starts_with(kBegin) || !id.ends_with(kEnd)) return std::nullopt;
    id = id.substr(kBegin.size(), id.size() - kBegin.size() - kEnd.size());
    return one(
        "application/json", "text",
        json{{"id", id}, {"templateTest", true}, {"data", fmt::format("Data for ID: {}", id)}}
            .dump());
  }

 private:
  static McpResult<json> prompt_of(std::vector<json> messages) {
    return json{{"description", "For the conformance runner"}, {"messages", std::move(messages)}};
  }
  static constexpr const char* kText = "test://static-text";
  static constexpr const char* kBinary = "test://static-binary";
};

class FixtureSeat final : public LabSeat {
 public:
  FixtureSeat(const Parts& parts, const Caller& caller, const std::vector<Fixture>& fixtures)
      : LabSeat(parts, caller) {
    for (const Fixture& fixture : fixtures) jobs_.push_back(&fixture);
  }
  std::vector<const McpJob*> jobs() const override { return jobs_; }
  const McpMore* more() const override { return &texts_; }

 private:
  const FixtureTexts texts_;
  std::vector<const McpJob*> jobs_;
};

}  // namespace

int main() {
  SystemClock clock;
  SearchLab knowledge(false);
  knowledge.add(
      lab_document(Kind::kRunbook, "rb-1", "Drain a press", "# Drain a press\n\nStop it."));
  const Searcher& search = knowledge.search();
  KnowledgeStore store =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  const TemporaryFolder folder;
  FakeKnowledgeDesk desk(store, folder.path() / "uploads", clock.now());
  Toolset tools = knowledge_tools();
  tools.add(std::make_unique<Greet>());
  MemoryCheckpointer threads;
  std::atomic<bool> held{false};
  const std::vector<Fixture> fixtures = make_fixtures();
  const auto server = Server::start(
      {.seat = [&](const Caller& caller) -> Result<std::unique_ptr<Seat>> {
         return std::make_unique<FixtureSeat>(
             LabSeat::Parts{search, store, tools, clock, threads, held}, caller, fixtures);
       },
       .clock = clock,
       .model = "offline",
       .version = "test",
       .readiness = [] { return std::vector<ReadinessPart>(); },
       .desk = desk},
      {});
  if (!server) {
    fmt::print(stderr, "{}\n", server.error().text());
    return 1;
  }
  fmt::print("http://127.0.0.1:{}\n", (*server)->port());
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  return 0;
}
