#include "embed/adapted_reading.h"

#include <algorithm>
#include <cmath>

namespace precedent {
namespace {

std::vector<float> logits_of(const AdapterHead& head, const float* x) {
  std::vector<float> logits = head.bias;
  for (size_t label = 0; label < logits.size(); ++label) {
    const float* weight = head.weight.data() + label * kHidden;
    for (size_t k = 0; k < kHidden; ++k) logits[label] += weight[k] * x[k];
  }
  return logits;
}

// Over [CLS] and the question's rows, at unit length: what came before speaks through attention.
std::vector<float> pooled(const std::vector<float>& rows, size_t start) {
  std::vector<float> sum(rows.begin(), rows.begin() + kHidden);
  for (size_t i = std::max<size_t>(start, 1) * kHidden; i < rows.size(); i += kHidden) {
    for (size_t k = 0; k < kHidden; ++k) sum[k] += rows[i + k];
  }
  float squares = 0;
  for (const float x : sum) squares += x * x;
  const float inverse = 1 / std::sqrt(std::max(squares, 1e-12f));
  for (float& x : sum) x *= inverse;
  return sum;
}

ReadHead read_head(const AdapterHead& head, const float* x) {
  std::vector<float> p = logits_of(head, x);
  for (float& logit : p) logit /= head.temperature;
  if (head.several) {
    for (float& logit : p) logit = 1 / (1 + std::exp(-logit));
  } else {
    const float largest = *std::ranges::max_element(p);
    float sum = 0;
    for (float& logit : p) sum += logit = std::exp(logit - largest);
    for (float& share : p) share /= sum;
  }
  ReadHead read{.name = head.name, .labels = {}, .sure = false};
  for (size_t i = 0; i < p.size(); ++i) read.labels.push_back({head.labels[i], p[i]});
  std::ranges::stable_sort(read.labels, std::greater(), &ReadLabel::probability);
  read.sure = read.labels.front().probability >= head.sure_from;
  return read;
}

// "B-system" and "I-system" are of the kind "system"; "O" is of none.
std::string_view kind_of(std::string_view tag) { return tag.size() > 2 ? tag.substr(2) : ""; }

std::vector<ReadSpan> read_spans(const AdapterHead& tags, const AdapterInput& input,
                                 const std::vector<float>& rows) {
  std::vector<ReadSpan> spans;
  bool open = false;
  for (size_t i = 0; i < input.own.size(); ++i) {
    const auto logits = logits_of(tags, rows.data() + (input.start + i) * kHidden);
    const std::string_view tag =
        tags.labels[static_cast<size_t>(std::ranges::max_element(logits) - logits.begin())];
    const std::string_view kind = kind_of(tag);
    const WordPiece& piece = input.own[i];
    if (open && tag.starts_with('I') && spans.back().kind == kind) {
      spans.back().end = piece.end;
    } else if (!kind.empty()) {
      spans.push_back({.kind = kind, .begin = piece.begin, .end = piece.end});
    }
    open = !kind.empty();
  }
  return spans;
}

}  // namespace

AdapterInput adapter_input(const Adapter& adapter, const WordPieceTokenizer& tokenizer,
                           std::string_view question, std::span<const PastTurn> past) {
  std::vector<int32_t> ends;  // [CLS] and [SEP]
  tokenizer.encode("", 2, ends);
  AdapterInput input{.ids = {ends.front()}, .own = {}, .start = 0};
  for (const PastTurn& turn : past.last(std::min(past.size(), adapter.context_turns()))) {
    for (const std::string_view text : {turn.question, turn.answer}) {
      for (const WordPiece& piece : tokenizer.pieces(text, adapter.context_pieces()))
        input.ids.push_back(piece.id);
      input.ids.push_back(ends.back());
    }
  }
  input.start = input.ids.size();
  input.own = tokenizer.pieces(question, kMaxTokens - input.start - 1);
  for (const WordPiece& piece : input.own) input.ids.push_back(piece.id);
  input.ids.push_back(ends.back());
  return input;
}

Result<AdaptedReading> read_with(const Adapter& adapter, const MiniLmEmbedder& encoder,
                                 std::string_view question, std::span<const PastTurn> past) {
  const AdapterInput input = adapter_input(adapter, encoder.tokenizer(), question, past);
  const std::vector<float> rows = TRY(encoder.rows_of(input.ids, adapter.updates()));
  const std::vector<float> vector = pooled(rows, input.start);
  AdaptedReading reading;
  for (const AdapterHead& head : adapter.heads())
    reading.heads.push_back(read_head(head, vector.data()));
  if (!adapter.tags().labels.empty()) reading.spans = read_spans(adapter.tags(), input, rows);
  return reading;
}

const ReadHead& AdaptedReading::head(std::string_view name) const {
  return *std::ranges::find(heads, name, &ReadHead::name);
}

}  // namespace precedent
