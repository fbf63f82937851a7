#include "server/investigations/investigations.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/foreign_json.h"
#include "base/hash.h"
#include "base/json_access.h"
#include "base/strings.h"
#include "files/files.h"
#include "server/auth/digest.h"
#include "server/investigations/kept_order.h"
#include "server/turns/progress_events.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Keys are for clients that ask again, within a day or so.
constexpr KeptIds::Limits kKeys{.age = std::chrono::hours(72), .number = 10'000};

// What tells an order from others.
std::string mark_of(const InvestigationOrder& order) {
  return content_hash(dump_json({order.incident, order.alert, order.service, order.since,
                                 order.until, order.description, order.ask ? "asks" : ""}));
}

// "": nothing is kept.
fs::path part_of(const fs::path& folder, std::string_view name) {
  return folder.empty() ? folder : folder / name;
}

void say_report(ChatTurn& own, const std::string& id, const InvestigationReport& report) {
  json data = {{"id", id}, {"report", report.report}, {"markdown", report.markdown}};
  own.say_last(report.asks ? "interrupt" : "complete", dump_json(data));
}

json kept_json(const ShownInvestigation& shown, const std::string& group,
               const Result<InvestigationReport>& report) {
  json out = to_json(shown);
  if (!group.empty()) out["group"] = group;
  if (report) out["report"] = report->report, out["markdown"] = report->markdown;
  return out;
}

}  // namespace

json to_json(const ShownInvestigation& shown) {
  json out = {{"id", shown.id},
              {"state", shown.state},
              {"by", shown.by},
              {"about", shown.about},
              {"created_at", format_time(shown.created_at)}};
  if (shown.ended_at) out["ended_at"] = format_time(*shown.ended_at);
  if (shown.resolved_at) out["resolved_at"] = format_time(*shown.resolved_at);
  if (!shown.summary.empty()) out["summary"] = shown.summary;
  if (!shown.error.empty()) out["error"] = shown.error;
  if (shown.alarms > 0) out["alarms"] = shown.alarms;
  if (!shown.score.is_null()) out["score"] = shown.score;
  return out;
}

Investigations::Investigations(Investigator& investigator, TurnPool& pool, const Clock& clock,
                               fs::path folder, const InvestigationLimits& limits,
                               const WarnOf& warn)
    : investigator_(investigator),
      clock_(clock),
      folder_(std::move(folder)),
      limits_(limits),
      warn_(warn),
      keys_(part_of(folder_, "keys.jsonl"), clock, kKeys, warn),
      kept_alarms_(part_of(folder_, "waiting"), warn),
      turns_(pool, limits.kept) {
  load();
  wait_again();
  go_on_with_all();
  watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

Investigations::~Investigations() {
  watcher_.request_stop();
  {
    const MutexLock lock(mutex_);
    changed_.notify_all();
  }
  watcher_.join();
  turns_.stop();
}

void Investigations::forget_old() {
  while (entries_.size() > limits_.kept && entries_.back().shown.ended_at) {
    std::ignore = remove_file(file_of(entries_.back().shown.id));
    entries_.pop_back();
  }
}

const Investigations::Entry* Investigations::entry(const std::string& id) const {
  const auto found =
      std::ranges::find(entries_, id, [](const Entry& each) { return each.shown.id; });
  return found == entries_.end() ? nullptr : &*found;
}

Result<std::string> Investigations::start(const InvestigationOrder& order, const std::string& by,
                                          const std::string& key) {
  const std::string whole = by + ":" + key, mark = mark_of(order);
  if (const auto known = key.empty() ? std::nullopt : keys_.find(whole)) {
    const auto parts = split(*known, ' ');
    const std::string before(parts.front());
    if (find(before) && parts.back() != mark)
      return fail(ErrorCode::kConflict,
                  "this Idempotency-Key was used for another investigation; make a new one");
    if (find(before)) return before;
  }
  TRY(investigator_.check(order, CancelToken()));
  const std::string id = TRY(begin(order, by, "", {}));
  if (!key.empty()) keys_.add(whole, id + ' ' + mark);
  return id;
}

Result<std::string> Investigations::begin(const InvestigationOrder& order, const std::string& by,
                                          const std::string& group,
                                          const std::vector<Alarm>& alarms) {
  const std::string id = "i-" + random_hex(8);
  {
    const MutexLock lock(mutex_);
    Entry made;
    made.shown = {.id = id,
                  .state = "waiting",
                  .by = by,
                  .about = about_of(order),
                  .created_at = clock_.now(),
                  .ended_at = {},
                  .resolved_at = {},
                  .error = {},
                  .alarms = alarms.size()};
    made.group = group, made.order = order;
    for (const Alarm& each : alarms)
      if (!each.member.empty()) made.members.insert(each.member);
    entries_.push_front(std::move(made));
    forget_old();
  }
  if (const auto begun = launch(id); !begun) {
    const MutexLock lock(mutex_);
    std::erase_if(entries_, [&](const Entry& each) { return each.shown.id == id; });
    if (!folder_.empty()) std::ignore = remove_file(file_of(id));
    return std::unexpected(begun.error());
  }
  return id;
}

Result<void> Investigations::launch(const std::string& id) {
  InvestigationOrder order;
  {
    const MutexLock lock(mutex_);
    const Entry* own = entry(id);
    if (own == nullptr) return {};
    order = own->order;
    // Before it can end, which writes the file anew.
    keep(*own);
  }
  auto log = TRY(turns_.start("investigation:" + id,
                              [this, id, order](ChatTurn& own) { run(id, order, own); }));
  const MutexLock lock(mutex_);
  const auto own = std::ranges::find(entries_, id, [](const Entry& each) { return each.shown.id; });
  if (own != entries_.end()) own->log = std::move(log);
  return {};
}

bool Investigations::was_cancelled(const std::string& id) const {
  const MutexLock lock(mutex_);
  const Entry* own = entry(id);
  return own != nullptr && own->cancelled;
}

void Investigations::run(const std::string& id, const InvestigationOrder& order, ChatTurn& own) {
  set_state(id, "running");
  const auto say = [&](std::string_view text) { own.say("status", dump_json({{"text", text}})); };
  const auto report = investigator_.investigate(order, id, say, own.cancel);
  // The server ends: the next one goes on with it.
  const bool interrupted = !report && own.cancel.cancelled() && !was_cancelled(id);
  if (!interrupted) end(id, report, own.cancel.cancelled());
  if (!report) return say_failed(own, report.error());
  say_report(own, id, *report);
  tell(id, *report, own.cancel);
}

void Investigations::go_on(const std::string& id, const std::string& answer, ChatTurn& own) {
  set_state(id, "running");
  const auto say = [&](std::string_view text) { own.say("status", dump_json({{"text", text}})); };
  const auto report = investigator_.answer(id, answer, say, own.cancel);
  if (!report) {
    // The question is as open as before, and the report stays.
    set_state(id, "asking", report.error().text());
    return say_failed(own, report.error());
  }
  end(id, report, false);
  say_report(own, id, *report);
  tell(id, *report, own.cancel);
}

void Investigations::set_state(const std::string& id, const std::string& state,
                               const std::string& error) {
  const MutexLock lock(mutex_);
  for (Entry& each : entries_)
    if (each.shown.id == id) each.shown.state = state, each.shown.error = error;
}

Result<ShownInvestigation> Investigations::answer(const std::string& id,
                                                  const std::string& answer) {
  TRY(find(id));
  {
    const MutexLock lock(mutex_);
    const auto own =
        std::ranges::find(entries_, id, [](const Entry& each) { return each.shown.id; });
    // Of two who answer at the same time one is first.
    if (own == entries_.end() || own->shown.state != "asking")
      return fail(ErrorCode::kConflict, fmt::format("investigation {} asks nothing", id));
    own->shown.state = "waiting";
  }
  // A name of its own: the turn that asked may still be telling that it does.
  auto log = turns_.start(fmt::format("investigation:{}:{}", id, random_hex(4)),
                          [this, id, answer](ChatTurn& own) { go_on(id, answer, own); });
  if (!log) {
    set_state(id, "asking");
    return std::unexpected(log.error());
  }
  {
    const MutexLock lock(mutex_);
    const auto own =
        std::ranges::find(entries_, id, [](const Entry& each) { return each.shown.id; });
    if (own != entries_.end()) own->log = *log;
  }
  return find(id);
}

InvestigationOrder Investigations::order_of(const std::string& id) const {
  const MutexLock lock(mutex_);
  const Entry* own = entry(id);
  return own == nullptr ? InvestigationOrder() : own->order;
}

std::string Investigations::group_of(const std::string& id) const {
  const MutexLock lock(mutex_);
  const Entry* own = entry(id);
  return own == nullptr ? "" : own->group;
}

void Investigations::end(const std::string& id, const Result<InvestigationReport>& report,
                         bool cancelled) {
  auto found = find(id);
  if (!found) return;
  ShownInvestigation& shown = *found;
  shown.state = report && report->asks ? "asking"
                : report               ? "done"
                : cancelled            ? "cancelled"
                                       : "failed";
  shown.ended_at = clock_.now();
  if (!report) {
    shown.error = report.error().text();
  } else {
    shown.summary = foreign::string_at(report->report, "summary");
    const json& incident = foreign::member(report->report, "incident");
    if (const std::string title = foreign::string_at(incident, "title"); !title.empty()) {
      const std::string name = order_of(id).incident;
      shown.about = name.empty() || name == title ? title : fmt::format("{}: {}", name, title);
    }
  }
  // Whoever is told that it is done finds its report. A disk that is full costs that, and its log
  // has it.
  json whole = kept_json(shown, group_of(id), report);
  // It will be told of again, with its answer.
  if (shown.state == "asking") whole["order"] = order_json(order_of(id));
  const std::string kept = dump_json(whole);
  const std::string_view parts[] = {kept};
  if (make_directories(folder_)) std::ignore = write_file_atomically(file_of(id), parts);
  const MutexLock lock(mutex_);
  const auto own = std::ranges::find(entries_, id, [](const Entry& each) { return each.shown.id; });
  if (own == entries_.end()) return;
  shown.resolved_at = own->shown.resolved_at;
  shown.alarms = own->shown.alarms, shown.score = own->shown.score;
  own->shown = std::move(shown);
  if (!own->group.empty()) keep_end(*own);
}

std::vector<ShownInvestigation> Investigations::list() const {
  const MutexLock lock(mutex_);
  std::vector<ShownInvestigation> all;
  for (const Entry& each : entries_) all.push_back(each.shown);
  return all;
}

Result<ShownInvestigation> Investigations::find(const std::string& id) const {
  const MutexLock lock(mutex_);
  if (const Entry* found = entry(id)) return found->shown;
  return fail(ErrorCode::kNotFound,
              fmt::format("there is no investigation '{}'; GET /investigations lists them", id));
}

Result<InvestigationReport> Investigations::report(const std::string& id) const {
  const ShownInvestigation shown = TRY(find(id));
  if (shown.state != "done" && shown.state != "asking")
    return fail(ErrorCode::kConflict,
                fmt::format("investigation {} is {}, and has no report", id, shown.state));
  const json kept = parse_json(TRY(read_file(file_of(id), kMaxReport)));
  if (!kept.is_object() || !kept.contains("report"))
    return fail(ErrorCode::kCorrupt, fmt::format("the report of {} is damaged", id));
  return InvestigationReport{kept["report"], kept.value("markdown", "")};
}

Result<std::shared_ptr<ChatTurn>> Investigations::log(const std::string& id) const {
  TRY(find(id));
  const MutexLock lock(mutex_);
  const Entry* found = entry(id);
  return found == nullptr ? nullptr : found->log;
}

Result<ShownInvestigation> Investigations::cancel(const std::string& id) {
  const auto log = TRY(this->log(id));
  {
    const MutexLock lock(mutex_);
    for (Entry& each : entries_)
      if (each.shown.id == id) each.cancelled = true;
  }
  if (log != nullptr) log->cancel.cancel();
  return find(id);
}

}  // namespace precedent
