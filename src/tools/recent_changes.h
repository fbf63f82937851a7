// recent_changes: what was committed, deployed, switched or set lately, and what it touched.
//
// Thread safety: as Tool.
#pragma once

#include "tools/tool.h"

namespace precedent {

class RecentChanges final : public Tool {
 public:
  RecentChanges();

 protected:
  Result<Outcome> run(const Args& args, ToolContext& context) const override;
};

}  // namespace precedent
