// Any bytes as CSV: the reader ends, and each row has exactly the fields of the header, in valid
// UTF-8.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "ingest/records/csv_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  ByteSource in = ByteSource::of({reinterpret_cast<const char*>(data), size});
  if (check_text_file(in)) return 0;
  size_t columns = 0;
  const auto result = read_csv(
      in, {"f", 4096, '\0'},
      [&](Record&& record) -> Result<void> {
        if (columns != 0 && record.fields.size() != columns) std::abort();
        columns = record.fields.size();
        for (const Field& field : record.fields) {
          if (field.name.empty() || invalid_utf8_at(field.name) ||
              invalid_utf8_at(field.value.text))
            std::abort();
        }
        return {};
      },
      [](BadRecord&& bad) {
        if (bad.message.empty()) std::abort();
      });
  if (!result) std::abort();
  return 0;
}
