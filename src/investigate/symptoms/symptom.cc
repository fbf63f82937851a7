#include "investigate/symptoms/symptom.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "base/strings.h"
#include "investigate/symptoms/words.h"

namespace precedent {
namespace {

struct SymptomRow {
  Symptom symptom;
  std::string_view name, text;
  bool specific, failure;
};
constexpr std::array<SymptomRow, kSymptoms> kRows = {{
    {Symptom::kErrors, "errors", "errors", false, true},
    {Symptom::kLatency, "latency", "slow answers", false, true},
    {Symptom::kTimeouts, "timeouts", "timeouts", false, true},
    {Symptom::kRefused, "refused", "refused connections", false, true},
    {Symptom::kTraffic, "traffic", "more requests", true, false},
    {Symptom::kTrafficLoss, "traffic_loss", "fewer requests", false, false},
    {Symptom::kFanOut, "fan_out", "more calls a request", true, false},
    {Symptom::kCacheMisses, "cache_misses", "more cache misses", true, false},
    {Symptom::kQueue, "queue", "a growing queue", false, true},
    {Symptom::kPool, "pool", "a pool in full use", true, true},
    {Symptom::kCpu, "cpu", "CPU in full use", false, true},
    {Symptom::kMemory, "memory", "growing memory", true, false},
    {Symptom::kOutOfMemory, "out_of_memory", "a process out of memory", true, true},
    {Symptom::kCrash, "crash", "crashes", true, true},
    {Symptom::kSchema, "schema", "a schema that does not fit", true, true},
    {Symptom::kLibrary, "library", "libraries that do not fit", true, true},
    {Symptom::kCertificate, "certificate", "a certificate that is not valid", true, false},
    {Symptom::kDns, "dns", "names that do not resolve", true, true},
    {Symptom::kAccess, "access", "refused access", true, true},
    {Symptom::kQuota, "quota", "a used-up quota", true, true},
    {Symptom::kDisk, "disk", "a full disk", true, true},
    {Symptom::kLock, "lock", "waiting for locks", true, true},
    {Symptom::kDataFormat, "data_format", "data that cannot be read", true, true},
    {Symptom::kHandles, "handles", "growing files or threads", true, false},
    {Symptom::kNode, "node", "a machine in trouble", true, false},
}};

const SymptomRow& row_of(Symptom symptom) { return kRows[static_cast<size_t>(symptom)]; }

// All parts of `all` and one of `any` (if there are some) are parts of the metric's name.
struct MetricRow {
  Symptom symptom;
  bool bad_up;
  std::vector<std::string_view> all, any;
};
// The first that fits decides: from what few names have to what many have.
const std::vector<MetricRow>& metric_rows() {
  static const std::vector<MetricRow> rows = {
      {Symptom::kCertificate, false, {}, {"cert", "certificate", "x509", "tls"}},
      {Symptom::kOutOfMemory, true, {}, {"oom", "oomkilled", "oomkill"}},
      {Symptom::kNode, true, {}, {"steal", "iowait", "pressure", "evicted", "evictions"}},
      {Symptom::kCrash, true, {}, {"restart", "restarts", "panic", "panics", "crash", "crashes"}},
      {Symptom::kCrash, false, {"replicas"}, {"ready", "available"}},
      {Symptom::kCrash, false, {"pods"}, {"ready", "available", "running"}},
      {Symptom::kCrash, false, {"up"}, {}},
      {Symptom::kLock, true, {}, {"lock", "locks", "deadlock", "deadlocks", "contention", "mutex"}},
      {Symptom::kQuota, true, {}, {"quota", "ratelimit", "ratelimited", "429", "throttled"}},
      {Symptom::kQuota, true, {"rate", "limited"}, {}},
      {Symptom::kCacheMisses, false, {"cache"}, {"hit", "hits"}},
      {Symptom::kCacheMisses, true, {"cache"}, {"miss", "misses", "evictions", "evicted"}},
      {Symptom::kFanOut, true, {"per", "request"}, {}},
      {Symptom::kFanOut, true, {"retries"}, {}},
      {Symptom::kFanOut, true, {"retry"}, {}},
      {Symptom::kPool, false, {"pool"}, {"idle", "free", "available"}},
      {Symptom::kPool, true, {}, {"pool", "conns", "connections", "connection", "workers", "busy"}},
      {Symptom::kQueue, true, {}, {"queue", "backlog", "lag", "depth", "unacked", "inflight"}},
      {Symptom::kHandles, true, {}, {"fd", "fds", "goroutines", "threads", "sockets"}},
      {Symptom::kDisk, false, {"disk"}, {"free", "available"}},
      {Symptom::kDisk, false, {"filesystem"}, {"free", "avail", "available"}},
      {Symptom::kDisk, true, {}, {"disk", "filesystem", "volume", "inodes", "storage"}},
      {Symptom::kMemory, true, {}, {"memory", "mem", "rss", "heap"}},
      {Symptom::kCpu, true, {}, {"cpu", "load1", "throttling"}},
      {Symptom::kTimeouts, true, {}, {"timeout", "timeouts"}},
      {Symptom::kErrors, false, {}, {"success", "availability"}},
      {Symptom::kErrors,
       true,
       {},
       {"error", "errors", "failed", "failure", "failures", "fail", "5xx", "4xx", "500", "503",
        "exception", "exceptions", "rejected", "dropped"}},
      {Symptom::kLatency,
       true,
       {},
       {"latency", "duration", "p50", "p90", "p95", "p99", "ms", "seconds", "lateness"}},
      {Symptom::kTraffic, true, {"request"}, {"rate", "count"}},
      {Symptom::kTraffic,
       true,
       {},
       {"requests", "rps", "qps", "queries", "throughput", "ops", "workload", "messages", "calls"}},
  };
  return rows;
}

// Signatures of error texts, in lower case; all parts stand in the text. The sources: errno and
// signal names, the messages of PostgreSQL, MySQL and SQLite (SQLSTATE 42P01, 42703, 40P01, 53300),
// of Go, JVM, Python, Node.js and C++ runtimes, gRPC and HTTP codes, RFC 5280, Kubernetes reasons.
struct TextRow {
  Symptom symptom;
  std::vector<std::string_view> all;
};
const std::vector<TextRow>& text_rows() {
  static const std::vector<TextRow> rows = {
      {Symptom::kCrash, {"panic:"}},
      {Symptom::kCrash, {"nil pointer"}},
      {Symptom::kCrash, {"nullpointerexception"}},
      {Symptom::kCrash, {"null reference"}},
      {Symptom::kCrash, {"undefined is not"}},
      {Symptom::kCrash, {"cannot read propert"}},
      {Symptom::kCrash, {"nonetype"}},
      {Symptom::kCrash, {"index out of range"}},
      {Symptom::kCrash, {"out of bounds"}},
      {Symptom::kCrash, {"segmentation fault"}},
      {Symptom::kCrash, {"sigsegv"}},
      {Symptom::kCrash, {"sigabrt"}},
      {Symptom::kCrash, {"crashloopbackoff"}},
      {Symptom::kCrash, {"stack overflow"}},
      {Symptom::kCrash, {"stackoverflowerror"}},
      {Symptom::kCrash, {"divide by zero"}},
      {Symptom::kCrash, {"concurrent map"}},
      {Symptom::kOutOfMemory, {"oomkill"}},
      {Symptom::kOutOfMemory, {"out of memory"}},
      {Symptom::kOutOfMemory, {"outofmemoryerror"}},
      {Symptom::kOutOfMemory, {"memory limit"}},
      {Symptom::kOutOfMemory, {"enomem"}},
      {Symptom::kMemory, {"heap", "gc "}},
      {Symptom::kSchema, {"relation ", "does not exist"}},
      {Symptom::kSchema, {"column ", "does not exist"}},
      {Symptom::kSchema, {"no such table"}},
      {Symptom::kSchema, {"no such column"}},
      {Symptom::kSchema, {"unknown column"}},
      {Symptom::kSchema, {"table", "doesn't exist"}},
      {Symptom::kSchema, {"violates not-null"}},
      {Symptom::kSchema, {"undefinedtable"}},
      {Symptom::kSchema, {"undefinedcolumn"}},
      {Symptom::kLibrary, {"nosuchmethoderror"}},
      {Symptom::kLibrary, {"noclassdeffounderror"}},
      {Symptom::kLibrary, {"classnotfoundexception"}},
      {Symptom::kLibrary, {"undefined symbol"}},
      {Symptom::kLibrary, {"modulenotfounderror"}},
      {Symptom::kLibrary, {"importerror"}},
      {Symptom::kLibrary, {"cannot find module"}},
      {Symptom::kLibrary, {"version", "mismatch"}},
      {Symptom::kCertificate, {"x509"}},
      {Symptom::kCertificate, {"certificate", "expired"}},
      {Symptom::kCertificate, {"certificate verify failed"}},
      {Symptom::kCertificate, {"certificate_verify_failed"}},
      {Symptom::kCertificate, {"cert_has_expired"}},
      {Symptom::kDns, {"no such host"}},
      {Symptom::kDns, {"name resolution"}},
      {Symptom::kDns, {"nxdomain"}},
      {Symptom::kDns, {"servfail"}},
      {Symptom::kDns, {"enotfound"}},
      {Symptom::kDns, {"unknownhostexception"}},
      {Symptom::kDns, {"getaddrinfo"}},
      {Symptom::kPool, {"too many connections"}},
      {Symptom::kPool, {"too many clients"}},
      {Symptom::kPool, {"remaining connection slots"}},
      {Symptom::kPool, {"pool", "exhausted"}},
      {Symptom::kPool, {"pool", "timeout"}},
      {Symptom::kPool, {"pool", "timed out"}},
      {Symptom::kPool, {"pool", "saturated"}},
      {Symptom::kPool, {"pool", "full"}},
      {Symptom::kPool, {"waiting for connection"}},
      {Symptom::kPool, {"could not acquire", "connection"}},
      {Symptom::kQuota, {"429"}},
      {Symptom::kQuota, {"rate limit"}},
      {Symptom::kQuota, {"ratelimit"}},
      {Symptom::kQuota, {"quota"}},
      {Symptom::kQuota, {"resource_exhausted"}},
      {Symptom::kQuota, {"throttl"}},
      {Symptom::kAccess, {"permission denied"}},
      {Symptom::kAccess, {"permission_denied"}},
      {Symptom::kAccess, {"access denied"}},
      {Symptom::kAccess, {"unauthorized"}},
      {Symptom::kAccess, {"unauthenticated"}},
      {Symptom::kAccess, {"forbidden"}},
      {Symptom::kAccess, {"authentication failed"}},
      {Symptom::kAccess, {"invalid token"}},
      {Symptom::kAccess, {"invalid signature"}},
      {Symptom::kDisk, {"no space left"}},
      {Symptom::kDisk, {"enospc"}},
      {Symptom::kDisk, {"disk full"}},
      {Symptom::kDisk, {"read-only file system"}},
      {Symptom::kNode, {"nodenotready"}},
      {Symptom::kNode, {"node not ready"}},
      {Symptom::kNode, {"diskpressure"}},
      {Symptom::kNode, {"memorypressure"}},
      {Symptom::kNode, {"evicted"}},
      {Symptom::kLock, {"deadlock"}},
      {Symptom::kLock, {"lock wait"}},
      {Symptom::kLock, {"lock timeout"}},
      {Symptom::kLock, {"could not obtain lock"}},
      {Symptom::kLock, {"database is locked"}},
      {Symptom::kDataFormat, {"unmarshal"}},
      {Symptom::kDataFormat, {"deserializ"}},
      {Symptom::kDataFormat, {"decode"}},
      {Symptom::kDataFormat, {"parse error"}},
      {Symptom::kDataFormat, {"failed to parse"}},
      {Symptom::kDataFormat, {"unexpected token"}},
      {Symptom::kDataFormat, {"malformed"}},
      {Symptom::kDataFormat, {"invalid byte sequence"}},
      {Symptom::kDataFormat, {"poison"}},
      {Symptom::kHandles, {"too many open files"}},
      {Symptom::kHandles, {"emfile"}},
      {Symptom::kHandles, {"goroutine", "leak"}},
      {Symptom::kCacheMisses, {"cache miss"}},
      {Symptom::kRefused, {"connection refused"}},
      {Symptom::kRefused, {"econnrefused"}},
      {Symptom::kRefused, {"connection reset"}},
      {Symptom::kRefused, {"econnreset"}},
      {Symptom::kRefused, {"unavailable"}},
      {Symptom::kTimeouts, {"timeout"}},
      {Symptom::kTimeouts, {"timed out"}},
      {Symptom::kTimeouts, {"deadline exceeded"}},
      {Symptom::kTimeouts, {"etimedout"}},
      {Symptom::kLatency, {"slow "}},
      {Symptom::kQueue, {"queue full"}},
      {Symptom::kQueue, {"queued"}},
      {Symptom::kQueue, {"overload"}},
  };
  return rows;
}

}  // namespace

std::string_view name(Symptom symptom) { return row_of(symptom).name; }
std::string_view text(Symptom symptom) { return row_of(symptom).text; }
bool is_specific(Symptom symptom) { return row_of(symptom).specific; }
double weight(Symptom symptom) { return is_specific(symptom) ? 4 : 1; }
bool is_failure(Symptom symptom) { return row_of(symptom).failure; }

std::vector<Symptom> SymptomSet::list() const {
  std::vector<Symptom> out;
  for (const SymptomRow& row : kRows)
    if (has(row.symptom)) out.push_back(row.symptom);
  return out;
}

std::optional<MetricMeaning> meaning_of_metric(std::string_view metric) {
  const std::vector<std::string> parts = parts_of(metric);
  const auto has = [&](std::string_view part) {
    return std::ranges::find(parts, part) != parts.end();
  };
  // Of the machine, not of a process on it.
  if ((has("node") || has("host")) &&
      (has("cpu") || has("memory") || has("disk") || has("load") || has("network") || has("ready")))
    return MetricMeaning{Symptom::kNode, !has("ready")};
  for (const MetricRow& row : metric_rows())
    if (std::ranges::all_of(row.all, has) && (row.any.empty() || std::ranges::any_of(row.any, has)))
      return MetricMeaning{row.symptom, row.bad_up};
  return std::nullopt;
}

SymptomSet symptoms_of_text(std::string_view text) {
  const std::string lower = ascii_lower(text);
  SymptomSet out;
  for (const TextRow& row : text_rows())
    if (std::ranges::all_of(
            row.all, [&](std::string_view part) { return lower.find(part) != std::string::npos; }))
      out.add(row.symptom);
  return out;
}

}  // namespace precedent
