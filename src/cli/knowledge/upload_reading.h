// An upload as an ingest reads it, and the report of what was read.
//
// Everything is the ingest's own reading (ingest/reading/reader.h); here it is only watched. Thread
// safety: as DocumentReader: one thread at a time.
#pragma once

#include "ingest/pipeline.h"
#include "server/knowledge/knowledge_desk.h"

namespace precedent {

// Documents of an upload are known by "uploads/NAME", so that sending a file again updates them;
// their source is "uploads:", and what the client says it is, or NAME.
IngestOptions ingest_options(const Upload& upload);

// A reader that fills `report.files` and all that follows from them as it reads. Lifetime: both
// outlive the reader.
DocumentReader reporting_reader(const Upload& upload, UploadReport& report);

}  // namespace precedent
