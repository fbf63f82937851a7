// Judgement: what one check says of one sentence.
//
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace precedent {

// What the sentence is about, by the most specific thing that it states.
enum class ClaimKind {
  kId,         // an incident, a commit, an identifier
  kPath,       // a file, perhaps with lines
  kNumber,     // a quantity
  kQuotation,  // literal words or code
  kTime,       // a time of day or a date
  kName,       // a service, a team, a person
  kCause,      // why something happened
  kGap,        // that something was not found
  kGeneral,    // none of these
};

struct Judgement {
  enum class Outcome : uint8_t { kSilent, kRefuted, kProved };
  Outcome outcome = Outcome::kSilent;
  ClaimKind kind = ClaimKind::kGeneral;  // what it is about, if it is refuted; kGeneral: as before
  std::string reason = {};               // a sentence for a person; "" if silent
  std::vector<uint32_t> proofs = {};     // tokens of the receipts that hold what it looked for

  bool silent() const { return outcome == Outcome::kSilent; }
  bool refuted() const { return outcome == Outcome::kRefuted; }
  bool proved() const { return outcome == Outcome::kProved; }
};

inline Judgement refuted(ClaimKind kind, std::string reason, std::vector<uint32_t> proofs = {}) {
  return {Judgement::Outcome::kRefuted, kind, std::move(reason), std::move(proofs)};
}
inline Judgement silent(std::vector<uint32_t> proofs) { return {.proofs = std::move(proofs)}; }
inline Judgement proved(std::string reason) {
  return {Judgement::Outcome::kProved, ClaimKind::kGeneral, std::move(reason)};
}

}  // namespace precedent
