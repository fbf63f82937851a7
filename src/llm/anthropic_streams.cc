// After Anthropic's API reference ("Streaming messages", "Errors"); written for these tests.
#include "llm/stream_cases.h"

namespace precedent {

std::vector<StreamCase> anthropic_streams() {
  return {
      {"PlainAnswer", true,
       R"(event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"claude-sonnet","stop_reason":null,"usage":{"input_tokens":25,"cache_creation_input_tokens":10,"cache_read_input_tokens":100,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Keys were "}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"rotated."}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":15}}

event: message_stop
data: {"type":"message_stop"}

)",
       "end claude-sonnet 135/15/100 'Keys were rotated.'"},
      {"ThinkingTextAndTwoCalls", true,
       R"(event: message_start
data: {"type":"message_start","message":{"model":"claude","usage":{"input_tokens":5,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Look it up."}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQB"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"One moment."}}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"lookup","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"id\": \"INC"}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"-1\"}"}}

event: content_block_start
data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_2","name":"list","input":{}}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":40}}

event: message_stop
data: {"type":"message_stop"}

)",
       R"(tool_calls claude 5/40/0 'One moment.' toolu_1:lookup{"id": "INC-1"} toolu_2:list{} thinking 'Look it up.')"},
      {"StructuredAnswer", true,
       R"(event: message_start
data: {"type":"message_start","message":{"model":"claude","usage":{"input_tokens":5}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"filter","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"q\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"1}"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":4}}

event: message_stop
data: {"type":"message_stop"}

)",
       R"(end claude 5/4/0 '{"q":1}')"},
      {"InputAsAnObject", true,
       R"(data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"lookup","input":{"id":1}}}

data: {"type":"message_delta","delta":{"stop_reason":"tool_use"}}

)",
       R"(tool_calls m 0/0/0 '' t:lookup{"id":1})"},
      {"Overloaded", true,
       R"(event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Keys"}}

event: error
data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}

)",
       "! unavailable (again): test m is not available (HTTP 529): Overloaded; try again a little "
       "later"},
      {"Refusal", true,
       R"(data: {"type":"message_delta","delta":{"stop_reason":"refusal"}}

data: {"type":"message_stop"}

)",
       "refused m 0/0/0 'The model refused to answer this.'"},
      {"UnknownEventsAndBlocks", true,
       R"(event: novelty
data: {"type":"novelty","x":[1]}

data: {"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s","name":"web"}}

data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Yes."}}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}

data: {"type":"message_stop"}

)",
       "end m 0/0/0 'Yes.'"},
      {"CutStream", true,
       R"(data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Keys were"}}

)",
       "! unavailable (again): test m cut its stream after 9 bytes of an answer; try again"},
      {"WholeReply", true,
       R"({"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[{"type":"text","text":"Yes."},{"type":"tool_use","id":"t","name":"lookup","input":{"id":1}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":4}})",
       R"(tool_calls claude 3/4/0 'Yes.' t:lookup{"id":1})"},
      {"IllFormedUtf8", true,
       "data: "
       "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":"
       "\"caf\xC3\"}}\n\n"
       "data: {\"type\":\"message_stop\"}\n\n",
       "end m 0/0/0 'caf\xEF\xBF\xBD'"},
  };
}

}  // namespace precedent
