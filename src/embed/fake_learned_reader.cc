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

void FakeLearnedReader::say_answers(std::string line, float probability) {
  answers_.insert_or_assign(std::move(line), probability);
}

void FakeLearnedReader::say_verdict(std::string claim, std::string label, float probability) {
  verdicts_.insert_or_assign(std::move(claim), Said{std::move(label), probability, true});
}

void FakeLearnedReader::say_heads(std::string question, std::map<std::string, std::string> labels) {
  heads_.insert_or_assign(std::move(question), std::move(labels));
}

Result<AdaptedReading> FakeLearnedReader::read(std::string_view text,
                                               std::span<const PastTurn> past) const {
  if (error_) return std::unexpected(*error_);
  {
    const MutexLock lock(mutex_);
    last_text_ = text;
    last_before_.clear();
    for (const PastTurn& turn : past) last_before_.emplace_back(turn.question, turn.answer);
  }
  const auto head = [&](std::string_view name, const auto& told, std::string_view otherwise) {
    ReadHead read{.name = name, .labels = {{otherwise, 1}}, .sure = true};
    const auto said = told.find(text);
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
  reading.heads.push_back(
      verdicts_.contains(text)
          ? head("verdict", verdicts_, "supported")
          : ReadHead{"verdict", {{"supported", 0.5F}, {"not_stated", 0.5F}}, false});
  const auto answers = answers_.find(text);
  reading.heads.push_back(
      {.name = "answers",
       .labels = {{"answers", answers == answers_.end() ? 0.5F : answers->second}},
       .sure = true});
  if (const auto heads = heads_.find(text); heads != heads_.end()) {
    for (const auto& [name, label] : heads->second)
      reading.heads.push_back({.name = name, .labels = {{label, 1}}, .sure = true});
  }
  if (std::ranges::find(reading.heads, "says", &ReadHead::name) == reading.heads.end())
    reading.heads.push_back({.name = "says", .labels = {{"none", 1}}, .sure = true});
  return reading;
}

std::vector<std::pair<std::string, std::string>> FakeLearnedReader::last_before() const {
  const MutexLock lock(mutex_);
  return last_before_;
}

std::string FakeLearnedReader::last_text() const {
  const MutexLock lock(mutex_);
  return last_text_;
}

}  // namespace precedent
