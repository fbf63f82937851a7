// ModelQuestionReader: a language model reads the filter off a question, through a structured
// output that is checked against what the knowledge base has.
//
// A name that nothing carries, a date that is none and a kind that there is not are dropped and
// said in the cues: the model proposes, the catalogue decides. Errors: the model's, and
// kInvalidArgument for an answer that is no object of the asked form.
// Thread safety: read() from several threads. Lifetime: model, prompts and token outlive
// it.
#pragma once

#include "agent/model/prompts.h"
#include "base/cancel.h"
#include "llm/chat_model.h"
#include "search/question_reader.h"

namespace precedent {

class ModelQuestionReader final : public QuestionReader {
 public:
  ModelQuestionReader(ChatModel& model, const PromptLibrary& prompts, const CancelToken& cancel)
      : model_(model), prompts_(prompts), cancel_(cancel) {}

  Result<ReadQuestion> read(std::string_view question, const Catalogue& catalogue,
                            TimePoint now) const override;

 private:
  ChatModel& model_;
  const PromptLibrary& prompts_;
  const CancelToken& cancel_;
};

// The model's object, checked. Pure.
Result<ReadQuestion> parse_read_question(std::string_view json, const Catalogue& catalogue);

}  // namespace precedent
