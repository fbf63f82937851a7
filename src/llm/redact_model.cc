#include "llm/redact_model.h"

#include "base/redact.h"
#include "base/redact_json.h"

namespace precedent {

Result<ModelReply> RedactModel::complete(const ModelRequest& request, ModelContext& context) {
  ModelRequest clean = request;
  for (Message& message : clean.messages) {
    message.content = redact(message.content);
    for (ToolCall& call : message.tool_calls) call.args = redact_json(call.args);
  }
  return inner_->complete(clean, context);
}

}  // namespace precedent
