// The spans of a turn: what they are called, and which attributes they have.
//
//   invoke_agent precedent                  the turn
//     guardrail_check
//     Support Bot LLM                       traced_model.h
//     Incident Report Qdrant Tool
//       execute_tool lookup_incident_by_id
//     Support Bot LLM
//     Title Generator LLM
//
// Only where whoever runs the turn asks for it (AskOptions::langfuse_enabled; then its Context is
// traced) and the services have a tracer; else all of these do nothing. Attributes:
// docs/tracing.md. Thread safety: pure functions.
#pragma once

#include "agent/state/copilot_state.h"
#include "agent/turn/copilot_services.h"
#include "agent/turn/question.h"
#include "agent/turn/reply.h"

namespace precedent {

ScopedSpan open_turn(const CopilotServices& services, const AskOptions& options,
                     std::string_view question);
void close_turn(ScopedSpan& turn, const Reply& reply);

// A child of the turn, for what a node does.
ScopedSpan open_span(const CopilotServices& services, const CopilotState& state,
                     const Context& context, std::string_view name,
                     SpanKind kind = SpanKind::kInternal);

// One call of a tool, below the span of its node.
ScopedSpan open_call(const CopilotServices& services, const CopilotState& state,
                     const Context& context, const ScopedSpan& node, const ToolCall& call);
void close_call(ScopedSpan& span, const Receipt& receipt);

// A title that was made without a model, under the name it would have with one.
void trace_offline_title(const CopilotServices& services, const CopilotState& state,
                         const Context& context, const std::string& title);

// Messages as the conventions write them: [{"role", "parts": [{"type", …}]}].
std::string messages_json(const std::vector<Message>& messages, std::string_view finish = {});

}  // namespace precedent
