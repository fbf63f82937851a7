// Resources: documents and incidents, to be read as a client reads files.
//
//   precedent://document/{id}   any document, also an incident and a file of a repository
//   precedent://incident/{id}   an incident
//
// Listed are incidents and documents that people wrote, a page at a time, in the order in which
// they came; code and golden examples are found by the tools, and read by their id. Texts are clean
// as those of receipts are (tools/clean_receipt.h), and end at 100,000 bytes.
// Thread safety: all members. Ownership: borrows the services.
#pragma once

#include "server/mcp/protocol.h"
#include "server/mcp/services.h"

namespace precedent {

class McpResources {
 public:
  explicit McpResources(const McpServices& services) : services_(services) {}

  bool offered() const { return static_cast<bool>(services_.knowledge); }
  // {resources, nextCursor?}. Errors: kMcpInvalidParams for a cursor that we did not give.
  McpResult<nlohmann::json> list(const McpCall& call) const;
  nlohmann::json templates() const;
  // {contents}. Errors: kMcpInvalidParams for an address that is none of ours, and, in the newer
  // revision, for one at which there is nothing; kMcpResourceNotFound for that in the older ones.
  McpResult<nlohmann::json> read(const McpCall& call) const;

 private:
  const McpServices& services_;
};

}  // namespace precedent
