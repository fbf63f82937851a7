#include "llm/redact_model.h"

#include "base/redact.h"

namespace precedent {

Result<ModelReply> RedactModel::complete(const ModelRequest& request, ModelContext& context) {
  ModelRequest clean = request;
  for (Message& message : clean.messages) {
    message.content = redact(message.content);
    for (ToolCall& call : message.tool_calls) call.args = redact(call.args);
  }
  return inner_->complete(clean, context);
}

}  // namespace precedent
