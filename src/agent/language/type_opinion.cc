#include "agent/language/type_opinion.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/language/operator_file.h"

namespace precedent {
namespace {

// What is longer is a page of text.
constexpr size_t kMaxBytes = 2000;
// A cosine from which on a question says what a sentence of the operator says.
constexpr double kSame = 0.8;

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

Result<std::unique_ptr<TypeOpinion>> TypeOpinion::parse(std::string_view yaml,
                                                        std::string_view path,
                                                        const LearnedReader& reader,
                                                        const Embedder& embedder,
                                                        const std::filesystem::path& cache) {
  std::unique_ptr<TypeOpinion> opinion(new TypeOpinion(reader, embedder, cache));
  for (const IntentSentences& type : TRY(read_intents(yaml, path))) {
    opinion->vectors_.add(static_cast<size_t>(type.type), type.sentences);
    opinion->has_sentences_ |= !type.sentences.empty();
  }
  return opinion;
}

Result<std::unique_ptr<TypeOpinion>> TypeOpinion::open(const std::filesystem::path& data_dir,
                                                       const LearnedReader* reader,
                                                       const Embedder* embedder) {
  const OperatorFile file = TRY(read_operator_file(data_dir, "intents.yaml", default_intents()));
  if (reader == nullptr || embedder == nullptr) return nullptr;
  return parse(file.text, file.origin, *reader, *embedder, data_dir / "cache");
}

std::vector<TypeOpinion::Candidate> TypeOpinion::rank(const std::string& question) const {
  if (question.size() > kMaxBytes) return {};
  if (has_sentences_) {
    const std::string_view text = question;
    const auto vector = embedder_.embed(std::span(&text, 1));
    if (!vector) return {};
    const auto nearest = vectors_.nearest(vector->row(0));
    if (nearest && !nearest->empty() && nearest->front().cosine >= kSame) {
      const auto& best = nearest->front();
      return {{static_cast<QuestionType>(best.group), 1,
               fmt::format("like '{}' ({:.2f})", best.sentence, best.cosine)}};
    }
  }
  const auto reading = reader_.read(question, {});
  if (!reading) return {};
  std::vector<Candidate> ranked;
  double sum = 0;
  for (const ReadLabel& label : reading->head("type").labels) {
    const auto type = parse_question_type(label.label);
    if (!type || *type == QuestionType::kAmbiguous || *type == QuestionType::kOffTopic) continue;
    ranked.push_back({*type, label.probability, ""});
    sum += label.probability;
  }
  for (Candidate& candidate : ranked) candidate.probability /= sum;
  return ranked;
}

std::vector<ReadLabel> TypeOpinion::asked(const std::string& question) const {
  if (question.size() > kMaxBytes) return {};
  const auto reading = reader_.read(question, {});
  if (!reading) return {};
  const auto head = std::ranges::find(reading->heads, "asks", &ReadHead::name);
  return head == reading->heads.end() ? std::vector<ReadLabel>() : head->labels;
}

}  // namespace precedent
