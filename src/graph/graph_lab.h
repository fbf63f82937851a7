// For tests and benches: a small conversation over graph/, and a folder for its store.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "graph/state_graph.h"

namespace precedent {

struct Note {
  std::string id = {};
  std::string text = {};
  bool operator==(const Note&) const = default;
};

template <>
struct FieldCodec<Note> {
  static void encode(const Note& note, ByteWriter& out) {
    out.text(note.id);
    out.text(note.text);
  }
  static Note decode(ByteReader& in) {
    Note note;
    note.id = in.text();
    note.text = in.text();
    return note;
  }
  static nlohmann::json json(const Note& note) { return {{"id", note.id}, {"text", note.text}}; }
};

struct LabState {
  SharedList<Note> notes;
  std::string title;
  int64_t count = 0;
  bool operator==(const LabState&) const = default;
};

// The schema with its handles.
struct LabFields {
  StateSchema<LabState> schema;
  FieldOf<Note> notes = schema.append(1, "notes", &LabState::notes);
  FieldOf<std::string> title = schema.overwrite(2, "title", &LabState::title);
  FieldOf<int64_t> count =
      schema.merge(3, "count", &LabState::count, [](int64_t& sum, int64_t&& more) { sum += more; });
  Update say(std::string text) const { return Update().add(notes, Note{"", std::move(text)}); }
};

inline std::string texts_of(const LabState& state) {
  std::string all;
  for (const Note& note : state.notes) all += (all.empty() ? "" : " ") + note.text;
  return all;
}

// A folder that goes with the object.
class LabFolder {
 public:
  LabFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "precedent-graph-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  LabFolder(const LabFolder&) = delete;
  LabFolder& operator=(const LabFolder&) = delete;
  ~LabFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace precedent
