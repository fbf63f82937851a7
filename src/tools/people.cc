#include "tools/people.h"

#include <fmt/format.h>

#include <string>

#include "base/strings.h"
#include "text/characters.h"

namespace precedent {
namespace {

std::string folded(std::string_view name) {
  NormalText plain;
  normalize(name, 0, plain);
  fold_case(plain.text);
  return fmt::format(" {} ", squeeze(plain.text));
}

}  // namespace

bool is_called(std::string_view name, std::string_view said) {
  const std::string words = folded(said);
  return words.find_first_not_of(' ') != std::string::npos && folded(name).contains(words);
}

}  // namespace precedent
