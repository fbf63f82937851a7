#include "ingest/publish/point_builder.h"

#include <fmt/format.h>

#include <map>

#include "base/hash.h"
#include "base/strings.h"

namespace precedent {
namespace {

// Raise this when the fields of this file or the terms of text/analyzer.h change: every index is
// then rebuilt. Other terms also make other lengths: see kPreparationRules in prepare.cc.
constexpr int kPointRules = 3;

std::string meta_text(const Document& d) {
  std::string text = d.id;
  for (const auto* list : {&d.services, &d.symptoms, &d.tags}) {
    for (const std::string& item : *list) text.append("\n").append(item);
  }
  return text.append("\n").append(d.application);
}

AverageLengths averages_of(const CorpusLengths::Level& level) {
  if (level.points == 0) return {};
  const auto average = [&](uint64_t total) {
    return static_cast<float>(static_cast<double>(total) / static_cast<double>(level.points));
  };
  return {average(level.title), average(level.heading), average(level.meta), average(level.body)};
}

// What all points of a document say.
Payload common_payload(const Document& d, size_t chunk_count) {
  Payload p;
  p.doc_id = d.id;
  p.kind = d.kind;
  p.chunk_count = static_cast<uint32_t>(chunk_count);
  p.title = d.title;
  // A record of a dataset version may stand in another file after the next activation: only the
  // store says in which.
  if (d.source != kVersionSource) p.path = d.path;
  p.services = d.services;
  p.tags = d.tags;
  p.application = d.application;
  p.severity = d.severity;
  p.status = d.status;
  p.opened_at = d.opened_at;
  return p;
}

}  // namespace

FieldLengths DocumentTerms::lengths() const {
  FieldLengths lengths;
  lengths.title = title.length;
  lengths.meta = meta.length;
  lengths.headings = headings.length;
  for (const ForChunk& chunk : chunks) {
    lengths.chunk_headings += chunk.heading.length;
    lengths.body += chunk.body.length;
  }
  return lengths;
}

DocumentTerms analyze(const Document& document, std::span<const StoredChunk> chunks,
                      const Tokenizer& tokenize) {
  const auto count = [&, population = population(document.kind)](std::string_view text) {
    return count_terms(tokenize(text, population), population);
  };
  DocumentTerms terms;
  terms.title = count(document.title);
  terms.meta = count(meta_text(document));
  std::map<std::string_view, TermCounts> headings;
  std::vector<const TermCounts*> parts;
  for (const auto& [chunk, key] : chunks) {
    parts.clear();
    for (const std::string& heading : chunk.heading) {
      auto [entry, is_new] = headings.try_emplace(heading);
      if (is_new) entry->second = count(heading);
      parts.push_back(&entry->second);
    }
    terms.chunks.push_back({sum(parts), count(chunk.text)});
  }
  parts.clear();
  for (const auto& [heading, counts] : headings) parts.push_back(&counts);
  terms.headings = sum(parts);
  return terms;
}

CorpusStats stats_of(const CorpusLengths& lengths) {
  return {averages_of(lengths.chunks), averages_of(lengths.documents)};
}

int32_t point_format(const Bm25Params& params) {
  std::string text = fmt::format("rules {} k1 {}", kPointRules, params.k1);
  for (const auto& [weight, b] : params.fields) text += fmt::format(" {} {}", weight, b);
  return static_cast<int32_t>(hash64(text) & 0x7fffffff);
}

std::vector<Point> build_points(uint64_t point, const Document& document,
                                std::span<const StoredChunk> chunks, const DocumentTerms& terms,
                                std::vector<std::vector<float>> vectors, const CorpusStats& stats,
                                const Bm25Params& params) {
  std::vector<Point> points(1 + chunks.size());
  const Payload common = common_payload(document, chunks.size());
  std::vector<const TermCounts*> bodies;
  for (size_t i = 0; i < chunks.size(); ++i) {
    const DocumentTerms::ForChunk& counts = terms.chunks[i];
    const Chunk& chunk = chunks[i].chunk;
    Point& p = points[i + 1];
    p.id = point + 1 + i;
    p.sparse =
        encode({&terms.title, &counts.heading, &terms.meta, &counts.body}, stats.chunks, params);
    if (i < vectors.size()) p.dense = std::move(vectors[i]);
    p.payload = common;
    p.payload.level = Level::kChunk;
    p.payload.ordinal = chunk.ordinal;
    p.payload.heading = chunk.heading;
    p.payload.text = chunk.text;
    p.payload.lines = chunk.lines;
    bodies.push_back(&counts.body);
  }
  const TermCounts body = sum(bodies);
  points[0].id = point;
  points[0].sparse =
      encode({&terms.title, &terms.headings, &terms.meta, &body}, stats.documents, params);
  points[0].payload = common;
  points[0].payload.level = Level::kDocument;
  return points;
}

}  // namespace precedent
