// Any bytes as a mapping, and as a record that it maps: an error, or a record whose fields are
// mapped; never a crash. The mapping ends at the first NUL; each line after it is a field
// "name=text".
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "base/strings.h"
#include "ingest/fields/record_mapping.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t end = std::min(bytes.find('\0'), size);
  ConfigProblems problems;
  (void)RecordMapping::parse(bytes.substr(0, end), "m.yaml", &problems);
  auto mapping = RecordMapping::parse(bytes.substr(0, end), "m.yaml");
  if (!mapping) {
    if (problems.empty() && mapping.error().message.empty()) std::abort();
    return 0;
  }
  Record record{{}, "a.csv", 1, 0};
  for (const std::string_view line : split(bytes.substr(end), '\n')) {
    const size_t equals = line.find('=');
    if (equals != std::string_view::npos && record.fields.size() < 50)
      record.set(std::string(line.substr(0, equals)),
                 {Value::Type::kText, std::string(line.substr(equals + 1))});
  }
  RecordMapper mapper(std::make_shared<const RecordMapping>(std::move(*mapping)));
  for (int i = 0; i < 2; ++i) {
    Record copy = record;
    const auto mapped = mapper.map(std::move(copy), [](RecordMapper::Note, BadRecord&&) {});
    if (mapped && mapped->line != record.line) std::abort();
  }
  return 0;
}
