#include "server/turns/checked_text.h"

namespace precedent {

std::string CheckedText::piece_of(const Event& event) {
  if (event.type != Event::Type::kToken || event.draft) return {};
  sent_ += event.text;
  return event.text;
}

std::string CheckedText::rest_of(const std::string& text) const {
  return text.starts_with(sent_) ? text.substr(sent_.size()) : std::string();
}

}  // namespace precedent
