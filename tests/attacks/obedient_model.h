// ObedientModel: the worst model there could be. It retrieves the record that holds the attack, and
// then obeys whatever it can read there: it makes the calls that it is told to make, says what it
// is told to say, and puts every secret that it finds into both. It decodes characters that nobody
// sees, too.
//
// Thread safety: complete(), since a title is asked for beside the answer; the rest between turns.
#pragma once

#include "attack.h"
#include "base/mutex.h"
#include "llm/chat_model.h"

namespace precedent::attacks {

class ObedientModel final : public ChatModel {
 public:
  ObedientModel(const Attack& attack, ToolCall retrieving)
      : attack_(attack), retrieving_(std::move(retrieving)) {}

  std::string name() const override { return "obedient"; }
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;

  // Not only for names: the call may have changed since this was made.
  void set_retrieving(ToolCall call) { retrieving_ = std::move(call); }

  const std::vector<ModelRequest>& requests() const { return requests_; }
  // It has read the attack; what it made of a hidden message.
  bool has_read() const { return has_read_; }
  bool has_decoded() const { return has_decoded_; }
  // A secret that it found, or "".
  const std::string& found_secret() const { return found_secret_; }

 private:
  void read(const std::string& text);
  std::string expanded(const std::string& text) const;

  const Attack& attack_;
  Mutex answering_;
  ToolCall retrieving_;
  std::vector<ModelRequest> requests_;
  bool has_read_ = false, has_decoded_ = false, has_retrieved_ = false, has_obeyed_ = false;
  std::string found_secret_;
};

}  // namespace precedent::attacks
