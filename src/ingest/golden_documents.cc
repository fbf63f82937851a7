#include "ingest/golden_documents.h"

#include <fmt/format.h>

#include <map>

#include "knowledge/golden.h"

namespace precedent {
namespace {

Result<ReadSummary> read_served(const KnowledgeStore& store, DocumentSink& sink) {
  ReadSummary summary;
  summary.sources = {std::string(kGoldenSource)};
  size_t number = 0;
  for (const GoldenExample& example : TRY(store.golden_examples())) {
    if (!is_served(example)) continue;
    ++number;
    const std::optional<Document> holder = TRY(store.find(example.id));
    if (holder && holder->kind != Kind::kGolden) {
      ++summary.bad;
      sink.bad({std::string(kGoldenSource), number, "id",
                fmt::format("'{}' is also the id of the {} \"{}\", so the golden example cannot be "
                            "found; add it again under an id of its own",
                            example.id, name(holder->kind), holder->title)});
      continue;
    }
    ++summary.documents;
    TRY(sink.document(to_document(example), number));
  }
  return summary;
}

}  // namespace

DocumentReader golden_documents(const KnowledgeStore& store) {
  return [&store](const ReadOptions&, DocumentSink& sink) { return read_served(store, sink); };
}

Result<bool> golden_documents_in_step(const KnowledgeStore& store) {
  std::map<std::string, std::string> wanted, there;
  for (const GoldenExample& example : TRY(store.golden_examples())) {
    if (is_served(example)) wanted[example.id] = preparation_mark(to_document(example));
  }
  // Most knowledge bases have neither, and states() reads the whole of one.
  if (wanted.empty() && TRY(store.list(Kind::kGolden, 1)).empty()) return true;
  for (const DocumentState& state : TRY(store.states())) {
    if (state.source == kGoldenSource) there[state.id] = state.hash;
  }
  return wanted == there;
}

}  // namespace precedent
