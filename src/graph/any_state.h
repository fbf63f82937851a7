// A state as the loop sees it: something that writes are applied to. state_schema.h makes one of
// a struct.
//
// Thread safety: const members from any thread, while nobody applies.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "graph/task.h"

namespace precedent {

class AnyState {
 public:
  virtual ~AnyState() = default;
  virtual std::unique_ptr<AnyState> clone() const = 0;

  // Errors: kInvalidArgument for a field that the schema does not know, kCorrupt for a value that
  // cannot be read; the state is as before.
  virtual Result<void> apply(const Write& write) = 0;

  // Writes that make this state out of an initial one.
  virtual std::vector<Write> snapshot() const = 0;

  // For people: {"messages": [...], "title": "..."}, compact.
  virtual std::string json() const = 0;
  // The same of writes: a list for a field that appends, else the last value.
  virtual std::string json_of(std::span<const Write> writes) const = 0;
};

}  // namespace precedent
