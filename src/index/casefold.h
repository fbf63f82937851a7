// Case folding: the spelling under which filter values compare.
//
// Full Unicode case folding (CaseFolding.txt, statuses C and F, by utf8proc), nothing else: no
// normalisation, so "Straße" equals "STRASSE" and "PayU" does not equal "PayU Core". Ill-formed
// UTF-8 folds to itself. Thread safety: pure function.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

std::string fold_case(std::string_view text);

}  // namespace precedent
