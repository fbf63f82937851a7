// For tests: the server as clients of the LangGraph server API use it.
#pragma once

#include <string>
#include <vector>

#include "server/server_lab.h"

namespace precedent {

class ThreadsLab : public ServerLab {
 protected:
  static constexpr auto* kLetters = "what to do when letters are late?";

  static std::string run_of(const std::string& text, json more = json::object()) {
    json body = {{"assistant_id", "precedent"},
                 {"input", {{"messages", {{{"role", "user"}, {"content", text}}}}}}};
    body.update(more);
    return body.dump();
  }
  std::string thread() {
    const Got made = ask("POST", "/threads", "{}");
    EXPECT_EQ(made.status, 200) << made.raw.body;
    return made.body["thread_id"];
  }
  Got wait(const std::string& id, const std::string& text, json more = json::object()) {
    return ask("POST", "/threads/" + id + "/runs/wait", run_of(text, std::move(more)));
  }
  std::vector<SseEvent> stream(const std::string& id, const std::string& text, const json& modes) {
    const Got got =
        ask("POST", "/threads/" + id + "/runs/stream", run_of(text, {{"stream_mode", modes}}));
    EXPECT_EQ(got.status, 200) << got.raw.body;
    return events_of(got);
  }
  json state(const std::string& id) { return ask("GET", "/threads/" + id + "/state").body; }
  std::vector<json> history(const std::string& id) {
    const Got got = ask("POST", "/threads/" + id + "/history", R"({"limit":100})");
    EXPECT_EQ(got.status, 200) << got.raw.body;
    return got.body;
  }
  // The checkpoint at which the first turn was over.
  std::string end_of_first_turn(const std::string& id) {
    const std::vector<json> states = history(id);
    for (auto at = states.rbegin(); at != states.rend(); ++at)
      if ((*at)["next"].empty() && (*at)["values"]["messages"].size() > 1)
        return (*at)["checkpoint"]["checkpoint_id"];
    ADD_FAILURE() << "no turn ended";
    return "";
  }
  static std::vector<std::string> names_of(const std::vector<SseEvent>& events) {
    std::vector<std::string> names;
    for (const SseEvent& event : events) names.push_back(event.event);
    return names;
  }
  static std::string last_text(const json& values) {
    return values["messages"].back()["content"].get<std::string>();
  }
};

}  // namespace precedent
