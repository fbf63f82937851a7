// Bundles: an investigation that somebody else can check, elsewhere and without the systems: its
// report, what it was asked, and the evidence that it rests on, in one signed file.
//
// Checking runs the investigation again over that evidence and compares every claim: verdict,
// hypotheses with their confidence, needs and predictions, owners, who is downstream, and the text
// of each receipt. Owners are read again from the parts of documents that they were read from. What
// else the knowledge base has is quoted and not checked, and so is what somebody answered. Texts
// are valid UTF-8 and without secrets.
// Format: docs/format/bundle.md. Signature: Ed25519 (RFC 8032), over OpenSSL.
// Thread safety: pure but for the files. Errors: kResourceExhausted for evidence above
// kMaxBundleBytes; kCorrupt for what is no bundle or is not as it was signed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "investigate/verdict/investigation.h"

namespace precedent {

inline constexpr size_t kMaxBundleBytes = 128ull << 20;

// Who signs: the key in `file`, which is made, its owner's alone, where there is none.
class BundleKey {
 public:
  static Result<BundleKey> open_or_make(const std::filesystem::path& file);
  // 64 hexadecimal digits.
  const std::string& public_key() const { return public_; }
  // 128 of them.
  Result<std::string> sign(std::string_view text) const;

 private:
  std::string private_, public_;  // raw, hexadecimal
};

// What an investigation was asked, beside its evidence.
struct BundleInput {
  IncidentBrief brief;
  std::filesystem::path folder;  // the evidence; as it was looked at
  GatherOptions options;
  std::string program;  // which version of this program
};

Result<std::string> make_bundle(const BundleInput& input, const Investigation& investigation,
                                const BundleKey& key);

struct CheckedClaim {
  std::string claim;  // "cause H3: confidence"
  bool holds = false;
  std::string was, now;  // where it does not
};
struct BundleCheck {
  std::string signer;  // its public key
  std::string program, summary;
  TimePoint made_at{};
  std::vector<CheckedClaim> claims;
  size_t failed() const;
};
Result<BundleCheck> check_bundle(std::string_view text, const CancelToken& cancel);

}  // namespace precedent
