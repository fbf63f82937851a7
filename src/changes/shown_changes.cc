#include "changes/shown_changes.h"

#include "base/without_place.h"

namespace precedent {

Result<ChangeList> ShownChanges::changes(const ChangeQuery& query) const {
  ChangeList list = TRY(source_->changes(query));
  for (Change& change : list.changes) change.path = without_place(change.path);
  return list;
}

}  // namespace precedent
