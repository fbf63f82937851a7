#include "grounding/repair.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "text/markdown.h"

namespace precedent {
namespace {

// Whether a place lies in a block of code, where a mark would be code.
bool is_code(const std::vector<Block>& blocks, uint32_t place) {
  for (const Block& block : blocks)
    if (block.bytes.begin <= place && place < block.bytes.end)
      return block.kind == BlockKind::kCode;
  return false;
}

}  // namespace

std::string mark_unsupported(std::string_view answer, Verification& verification) {
  const std::vector<Block> blocks = parse_blocks(answer);
  std::string out;
  size_t at = 0;
  for (Claim& claim : verification.claims) {
    size_t begin = claim.bytes.begin;
    const auto added = static_cast<uint32_t>(out.size() - at);
    const bool marked = claim.verdict == ClaimVerdict::kUnsupported && begin >= at &&
                        !is_code(blocks, claim.bytes.begin);
    // Into the first cell of a row, behind the mark of a quotation.
    while (marked && begin < claim.bytes.end && std::string_view("|> #").contains(answer[begin]))
      ++begin;
    if (marked) {
      out.append(answer.substr(at, begin - at)).append(kUnverifiedMark) += ' ';
      at = begin;
      claim.bytes.begin = static_cast<uint32_t>(out.size());
      claim.bytes.end += static_cast<uint32_t>(out.size() - at);
    } else {
      claim.bytes.begin += added;
      claim.bytes.end += added;
    }
  }
  return out.append(answer.substr(at));
}

std::string repair_request(std::string_view answer, const Verification& verification) {
  std::string out;
  for (const Claim& claim : verification.claims) {
    if (claim.verdict == ClaimVerdict::kUnsupported)
      fmt::format_to(std::back_inserter(out), "- \"{}\": {}\n", squeeze(claim.bytes.in(answer)),
                     claim.reason);
  }
  return out;
}

}  // namespace precedent
