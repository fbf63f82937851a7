#include "embed/fake_learned_reader.h"

#include <algorithm>
#include <functional>

namespace precedent {

void FakeLearnedReader::say(std::string question, std::string label, float probability, bool sure) {
  guards_.insert_or_assign(std::move(question), Said{std::move(label), probability, sure});
}

void FakeLearnedReader::say_type(std::string question, std::string label, float probability) {
  types_.insert_or_assign(std::move(question), Said{std::move(label), probability, true});
}

Result<AdaptedReading> FakeLearnedReader::read(std::string_view question,
                                               std::span<const PastTurn>) const {
  if (error_) return std::unexpected(*error_);
  const auto head = [&](std::string_view name, const auto& told, std::string_view otherwise) {
    ReadHead read{.name = name, .labels = {{otherwise, 1}}, .sure = true};
    const auto said = told.find(question);
    if (said == told.end()) return read;
    const auto& [label, probability, sure] = said->second;
    read.labels = {{label, probability}, {otherwise, 1 - probability}};
    std::ranges::stable_sort(read.labels, std::greater(), &ReadLabel::probability);
    read.sure = sure;
    return read;
  };
  AdaptedReading reading;
  reading.heads.push_back(head("guard", guards_, "ordinary"));
  reading.heads.push_back(head("type", types_, "knowledge"));
  return reading;
}

}  // namespace precedent
