#include "agent/language/tally.h"

namespace precedent {
namespace {

// What is longer is a page of text.
constexpr size_t kMaxBytes = 2000;
// How sure it must be that anything is to be computed.
constexpr double kSure = 0.85;
// And from where on no rule may say otherwise.
constexpr double kHardlyNothing = 0.05;

}  // namespace

bool Tally::computes() const {
  if (by != "none") return function != "list";
  const bool measured = of == "duration" || of == "number";
  return measured && (function == "sum" || function == "average" || function == "extreme");
}

std::optional<Tally> read_tally(const std::string& question, const LearnedReader& reader) {
  if (question.size() > kMaxBytes) return std::nullopt;
  const auto reading = reader.read(question, {});
  if (!reading) return std::nullopt;
  double nothing = 0;
  for (const ReadLabel& label : reading->head("function").labels)
    if (label.label == "none") nothing = label.probability;
  if (nothing > 1 - kSure) return std::nullopt;
  const auto likeliest = [&](std::string_view head, std::string_view except) {
    for (const ReadLabel& label : reading->head(head).labels)
      if (label.label != except) return std::string(label.label);
    return std::string();
  };
  const ReadHead& state = reading->head("state");
  // "Which stayed open longest" is not of open ones.
  const bool open = state.sure && state.labels.front().label == "open";
  return Tally{likeliest("function", "none"),
               likeliest("pick", ""),
               likeliest("of", "none"),
               likeliest("by", ""),
               open,
               nothing < kHardlyNothing};
}

}  // namespace precedent
