// A small shop's knowledge base, with the tools over it: for the tests of the tools.
//
// Fourteen documents in memory, each one chunk in the store; now is 2026-11-20T12:00:00Z. One
// thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "search/search_lab.h"
#include "tools/all_tools.h"

namespace precedent {

class ToolsLab {
 public:
  explicit ToolsLab(std::string_view store_file = ":memory:")
      : store_(KnowledgeStore::open(store_file, KnowledgeStore::Access::kReadWrite).value()) {}

  ToolsLab& add(const Document& document) {
    lab_.add(document);
    return put(document);
  }
  // In the store alone.
  ToolsLab& put(const Document& document) {
    Chunk whole;
    whole.text = document.body;
    store_
        .apply({.put = {{.document = document,
                         .hash = content_hash(document),
                         .chunks = {{whole, document.id}}}}})
        .value();
    return *this;
  }

  ToolsLab& add_shop() {
    const auto incident = [&](const char* id, const char* title, const char* text,
                              const char* application, const char* opened,
                              std::vector<std::string> services = {}) {
      Document d = lab_incident(id, title, text, application, opened);
      d.services = std::move(services);
      d.severity = "SEV2";
      d.status = "Resolved";
      add(d);
    };
    incident("INC-2025-01-20-005", "HTTP 403 from PayU", "Expired credentials gave HTTP 403.",
             "PayU Core", "2025-01-20T08:00:00Z", {"payment-service"});
    incident("INC-2025-01-20-007", "Portal slow", "The portal was slow.", "Merchant Portal",
             "2025-01-20T19:00:00Z");
    incident("INC-2026-11-12-001", "Settlement file late", "The file waited for a lock.",
             "Settlement & Reporting", "2026-11-12T09:00:00Z", {"settlement-worker"});
    incident("INC-2026-11-18-001", "Reports time out", "A query without index was slow.",
             "Settlement & Reporting", "2026-11-18T09:00:00Z", {"report-builder"});
    incident("INC-2026-11-20-001", "Gateway timeouts", "The gateway ran out of connections.",
             "Payment Gateway", "2026-11-20T12:00:00Z", {"api-gateway"});
    const auto document = [&](Kind kind, const char* id, const char* title, const char* body,
                              std::vector<std::string> services, std::vector<std::string> tags) {
      Document d = lab_document(kind, id, title, body);
      d.services = std::move(services);
      d.tags = std::move(tags);
      add(d);
    };
    document(
        Kind::kRunbook, "RB-403", "Fix PayU 403 errors",
        "Rotate the credentials.\n\nRestart the gateway.\n\nTell the merchants of the gateway.",
        {"payment-service"}, {"payu", "auth"});
    document(Kind::kPlaybook, "PB-SEV1", "Command a SEV1", "Open a bridge and name a commander.",
             {}, {"process"});
    document(Kind::kPostmortem, "PM-403", "Post-mortem of the 403 outage",
             "Credentials expired unseen.", {"payment-service"}, {"payu"});
    document(Kind::kArchitecture, "AR-SEARCH", "How search works", "Queries go to replicas.",
             {"search-api"}, {"search"});
    document(Kind::kKnownIssue, "KI-INDEX", "Search index goes missing", "Rebuild the index.",
             {"search-api"}, {"search"});
    document(Kind::kAdr, "ADR-7", "Keep idempotency keys in Postgres", "We keep keys in Postgres.",
             {"payment-service"}, {});
    document(Kind::kCode, "CODE-1", "gateway.cc", "int gateway() { return 403; }", {}, {});
    GoldenExample golden;
    golden.id = "GOLD-1";
    golden.question = "How do I fix PayU 403 errors of the gateway?";
    golden.answer = "Rotate the credentials.";
    golden.review = Review{"Ana Ruiz", parse_time("2026-11-19").value()};
    add_golden(golden);
    return *this;
  }

  // In the store and, whatever its state, in the index: as after an interrupted ingest.
  ToolsLab& add_golden(const GoldenExample& example) {
    store_.put_golden({&example, 1}).value();
    return add(to_document(example));
  }
  void put_golden(const GoldenExample& example) { store_.put_golden({&example, 1}).value(); }

  Receipt call(std::string_view tool, const nlohmann::json& args) {
    const Searcher& search = lab_.search();
    ToolContext context{search, store_, clock_, events_};
    context.live.changes = changes_;
    context.conditions = conditions_;
    events_.events.clear();
    return tools_.find(tool).value()->call(args, context, "R1");
  }

  // Of the last call, in order.
  std::vector<std::string> statuses() const {
    std::vector<std::string> texts;
    for (const Event& event : events_.events) texts.push_back(event.text);
    return texts;
  }

  void add_tool(std::unique_ptr<Tool> tool) { tools_.add(std::move(tool)); }
  void set_now(std::string_view now) { clock_ = FixedClock(parse_time(now).value()); }
  // Lifetime: outlives the calls.
  void set_changes(const ChangeSource* changes) { changes_ = changes; }
  void set_conditions(const LearnedReader* reader) { conditions_ = reader; }
  BreakableIndex& index() { return lab_.index; }

 private:
  SearchLab lab_;
  KnowledgeStore store_;
  FixedClock clock_{parse_time("2026-11-20T12:00:00Z").value()};
  RecordingSink events_;
  const ChangeSource* changes_ = nullptr;
  const LearnedReader* conditions_ = nullptr;
  Toolset tools_ = all_tools();
};

}  // namespace precedent
