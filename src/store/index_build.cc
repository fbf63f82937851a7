#include "store/index_build.h"

namespace precedent {

std::filesystem::path store_file(const std::filesystem::path& data_dir) {
  return data_dir / "precedent.db";
}

std::filesystem::path ingest_lock_file(const std::filesystem::path& data_dir) {
  return data_dir / "ingest.lock";
}

std::filesystem::path index_folder(const std::filesystem::path& data_dir,
                                   const std::string& collection) {
  return data_dir / "index" / collection;
}

}  // namespace precedent
