// One technical token → the spans worth searching for: the token itself, then its parts.
//
//   db.pool.maxSize          → itself, db, pool, maxSize, max, Size
//   INC-2025-01-20-005       → itself, INC, 2025, 01, 20, 005
//   10.2.3.4                 → itself, 10.2.3, 10.2          (what people type for a network or a
//   release) KubePodCrashLooping      → itself, Kube, Pod, Crash, Looping 500ms, 30s → itself, 500,
//   ms               (a number glued to its unit) p95, x509, v2, k8s, 5xx  → itself alone: their
//   letters and digits mean nothing apart
//
// Splits are nested, weakest binding first: / \ : @ +, then dots, then - and _, then case and
// digits. Thread safety: pure functions. Time is linear in the token.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace precedent {

// A longer term is never looked up whole by a person; it would only swell the vocabulary.
inline constexpr size_t kMaxTermBytes = 64;

struct TokenSpan {
  uint32_t begin, end;  // bytes of the token, half-open
  bool part;
  bool operator==(const TokenSpan&) const = default;
};

// Replaces `out`. `token` is normalised text, case kept, without joiners at its ends other than a
// leading "/" or "--" and a trailing "++" or "#". Spans are in order of their begin within each
// level, never longer than kMaxTermBytes; what looks like encoded bytes (base64) inside a longer
// token yields nothing.
void token_spans(std::string_view token, std::vector<TokenSpan>& out);

}  // namespace precedent
