#include "graph/checkpoint_coder.h"

#include <fmt/format.h>

#include <climits>

#include "base/byte_coder.h"
#include "base/hash.h"

namespace precedent {
namespace {

// 1: the first.
constexpr char kVersion = 1;
// A damaged row is found with a probability of 1 - 2^-32; more bytes would cost more than they
// find.
constexpr size_t kChecksumBytes = 4;
constexpr size_t kHeaderBytes = 1 + kChecksumBytes;

std::string checksum(std::string_view record) {
  const uint64_t hash = hash64(record);
  std::string bytes;
  for (size_t i = 0; i < kChecksumBytes; ++i) bytes.push_back(static_cast<char>(hash >> (8 * i)));
  return bytes;
}

std::string sealed(std::string_view record) {
  std::string bytes(1, kVersion);
  return bytes.append(checksum(record)).append(record);
}

Result<std::string_view> unsealed(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return fail(ErrorCode::kCorrupt, "it is cut off");
  const auto version = static_cast<unsigned char>(bytes[0]);
  if (version > kVersion) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("it has format {}, written by a newer precedent; this one reads formats up to "
                    "{}: upgrade it",
                    version, int{kVersion}));
  }
  const std::string_view record = bytes.substr(kHeaderBytes);
  if (version == 0 || bytes.substr(1, kChecksumBytes) != checksum(record))
    return fail(ErrorCode::kCorrupt, "its checksum does not match");
  return record;
}

Result<void> check_end(const ByteReader& in) {
  if (in.ok() && in.at_end()) return {};
  return fail(ErrorCode::kCorrupt, "its record is malformed");
}

void put_tasks(const std::vector<Task>& tasks, ByteWriter& out) {
  out.number(tasks.size());
  for (const Task& task : tasks) {
    out.text(task.node);
    out.text(task.argument);
  }
}

Task get_task(ByteReader& in) {
  Task task;
  task.node = in.text();
  task.argument = in.text();
  return task;
}

// Counts are bounded by the bytes: every element takes at least one.
std::vector<Task> get_tasks(ByteReader& in) {
  std::vector<Task> tasks;
  for (uint64_t n = in.number(); n > 0 && in.ok(); --n) tasks.push_back(get_task(in));
  return tasks;
}

void put_writes(const std::vector<Write>& writes, ByteWriter& out) {
  out.number(writes.size());
  for (const Write& write : writes) {
    out.number(write.tag);
    out.text(write.value);
  }
}

std::vector<Write> get_writes(ByteReader& in) {
  std::vector<Write> writes;
  for (uint64_t n = in.number(); n > 0 && in.ok(); --n) {
    const uint32_t tag = in.number32();
    writes.push_back({tag, std::string(in.text())});
  }
  return writes;
}

}  // namespace

std::string_view name(StepSource source) {
  switch (source) {
    case StepSource::kInput: return "input";
    case StepSource::kLoop: return "loop";
    case StepSource::kBase: return "base";
  }
  return "loop";
}

std::string encode_step(const Step& step) {
  ByteWriter out;
  out.number(static_cast<uint64_t>(step.source));
  out.signed_number(step.step);
  out.signed_number(step.at.time_since_epoch().count());
  put_tasks(step.next, out);
  out.number(step.metadata.size());
  for (const auto& [key, value] : step.metadata) {
    out.text(key);
    out.text(value);
  }
  out.number(step.tasks.size());
  for (const TaskWrites& task : step.tasks) {
    out.text(task.task.node);
    out.text(task.task.argument);
    put_writes(task.writes, out);
  }
  return sealed(out.bytes());
}

Result<Step> decode_step(std::string_view bytes) {
  ByteReader in(TRY(unsealed(bytes)));
  Step step;
  const uint64_t source = in.number();
  const int64_t number = in.signed_number();
  if (source > static_cast<uint64_t>(StepSource::kBase) || number < INT_MIN || number > INT_MAX)
    return fail(ErrorCode::kCorrupt, "its record is malformed");
  step.source = static_cast<StepSource>(source);
  step.step = static_cast<int>(number);
  step.at = TimePoint(std::chrono::seconds(in.signed_number()));
  step.next = get_tasks(in);
  for (uint64_t n = in.number(); n > 0 && in.ok(); --n) {
    std::string key(in.text());
    step.metadata.insert_or_assign(std::move(key), std::string(in.text()));
  }
  for (uint64_t n = in.number(); n > 0 && in.ok(); --n) {
    Task task = get_task(in);
    step.tasks.push_back({std::move(task), get_writes(in)});
  }
  TRY(check_end(in));
  return step;
}

std::string encode_pending(const Pending& pending) {
  ByteWriter out;
  out.number(static_cast<uint64_t>(pending.kind));
  put_writes(pending.writes, out);
  put_tasks(pending.sends, out);
  out.text(pending.question);
  out.texts(pending.answers);
  return sealed(out.bytes());
}

Result<Pending> decode_pending(int task, std::string_view bytes) {
  ByteReader in(TRY(unsealed(bytes)));
  Pending pending;
  pending.task = task;
  const uint64_t kind = in.number();
  if (kind > static_cast<uint64_t>(Pending::Kind::kPaused))
    return fail(ErrorCode::kCorrupt, "its record is malformed");
  pending.kind = static_cast<Pending::Kind>(kind);
  pending.writes = get_writes(in);
  pending.sends = get_tasks(in);
  pending.question = in.text();
  pending.answers = in.texts();
  TRY(check_end(in));
  return pending;
}

}  // namespace precedent
