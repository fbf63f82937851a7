#include "sources/sync.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "ingest/publish/prepare.h"
#include "sources/document_spool.h"

namespace precedent {
namespace {

// Of ids in one sentence.
constexpr size_t kNamed = 5;

std::string named(const std::vector<std::string>& ids) {
  const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, ids.size()));
  return fmt::format("{}{}", fmt::join(ids.begin(), end, ", "), ids.size() > kNamed ? " …" : "");
}

bool is_folder(const std::string& scope) { return scope.starts_with('/'); }

// Folders were always allowed to move: the documents of one may turn up below another. Whatever is
// kept by a sync, or was uploaded, stays with its owner.
bool belongs_to_another(const DocumentState& state, const std::string& scope) {
  return state.source != scope && !(is_folder(state.source) && is_folder(scope));
}

bool is_at_or_below(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder)) return false;
  path.remove_prefix(folder.size());
  return path.empty() || path.front() == '/' || folder.ends_with('/');
}

// Hands on what the source may say, and nothing of other owners.
class OwnDocuments final : public DocumentSink {
 public:
  OwnDocuments(const std::string& scope, const std::vector<std::string>& foreign, DocumentSink& to)
      : scope_(scope), foreign_(foreign.begin(), foreign.end()), to_(to) {}

  Result<void> document(Document&& document, size_t line) override {
    if (foreign_.contains(document.id)) return {};
    document.source = scope_;
    return to_.document(std::move(document), line);
  }
  void bad(BadRecord&& bad) override { to_.bad(std::move(bad)); }
  bool unchanged(const std::string& id, std::string_view revision,
                 const std::string& source) override {
    return to_.unchanged(id, revision, source);
  }
  void columns(const FileColumns& columns) override { to_.columns(columns); }
  void noted(const ReadNote& note) override { to_.noted(note); }
  std::string id_of(const Place& place) override { return to_.id_of(place); }
  void progress(uint64_t bytes_read, uint64_t bytes_total) override {
    to_.progress(bytes_read, bytes_total);
  }

 private:
  const std::string& scope_;
  std::unordered_set<std::string> foreign_;
  DocumentSink& to_;
};

// Of the first documents: their ids tell nobody what they are.
std::string places_of(const std::vector<std::string>& ids, std::span<const DocumentState> known) {
  std::vector<std::string> places;
  for (size_t i = 0; i < ids.size() && i <= kNamed; ++i) {
    const auto state = std::ranges::find(known, ids[i], &DocumentState::id);
    places.push_back(state == known.end() || state->path.empty() ? ids[i] : state->path);
  }
  return named(places);
}

Result<void> check_limit(const SyncPlan& plan, const SyncOptions& options,
                         std::span<const DocumentState> known) {
  const size_t vanished = plan.vanished.size();
  if (options.yes || vanished <= options.limit.few ||
      vanished * 100 <= plan.known * options.limit.percent)
    return {};
  return fail(ErrorCode::kConflict,
              fmt::format("this would remove {} of {} documents ({}), which is more than {} and "
                          "{} %; nothing was changed. If they are really gone, sync again with "
                          "--yes",
                          vanished, plan.known, places_of(plan.vanished, known), options.limit.few,
                          options.limit.percent));
}

Result<void> check_size(const std::string& cursor, const std::string& scope) {
  if (cursor.size() <= kMaxCursorBytes) return {};
  return fail(
      ErrorCode::kResourceExhausted,
      fmt::format("{} has too many documents for one source; divide it into several", scope));
}

}  // namespace

SyncPlan plan_sync(const std::string& scope, const SourceListing& listing,
                   std::span<const DocumentState> known) {
  SyncPlan plan;
  std::unordered_map<std::string_view, const DocumentState*> states;
  for (const DocumentState& state : known) {
    states.emplace(state.id, &state);
    plan.known += state.source == scope;
  }
  std::unordered_set<std::string_view> listed(listing.kept.begin(), listing.kept.end());
  for (const SourceEntry& entry : listing.entries) {
    if (!listed.insert(entry.id).second) continue;
    const auto found = states.find(entry.id);
    const DocumentState* state = found == states.end() ? nullptr : found->second;
    const bool foreign = state != nullptr && belongs_to_another(*state, scope);
    const bool unchanged = state != nullptr && !entry.revision.empty() && state->source == scope &&
                           state->hash == preparation_mark(entry.id, entry.revision);
    if (foreign)
      plan.foreign.push_back(entry.id);
    else if (unchanged)
      ++plan.unchanged;
    else
      plan.wanted.push_back(entry);
  }
  const std::unordered_set<std::string_view> gone(listing.gone.begin(), listing.gone.end());
  for (const DocumentState& state : known) {
    if (state.source != scope || listed.contains(state.id)) continue;
    const bool hidden = std::ranges::any_of(listing.unreadable, [&](const std::string& path) {
      return is_at_or_below(state.path, path);
    });
    if (!hidden && (listing.everything || gone.contains(state.id)))
      plan.vanished.push_back(state.id);
  }
  std::ranges::sort(plan.vanished);
  return plan;
}

Result<SyncReport> sync_source(KnowledgeSource& source, const std::string& cursor,
                               const SyncOptions& options, const SyncContext& context,
                               const KnowledgeAccess& access, const std::filesystem::path& spool) {
  const SyncContext asked{context.cancel, context.known, context.sweep || options.sweep};
  SourceListing listing = TRY(source.list(asked.sweep ? "" : cursor, asked));
  TRY(check_size(listing.cursor, source.scope()));
  SyncPlan plan = plan_sync(source.scope(), listing, context.known);
  TRY(check_limit(plan, options, context.known));
  SyncReport report;
  report.cursor = std::move(listing.cursor);
  report.everything = listing.everything;
  report.notes = std::move(listing.notes);
  if (!plan.foreign.empty())
    report.notes.push_back(fmt::format(
        "{} document{} left out, as their ids belong to other sources ({}); remove them there with "
        "`precedent remove`, or give them other ids",
        plan.foreign.size(), plan.foreign.size() == 1 ? "" : "s", named(plan.foreign)));
  report.unchanged = plan.unchanged;
  report.documents = plan.known;
  if (plan.wanted.empty() && plan.vanished.empty()) return report;

  std::optional<DocumentSpool> fetched;
  Result<void> fetch;
  if (source.is_remote() && !plan.wanted.empty()) {
    fetched.emplace(TRY(DocumentSpool::open(spool)));
    fetch =
        fetched->fill([&](DocumentSink& sink) { return source.read(plan.wanted, asked, sink); });
    TRY(context.cancel.check());
    if (!fetch && fetched->empty()) return std::unexpected(fetch.error());
  }
  const KnowledgeDoor door = TRY(access.open());
  // Others may have written while the source was asked.
  const SyncContext now{context.cancel, door.known, asked.sweep};
  plan = plan_sync(source.scope(), listing, door.known);
  TRY(check_limit(plan, options, door.known));
  if (!plan.wanted.empty()) {
    IngestOptions ingest = options.ingest;
    ingest.prune = false;
    ingest.dry_run = options.dry_run;
    report.ingest = TRY(door.ingest(ingest, [&](const ReadOptions&, DocumentSink& sink) {
      OwnDocuments own(source.scope(), plan.foreign, sink);
      return fetched ? fetched->replay(own, context.cancel) : source.read(plan.wanted, now, own);
    }));
    if (report.ingest.cancelled) TRY(context.cancel.check());
    // What came before a source broke off need not be fetched again.
    TRY(std::move(fetch));
    report.cursor = source.cursor_after(report.cursor);
    TRY(check_size(report.cursor, source.scope()));
  }
  report.unchanged = plan.unchanged + report.ingest.unchanged;
  if (!plan.vanished.empty()) {
    const IngestReport removed = TRY(door.remove(plan.vanished, options.dry_run));
    if (removed.cancelled) TRY(context.cancel.check());
    report.removed = removed.removed;
    report.removed_ids = plan.vanished;
  }
  report.documents = plan.known + report.ingest.added - report.removed;
  return report;
}

}  // namespace precedent
