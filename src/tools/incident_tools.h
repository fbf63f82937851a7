// The four incident tools: by id, by likeness, by application, by time.
//
// Limits count incidents, not chunks. Parameters, primary path and fallback of each are in its .cc.
// Thread safety: as Tool.
#pragma once

#include "tools/tool.h"

namespace precedent {

class LookupIncidentById final : public Tool {
 public:
  LookupIncidentById();

 protected:
  Result<Outcome> run(const Args& args, ToolContext& context) const override;
};

class SearchSimilarIncidents final : public Tool {
 public:
  SearchSimilarIncidents();

 protected:
  Result<Outcome> run(const Args& args, ToolContext& context) const override;
};

class GetIncidentsByApplication final : public Tool {
 public:
  GetIncidentsByApplication();

 protected:
  Result<Outcome> run(const Args& args, ToolContext& context) const override;
};

// Window: opened after now − days and not after now. An empty window says so and names the latest
// incident before it, without returning it.
class GetRecentIncidents final : public Tool {
 public:
  GetRecentIncidents();

 protected:
  Result<Outcome> run(const Args& args, ToolContext& context) const override;
};

}  // namespace precedent
