// After OpenAI's API reference ("Streaming", "The chat completion chunk object") and the documents
// of Azure, Ollama, vLLM, llama.cpp, OpenRouter and DeepSeek; written for these tests.
#include "llm/stream_cases.h"

namespace precedent {

std::vector<StreamCase> openai_streams() {
  return {
      {"PlainAnswer", false,
       R"(data: {"id":"c1","object":"chat.completion.chunk","model":"gpt-4o-2024-08-06","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

data: {"id":"c1","model":"gpt-4o-2024-08-06","choices":[{"index":0,"delta":{"content":"Keys were "},"finish_reason":null}]}

data: {"id":"c1","model":"gpt-4o-2024-08-06","choices":[{"index":0,"delta":{"content":"rotated."},"finish_reason":null}]}

data: {"id":"c1","model":"gpt-4o-2024-08-06","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: {"id":"c1","model":"gpt-4o-2024-08-06","choices":[],"usage":{"prompt_tokens":120,"completion_tokens":9,"total_tokens":129,"prompt_tokens_details":{"cached_tokens":64}}}

data: [DONE]

)",
       "end gpt-4o-2024-08-06 120/9/64 'Keys were rotated.'"},
      {"ArgumentsInPiecesOfTwoCalls", false,
       R"(data: {"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"lookup","arguments":""}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"id\":"}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"search","arguments":"{\"q"}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"INC-1\"}"}},{"index":1,"function":{"arguments":"\":\"x\"}"}}]}}]}

data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: [DONE]

)",
       R"(tool_calls m 0/0/0 '' call_a:lookup{"id":"INC-1"} call_b:search{"q":"x"})"},
      {"MissingIndex", false,
       R"(data: {"choices":[{"delta":{"tool_calls":[{"id":"call_a","function":{"name":"lookup","arguments":"{\"id\""}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"function":{"arguments":":1}"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"id":"call_b","function":{"name":"search","arguments":"{}"}}]}}]}

data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}

data: [DONE]

)",
       R"(tool_calls m 0/0/0 '' call_a:lookup{"id":1} call_b:search{})"},
      {"EmptyIdInLaterPieces", false,
       R"(data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_a","function":{"name":"lookup","arguments":"{\"id\""}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"","function":{"name":"","arguments":":1}"}}]}}]}

data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}

data: [DONE]

)",
       R"(tool_calls m 0/0/0 '' call_a:lookup{"id":1})"},
      {"NeitherIdNorIndex", false,
       R"(data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"lookup","arguments":"{\"id\":1}"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"lookup","arguments":"{\"id\":2}"}}]}}]}

data: {"choices":[{"delta":{},"finish_reason":"stop"}]}

data: [DONE]

)",
       R"(tool_calls m 0/0/0 '' call_*_0:lookup{"id":1} call_*_1:lookup{"id":2})"},
      {"EveryCallIsNumberedZero", false,
       R"(data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"lookup","arguments":"{\"id\":1}"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"lookup","arguments":"{\"id\":2}"}}]}}]}

data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}

)",
       R"(tool_calls m 0/0/0 '' a:lookup{"id":1} b:lookup{"id":2})"},
      {"NameAndIdInEveryPiece", false,
       R"(data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"lookup","arguments":"{\"id\""}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"lookup","arguments":":1}"}}]}}]}

data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}

data: [DONE]

)",
       R"(tool_calls m 0/0/0 '' a:lookup{"id":1})"},
      {"ArgumentsAsAnObjectAndNone", false,
       R"(data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"lookup","arguments":{"id":1}}},{"index":1,"id":"b","function":{"name":"list"}}]},"finish_reason":"tool_calls"}]}

data: [DONE]

)",
       R"(tool_calls m 0/0/0 '' a:lookup{"id":1} b:list{})"},
      {"KeepAliveComments", false,
       ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n"
       R"(data: {"model":"x/y","choices":[{"delta":{"content":"Yes."},"finish_reason":null}]}

: OPENROUTER PROCESSING

data: {"choices":[{"delta":{"content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}

data: [DONE]

)",
       "end x/y 5/2/0 'Yes.'"},
      {"DoneIsMissing", false,
       R"(data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}

)",
       "end m 0/0/0 'Yes.'"},
      {"FinishReasonIsMissing", false,
       "data: {\"choices\":[{\"delta\":{\"content\":\"Yes.\"}}]}\n\ndata: [DONE]\n\n",
       "end m 0/0/0 'Yes.'"},
      {"CarriageReturnsAndByteOrderMark", false,
       "\xEF\xBB\xBF"
       "data: {\"choices\":[{\"delta\":{\"content\":\"Yes.\"}}]}\r\n\r\ndata: [DONE]\r\n\r\n",
       "end m 0/0/0 'Yes.'"},
      {"AzureFilterResultsFirst", false,
       R"(data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}

data: {"choices":[{"content_filter_results":{},"delta":{"content":"Yes."},"finish_reason":null,"index":0}],"model":"gpt-4o"}

data: {"choices":[{"delta":{},"finish_reason":"stop","index":0}],"model":"gpt-4o"}

data: [DONE]

)",
       "end gpt-4o 0/0/0 'Yes.'"},
      {"ContentFilter", false,
       R"(data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}

data: [DONE]

)",
       "refused m 0/0/0 'The model refused to answer this.'"},
      {"Refusal", false,
       R"(data: {"choices":[{"delta":{"refusal":"I cannot "}}]}

data: {"choices":[{"delta":{"refusal":"help."}}]}

data: {"choices":[{"delta":{},"finish_reason":"stop"}]}

data: [DONE]

)",
       "refused m 0/0/0 'I cannot help.'"},
      {"ReasoningContent", false,
       R"(data: {"choices":[{"delta":{"role":"assistant","content":null,"reasoning_content":"The key "}}]}

data: {"choices":[{"delta":{"content":null,"reasoning_content":"expired."}}]}

data: {"choices":[{"delta":{"content":"Rotate it.","reasoning_content":null},"finish_reason":"stop"}]}

data: [DONE]

)",
       "end m 0/0/0 'Rotate it.' thinking 'The key expired.'"},
      {"ReasoningFieldOfOpenRouter", false,
       R"(data: {"choices":[{"delta":{"content":"","reasoning":"Hm.","reasoning_content":"Hm."}}]}

data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}

data: [DONE]

)",
       "end m 0/0/0 'Yes.' thinking 'Hm.'"},
      {"ThinkTagsInTheContent", false,
       R"(data: {"choices":[{"delta":{"content":"\n<th"}}]}

data: {"choices":[{"delta":{"content":"ink>Is 1 < 2? </"}}]}

data: {"choices":[{"delta":{"content":"think>\n\nYes: <think> is a tag."},"finish_reason":"stop"}]}

data: [DONE]

)",
       "end m 0/0/0 'Yes: <think> is a tag.' thinking 'Is 1 < 2? '"},
      {"AlmostAThinkTag", false,
       R"(data: {"choices":[{"delta":{"content":"<thi"},"finish_reason":"stop"}]}

data: [DONE]

)",
       "end m 0/0/0 '<thi'"},
      {"ContentInParts", false,
       R"(data: {"choices":[{"delta":{"content":[{"type":"text","text":"Yes"},{"type":"text","text":"."}]},"finish_reason":"stop"}]}

data: [DONE]

)",
       "end m 0/0/0 'Yes.'"},
      {"LengthCutsTheAnswer", false,
       R"(data: {"choices":[{"delta":{"content":"Keys we"},"finish_reason":"length"}]}

data: [DONE]

)",
       "length m 0/0/0 'Keys we'"},
      {"LengthBeforeAnyAnswer", false,
       R"(data: {"choices":[{"delta":{},"finish_reason":"length"}],"usage":{"prompt_tokens":5,"completion_tokens":64}}

data: [DONE]

)",
       "! resource_exhausted: the model used all 64 output tokens before it answered; raise "
       "model.max_output_tokens"},
      {"LengthCutsACall", false,
       R"(data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"lookup","arguments":"{\"id"}}]},"finish_reason":"length"}]}

data: [DONE]

)",
       "! resource_exhausted: the limit of output tokens cut the call of 'lookup'; raise "
       "model.max_output_tokens"},
      {"NothingAtAll", false, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
       "! unavailable (again): the model answered with nothing; ask again"},
      {"CutStream", false,
       R"(data: {"choices":[{"delta":{"content":"Keys were"},"finish_reason":null}]}

data: {"choices":[{"del)",
       "! unavailable (again): test m cut its stream after 9 bytes of an answer; try again"},
      {"ErrorInsideAStream", false,
       R"(data: {"choices":[{"delta":{"content":"Keys"},"finish_reason":null}]}

data: {"error":{"message":"The server is overloaded.","type":"server_error","code":null}}

)",
       "! unavailable (again): test m is not available (HTTP 500): The server is overloaded.; try "
       "again a little later"},
      {"OpenRouterErrorWithANumber", false,
       R"(data: {"id":"x","error":{"code":429,"message":"Rate limited upstream"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}

)",
       "! unavailable (again): test m limits the rate (HTTP 429): Rate limited upstream; try again "
       "a little later"},
      {"ErrorAsText", false, "data: {\"error\":\"model runner has stopped\"}\n\n",
       "! unavailable (again): test m is not available (HTTP 500): model runner has stopped; try "
       "again a little later"},
      {"ContextOverflow", false,
       R"(data: {"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}

)",
       "! resource_exhausted: test m cannot read that much at once (HTTP 400): This model's "
       "maximum context length is 8192 "
       "tokens.; shorten the conversation or use a model with a larger window"},
      {"WebPageInsteadOfAStream", false, "data: <html>hello</html>\n\n",
       "! unavailable: test m sent an event that is no JSON object: '<html>hello</html>'; is "
       "model.base_url right?"},
      {"WebPage", false, "\n<!doctype html><p>Sign in</p>",
       "! unavailable: test m sent 30 bytes that are no whole JSON object: '<!doctype html><p>Sign "
       "in</p>'; "
       "is model.base_url right?"},
      {"WholeReply", false,
       R"({"id":"c1","object":"chat.completion","model":"local","choices":[{"index":0,"message":{"role":"assistant","content":"Yes.","tool_calls":[{"id":"a","type":"function","function":{"name":"lookup","arguments":"{\"id\":1}"}},{"type":"function","function":{"name":"lookup","arguments":"{\"id\":1}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":4}})",
       R"(tool_calls local 3/4/0 'Yes.' a:lookup{"id":1} call_*_1:lookup{"id":1})"},
      {"WholeReplyCut", false, R"({"choices":[{"message":{"content":"Ye)",
       "! unavailable (again): test m sent 37 bytes that are no whole JSON object: "
       R"('{"choices":[{"message":{"content":"Ye'; try again)"},
      {"WholeError", false, R"({"error":{"message":"no","type":"invalid_api_key"}})",
       "! permission: test m refuses the key (HTTP 401): no; check the variable that "
       "model.api_key_env names"},
      {"IllFormedUtf8", false,
       "data: {\"choices\":[{\"delta\":{\"content\":\"caf\xC3 "
       "\xFF!\"},\"finish_reason\":\"stop\"}]}\n\n",
       "end m 0/0/0 'caf\xEF\xBF\xBD \xEF\xBF\xBD!'"},
      {"WrongTypesEverywhere", false,
       R"(data: {"choices":[{"delta":{"content":7,"tool_calls":"x"},"finish_reason":3}],"usage":[],"model":{}}

data: {"choices":{},"usage":{"prompt_tokens":-5,"completion_tokens":"many"}}

data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}

data: [DONE]

)",
       "end m 0/0/0 'Yes.'"},
      {"Empty", false, "",
       "! unavailable (again): test m cut its stream after 0 bytes of an answer; try again"},
  };
}

}  // namespace precedent
