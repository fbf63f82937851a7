// The attributes of a document as text, so that they can be found and quoted like its body.
//
// "Root cause: the pool was too small\nWorkaround: restart the pods". The pipeline chunks it as a
// section of its own, under the heading "Details", after those of the body (lines {0, 0}: front
// matter is read as fields, not as lines). Thread safety: pure functions.
#pragma once

#include <string>

#include "knowledge/document.h"

namespace precedent {

// One line for each attribute that says something to a reader: symptoms first, then those that
// answer questions (cause, workaround, action items, owners, escalation …), then the others by
// name. Left out: addresses, paths and other single tokens of unknown fields. "" if there is
// nothing.
std::string attribute_text(const Document& document);

}  // namespace precedent
