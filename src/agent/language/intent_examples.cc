#include "agent/language/intent_examples.h"

#include <algorithm>

#include "agent/language/operator_file.h"

namespace precedent {
namespace {

// Questions of as many conversations as are likely to be answered at once.
constexpr size_t kRemembered = 32;
// What is longer is a page of text, whose meaning one sentence does not resemble.
constexpr size_t kMaxBytes = 2000;

}  // namespace

Result<std::vector<IntentSentences>> read_intents(std::string_view yaml, std::string_view path,
                                                  ConfigProblems* problems) {
  constexpr std::string_view kKeys[] = {"types"};
  std::vector<IntentSentences> read;
  const ConfigSection root(TRY(parse_yaml(yaml, path)), path, "", problems);
  TRY(root.check(kKeys));
  const ConfigSection types = root.section("types");
  for (const std::string& key : types.keys()) {
    const auto type = parse_question_type(key);
    if (!type)
      TRY(types.settle(
          types.wrong(key, "there is no such type of questions" + did_you_mean_type(key))));
    std::vector<std::string> sentences;
    TRY(types.read(key, sentences));
    if (type) read.push_back({*type, std::move(sentences)});
  }
  return read;
}

Result<std::unique_ptr<IntentExamples>> IntentExamples::parse(std::string_view yaml,
                                                              std::string_view path,
                                                              const Embedder& embedder,
                                                              const std::filesystem::path& cache) {
  std::unique_ptr<IntentExamples> examples(new IntentExamples(embedder, cache));
  for (const IntentSentences& type : TRY(read_intents(yaml, path)))
    examples->vectors_.add(static_cast<size_t>(type.type), type.sentences);
  return examples;
}

Result<std::unique_ptr<IntentExamples>> IntentExamples::open(const std::filesystem::path& data_dir,
                                                             const Embedder* embedder) {
  if (embedder == nullptr) return nullptr;
  const OperatorFile file = TRY(read_operator_file(data_dir, "intents.yaml", default_intents()));
  return parse(file.text, file.origin, *embedder, data_dir / "cache");
}

std::vector<IntentExamples::Likeness> IntentExamples::rank(const std::string& question) const {
  if (question.size() > kMaxBytes) return {};
  {
    const MutexLock lock(mutex_);
    const auto known = std::ranges::find(latest_, question, &decltype(latest_)::value_type::first);
    if (known != latest_.end()) return known->second;
  }
  const std::string_view text = question;
  const auto vector = embedder_.embed(std::span(&text, 1));
  if (!vector) return {};
  const auto nearest = vectors_.nearest(vector->row(0));
  if (!nearest) return {};
  std::vector<Likeness> ranked;
  for (const ExampleVectors::Nearest& n : *nearest)
    ranked.push_back({static_cast<QuestionType>(n.group), n.cosine, n.sentence});
  const MutexLock lock(mutex_);
  if (latest_.size() >= kRemembered) latest_.erase(latest_.begin());
  latest_.emplace_back(question, ranked);
  return ranked;
}

}  // namespace precedent
