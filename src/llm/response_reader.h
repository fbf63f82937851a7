// ResponseReader: the bytes of a vendor's successful response → ModelReply, whatever their shape:
// an event stream or one JSON object, cut anywhere.
//
// Ill-formed UTF-8 is replaced. Thread safety: one thread. Lifetime: the dialect and the request
// outlive it.
#pragma once

#include "llm/dialect.h"

namespace precedent {

class ResponseReader {
 public:
  ResponseReader(const Dialect& dialect, const ModelRequest& request,
                 std::function<void(std::string_view)> on_text, std::string id_seed);

  // False: the reply is complete. Errors: what the stream reports (then failure() says more), a
  // limit, or bytes that are no reply.
  Result<bool> feed(std::string_view bytes);
  // At the end of the bytes. Errors: kUnavailable if the stream was cut.
  Result<ModelReply> finish();
  const ModelFailure& failure() const { return failure_; }

 private:
  Result<bool> read_event(const SseEvent& event);
  Result<void> read_body();

  const Dialect& dialect_;
  const ModelRequest& request_;
  ReplyBuilder reply_;
  std::unique_ptr<StreamAssembler> assembler_;
  SseDecoder decoder_;
  enum class Form { kUnknown, kStream, kWhole } form_ = Form::kUnknown;
  std::string body_;  // kUnknown, kWhole
  bool complete_ = false;
  ModelFailure failure_;
};

}  // namespace precedent
