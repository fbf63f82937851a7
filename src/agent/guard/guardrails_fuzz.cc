// Any bytes as a guardrails file and as a question: a file is read or refused with a message; a
// verdict is whole, and what is allowed is valid text.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "agent/guard/guardrail_rules.h"
#include "agent/guard/guardrails.h"
#include "base/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;  // NOLINT
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static const Guardrails kBuiltIn =
      Guardrails::parse(default_guardrails(), "config/guardrails.yaml", nullptr, nullptr).value();
  const auto consistent = [](const Verdict& verdict) {
    const bool allowed = verdict.action == Verdict::Action::kAllow;
    if (allowed != verdict.message.empty() || verdict.code.empty() ||
        invalid_utf8_at(verdict.reason) || invalid_utf8_at(verdict.question) ||
        (allowed && verdict.question.empty()) || verdict.code == "guardrail_error")
      std::abort();
  };
  consistent(kBuiltIn.check(bytes, {}));
  const auto own = Guardrails::parse(bytes.substr(0, 4096), "fuzz", nullptr, nullptr);
  if (!own) return own.error().message.empty() ? (std::abort(), 0) : 0;
  consistent(own->check("what is wrong with checkout since the deploy", {}));
  return 0;
}
