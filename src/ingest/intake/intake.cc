#include "ingest/intake/intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/strings.h"
#include "knowledge/golden.h"
#include "store/dataset_version.h"

namespace precedent {
namespace {

// A batch has an end in documents too: many tiny ones would make it slow to be consumed.
constexpr size_t kBatchDocuments = 256;

// What could not be read, by source. A document's path may begin elsewhere than the way below its
// source, since a source can be named in many ways: so the way may lie anywhere in the path.
class UnreadPlaces {
 public:
  explicit UnreadPlaces(const std::vector<Unread>& unread) {
    for (const auto& [source, relative] : unread)
      places_[source].push_back(relative.empty() ? "/" : fmt::format("/{}/", relative));
  }

  bool hold(const std::string& source, const std::string& path) const {
    const auto places = places_.find(source);
    if (places == places_.end()) return false;
    const std::string marked = fmt::format("/{}/", path);
    return std::ranges::any_of(places->second,
                               [&](const std::string& place) { return marked.contains(place); });
  }

 private:
  std::map<std::string, std::vector<std::string>> places_;
};

// The ids of its files begin so: "shop:src/a.py".
std::string repository_of(const std::string& id) { return id.substr(0, id.find(':')); }

}  // namespace

Intake::Intake(const std::vector<DocumentState>& known, size_t batch_bytes,
               const CancelToken& cancel, IngestReport& report)
    : path_ids_(known), batch_bytes_(batch_bytes), cancel_(cancel), report_(report) {
  known_.reserve(known.size());
  for (const DocumentState& state : known) {
    known_.emplace(state.id, Known{state.hash, state.source, state.path});
    if (state.id.contains(':')) repositories_.emplace(repository_of(state.id), state.source);
  }
}

// A repository that was moved keeps its documents; another of the same name must not take them, nor
// add its own to them.
bool Intake::is_of_another(const Document& document) {
  if (document.kind != Kind::kCode) return false;
  const std::string name = repository_of(document.id);
  const auto owner = repositories_.find(name);
  if (owner == repositories_.end() || owner->second == document.source ||
      !std::filesystem::exists(owner->second))
    return false;
  const auto known = known_.find(document.id);
  if (known != known_.end()) known->second.seen = true;
  if (refused_.insert(document.source).second)
    bad({document.source, 0, "",
         fmt::format("the name '{}' belongs to the repository at {}, so nothing of this one was "
                     "read; give it another name: --name NAME",
                     name, owner->second)});
  return true;
}

Result<void> Intake::document(Document&& document, size_t line) {
  TRY(cancel_.check());
  if (document.kind == Kind::kGolden && document.source != kGoldenSource) {
    bad({document.path, line, "type",
         "a golden example is served as verified, so it needs a review; read it with `precedent "
         "golden import` (JSON lines), or give it another type"});
    return {};
  }
  if (is_of_another(document)) return {};
  if (document.kind == Kind::kIncident && trim(document.body).empty() && bare_.count++ == 0)
    bare_.example = document.id;
  std::string hash = preparation_mark(document);
  auto [entry, is_new] = known_.try_emplace(document.id);
  Known& known = entry->second;
  if (known.seen) {
    if (known.hash == hash) return {};  // the same record twice says nothing new
    bad({document.path, line, "id",
         fmt::format("the id '{}' was read before, at {}; ids must be unique: change one of them, "
                     "or leave one out",
                     document.id, known.where)});
    return {};
  }
  known.seen = true;
  known.where = fmt::format("{}:{}", document.path, line);
  if (!is_new && known.hash == hash && known.source == document.source) {
    ++report_.unchanged;
    return {};
  }
  report_.of_version += known.source == kVersionSource && document.source != kVersionSource;
  known.hash = hash;
  PreparedDocument item;
  item.replaces = !is_new;
  item.stored.hash = std::move(hash);
  batch_.bytes += document.body.size() + document.title.size();
  item.stored.document = std::move(document);
  batch_.documents.push_back(std::move(item));
  if (batch_.bytes < batch_bytes_ && batch_.documents.size() < kBatchDocuments) return {};
  return send();
}

bool Intake::unchanged(const std::string& id, std::string_view revision,
                       const std::string& source) {
  return taken_as_read(id, preparation_mark(id, revision), source);
}

bool Intake::unchanged_content(const std::string& id, std::string_view hash,
                               const std::string& source) {
  return taken_as_read(id, mark_of_content(hash), source);
}

bool Intake::taken_as_read(const std::string& id, const std::string& mark,
                           const std::string& source) {
  const auto found = known_.find(id);
  if (found == known_.end()) return false;
  Known& known = found->second;
  if (known.seen || known.source != source || known.hash != mark) return false;
  known.seen = true;
  ++report_.unchanged;
  return true;
}

void Intake::bad(BadRecord&& bad) {
  bad_paths_.insert(bad.path);
  const auto same = std::ranges::find_if(report_.bad, [&](const BadRecord& other) {
    return bad.unmapped && other.unmapped && other.path == bad.path && other.field == bad.field;
  });
  if (same != report_.bad.end()) {
    ++report_.bad_count;
    ++same->alike;
    return;
  }
  if (++report_.bad_count <= kMaxReportedBad) report_.bad.push_back(std::move(bad));
}

void Intake::progress(uint64_t bytes_read, uint64_t bytes_total) {
  read_ = bytes_read;
  total_ = bytes_total;
  // A failure shows again at the next document, where it can be returned.
  if (batch_.documents.empty()) static_cast<void>(send());
}

Result<void> Intake::send() {
  PreparedBatch batch = std::exchange(batch_, {});
  batch.read = read_;
  batch.total = total_;
  return emit_(std::move(batch));
}

Result<void> Intake::finish() {
  if (bare_.count > 0)
    report_.warnings.push_back(
        fmt::format("{} {} a title and no text ({}): found by id and title alone", bare_.count,
                    bare_.count == 1 ? "incident has" : "incidents have",
                    bare_.count == 1 ? bare_.example : "the first is " + bare_.example));
  return batch_.documents.empty() ? Result<void>() : send();
}

Intake::Vanished Intake::vanished(const ReadSummary& summary) const {
  const std::set<std::string> scopes(summary.sources.begin(), summary.sources.end());
  const UnreadPlaces unread(summary.unread);
  Vanished vanished;
  for (const auto& [id, known] : known_) {
    if (known.seen || !scopes.contains(known.source)) continue;
    if (unread.hold(known.source, known.path) || bad_paths_.contains(known.path)) {
      ++vanished.kept[known.path];
    } else {
      vanished.ids.push_back(id);
    }
  }
  std::ranges::sort(vanished.ids);
  return vanished;
}

}  // namespace precedent
