// The steps of a dataset version, as the command line and the server do them: one writer, one step.
//
// Thread safety: one writer, one thread.
#pragma once

#include "base/cancel.h"
#include "base/clock.h"
#include "cli/knowledge/writer.h"
#include "server/knowledge/knowledge_desk.h"
#include "store/dataset_versions.h"

namespace precedent {

// Reads its files and keeps its records. Errors: those of read_version() and require_transition().
Result<ValidatedVersion> validate_version(KnowledgeWriter& writer, uint64_t number,
                                          const Clock& clock, const CancelToken& cancel);

// Embeds what is new in it; nothing where it is ready. `progress` may be null. Errors: kCancelled;
// doing it again goes on.
Result<DatasetVersion> embed_version(KnowledgeWriter& writer, uint64_t number, const Clock& clock,
                                     ProgressSink* progress, const CancelToken& cancel);

// Forgets its records. Errors: kConflict where it is active.
Result<DatasetVersion> discard_version(KnowledgeWriter& writer, uint64_t number,
                                       const Clock& clock);

// Errors: kConflict where it is not ready, or a limit of its mapping forbids it; kInvalidArgument
// for force without a reason; kCancelled: then the one before stays active.
Result<MadeActive> activate_version(KnowledgeWriter& writer, uint64_t number,
                                    const ActivationWish& wish, const Clock& clock,
                                    const CancelToken& cancel);

// The same with a version that was active before, whatever limits say; `to` 0: the one that
// DatasetVersions::to_go_back_to() finds. Errors: also kNotFound where none is kept.
Result<MadeActive> roll_back_version(KnowledgeWriter& writer, uint64_t to,
                                     const ActivationWish& wish, const Clock& clock,
                                     const CancelToken& cancel);

}  // namespace precedent
