// What the tests of the whole agent share: two incidents, and an agent over them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "agent/turn/copilot_lab.h"
#include "base/ids.h"
#include "graph/memory_checkpointer.h"
#include "search/search_lab.h"

namespace precedent {

inline const TimePoint kNow = *parse_time("2026-11-20T12:00:00Z");

class CopilotTest : public ::testing::Test {
 protected:
  CopilotTest() : search_lab(false) {
    put(incident("INC-2025-01-20-005", "PayU HTTP 403 authorization failure", "PayU Core",
                 "Scheduled API key rotation", "Updated API keys in all environments"));
    put(incident("INC-2025-08-24-001", "Checkout pool exhausted", "Checkout Platform",
                 "A connection leak", "Raised the pool and restarted checkout"));
  }

  static Document incident(std::string id, std::string title, std::string application,
                           std::string cause, std::string action) {
    Incident i;
    i.incident_id = std::move(id);
    i.title = std::move(title);
    i.description = i.title + " for an hour.";
    i.impacted_application = std::move(application);
    i.root_cause = std::move(cause);
    i.action_taken = std::move(action);
    i.opened_at = date_in_id(i.incident_id);
    return to_document(i);
  }
  void put(const Document& document) {
    search_lab.add(document);
    store.apply({.put = {{.document = document, .hash = content_hash(document)}}}).value();
  }
  CopilotLab lab(ChatModel* model = nullptr) {
    return CopilotLab(search_lab.search(), store, kNow, model, &threads);
  }
  static std::vector<std::string> statuses(const CopilotLab& lab) {
    std::vector<std::string> texts;
    for (const Event& event : lab.events.events)
      if (event.type == Event::Type::kStatus) texts.push_back(event.text);
    return texts;
  }
  static std::vector<std::string> cited(const Reply& reply) {
    std::vector<std::string> ids;
    for (const ::precedent::Source& source : reply.sources) ids.push_back(source.id);
    return ids;
  }
  static ToolCall call(std::string name, std::string args) { return {"c1", name, args}; }

  SearchLab search_lab;
  KnowledgeStore store =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  MemoryCheckpointer threads;
};

inline const AskOptions kThread{.thread = "t"};

}  // namespace precedent
