// Any bytes as JSON, under every detection: the reader ends, and what it hands on is valid UTF-8
// and becomes a document or a bad record.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "ingest/fields/record_document.h"
#include "ingest/records/json_reader.h"

namespace {

void read(std::string_view text, bool named_lines) {
  using namespace precedent;
  ByteSource in = ByteSource::of(text);
  if (check_text_file(in)) return;
  FieldMap fields = FieldMap::create({}).value();
  const auto result = read_json(
      in, {"f", 4096, named_lines},
      [&](Record&& record) -> Result<void> {
        for (const Field& field : record.fields) {
          if (invalid_utf8_at(field.name) || invalid_utf8_at(field.value.text)) std::abort();
        }
        const auto document = document_of(record, fields, std::nullopt);
        if (document && (document->title.empty() ||
                         (document->id.empty() && document->kind == Kind::kIncident)))
          std::abort();
        if (!document && document.error().message.empty()) std::abort();
        return {};
      },
      [](BadRecord&& bad) {
        if (bad.message.empty()) std::abort();
      });
  if (!result || in.peek() != ByteSource::kEnd) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read(text, false);
  read(text, true);
  return 0;
}
