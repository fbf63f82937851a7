// For tests: a client of MCP in both eras, of the server of server_lab.h.
#pragma once

#include <string>
#include <vector>

#include "server/server_lab.h"
#include "server/turns/turns.h"

namespace precedent {

class McpLab : public ServerLab {
 protected:
  json envelope(const std::string& version = "2026-07-28") const {
    json meta = {{"io.modelcontextprotocol/protocolVersion", version},
                 {"io.modelcontextprotocol/clientCapabilities", capabilities_}};
    if (!token_.is_null()) meta["progressToken"] = token_;
    return meta;
  }
  static std::string message(const std::string& method, json params = json::object(), json id = 1) {
    json body = {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
    if (!id.is_null()) body["id"] = std::move(id);
    return body.dump();
  }
  Got legacy(const std::string& method, json params = json::object(), json id = 1) {
    return ask("POST", "/mcp", message(method, std::move(params), std::move(id)),
               {{"Content-Type", "application/json"}, {"MCP-Protocol-Version", "2025-11-25"}});
  }
  Got modern(const std::string& method, json params = json::object(),
             std::vector<HttpHeader> headers = {}) {
    params["_meta"] = envelope();
    std::vector<HttpHeader> all = {{"Content-Type", "application/json"},
                                   {"MCP-Protocol-Version", "2026-07-28"},
                                   {"Mcp-Method", method}};
    for (const char* name : {"name", "uri", "taskId"})
      if (params.contains(name)) all.push_back({"Mcp-Name", params[name]});
    if (!accept_.empty()) all.push_back({"Accept", accept_});
    if (!headers.empty()) all = std::move(headers);
    return ask("POST", "/mcp", message(method, std::move(params)), std::move(all));
  }
  json call(const std::string& tool, json arguments, json more = json::object()) {
    more.update({{"name", tool}, {"arguments", std::move(arguments)}});
    return modern("tools/call", std::move(more)).body;
  }
  void store(Kind kind, const std::string& id, const std::string& title, const std::string& body) {
    const Document document = lab_document(kind, id, title, body);
    store_.apply({.put = {{.document = document, .hash = content_hash(document)}}}).value();
  }
  // Tells what the task is, once it is not working any more.
  json ended(const json& task) {
    for (;;) {
      const json got = modern("tasks/get", {{"taskId", task["taskId"]}}).body["result"];
      if (got.value("status", "") != "working") return got;
    }
  }

  TurnPool pool_{TurnPoolOptions{}};
  Turns turns_{pool_};                  // of another process
  json capabilities_ = json::object();  // of the client
  json token_;
  std::string accept_;
};

}  // namespace precedent
