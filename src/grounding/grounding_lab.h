// What the tests and the bench of the verifier share: a receipt of a given text.
#pragma once

#include <string>

#include "grounding/verify.h"

namespace precedent {

inline Receipt receipt_with(std::string text, std::string id = "R1", std::string args = "{}") {
  Receipt receipt;
  receipt.id = std::move(id);
  receipt.tool = "doc_search";
  receipt.args = std::move(args);
  receipt.text = std::move(text);
  return receipt;
}

}  // namespace precedent
