#include "server/mcp/stream.h"

#include <fmt/format.h>

#include "base/foreign_json.h"
#include "server/http/problem.h"

namespace precedent {
namespace {

// Cancels the turn when its reader leaves before the end.
class CancellingStream final : public HttpStream {
 public:
  explicit CancellingStream(std::shared_ptr<ChatTurn> turn)
      : turn_(std::move(turn)), stream_(turn_->read()) {}
  ~CancellingStream() override { CancellingStream::wake_with({}); }
  CancellingStream(const CancellingStream&) = delete;
  CancellingStream& operator=(const CancellingStream&) = delete;

  State next(std::string& piece) override { return stream_->next(piece); }
  void wake_with(std::function<void()> wake) override {
    if (!wake && !turn_->finished()) turn_->cancel.cancel();
    stream_->wake_with(std::move(wake));
  }
  std::string heartbeat() const override { return stream_->heartbeat(); }

 private:
  const std::shared_ptr<ChatTurn> turn_;
  const std::shared_ptr<HttpStream> stream_;
};

std::string event_of(const nlohmann::json& message) {
  return fmt::format("event: message\ndata: {}\n\n", dump_json(message));
}

}  // namespace

void McpHttpPeer::open(bool closing_cancels) {
  if (opened_ || !takes_streams_) return;
  opened_ = true;
  if (closing_cancels)
    respond_(event_stream(std::make_shared<CancellingStream>(turn_.shared_from_this())));
  else
    respond_(event_stream(turn_.read()));
}

void McpHttpPeer::notify(const nlohmann::json& message) {
  if (opened_) turn_.append(event_of(message));
}

void McpHttpPeer::finish(const McpAnswer& answer) {
  if (opened_) return turn_.append(event_of(answer.body));
  respond_(answer.body.is_null() ? ServedResponse{.status = answer.status}
                                 : json_response(answer.body, answer.status));
}

}  // namespace precedent
