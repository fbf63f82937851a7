#include "ingest/chunks/ctags.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/utf8.h"

extern "C" char** environ;

namespace precedent {
namespace {

using nlohmann::json;
using Steady = std::chrono::steady_clock;

// Real files take milliseconds; one that takes this long never ends.
constexpr auto kPatience = std::chrono::seconds(10);
// A tag with its pattern has a few hundred bytes.
constexpr size_t kMaxLineBytes = 1 << 20;
// What one file may define; generated tables have more, and nobody asks for them by name.
constexpr size_t kMaxSymbols = 20'000;
// So many files that break it are no accident: the program is broken.
constexpr size_t kMaxFailures = 20;

// Markup and data have keys and headings, not definitions: their own structure is not cut along.
constexpr const char* kLanguages =
    "--languages=-JSON,-XML,-HTML,-CSS,-SCSS,-SVG,-Yaml,-YumRepo,-Asciidoc,-ReStructuredText,"
    "-MarkDown,-Txt2tags,-Tex,-BibTeX,-Man,-Pod,-Diff,-Iniconf,-Passwd,-Ctags,-Julia,-DTD,-XSLT,"
    "-Maven2,-PlistXML,-RelaxNG,-Glade,-JavaProperties,-SystemdUnit,-RpmSpec,-RpmMacros,-Make";

// Kinds of tags that define something that is asked for by name; the others (members, variables,
// enumerators, includes) are found as words.
constexpr std::array<std::string_view, 25> kDefinitions = {
    "function", "method",    "class",      "struct",    "enum",   "interface",   "trait",
    "macro",    "typedef",   "union",      "type",      "module", "constructor", "implementation",
    "object",   "procedure", "subroutine", "generator", "getter", "setter",      "protocol",
    "task",     "func",      "talias",     "methodSpec"};

bool defines(const json& tag, std::string_view kind) {
  // Python's methods are members with a signature; those of C have a type and none.
  if (kind == "member") return tag.contains("signature");
  return std::ranges::find(kDefinitions, kind) != kDefinitions.end();
}

// "__anonb79d701f0111::Runner" → "Runner": the parts that ctags made up are no names.
std::string without_anonymous(std::string_view scope) {
  std::string out;
  for (size_t begin = 0; begin < scope.size();) {
    size_t end = scope.find_first_of(":.", begin);
    if (end == std::string_view::npos) end = scope.size();
    size_t next = std::min(scope.find_first_not_of(":.", end), scope.size());
    if (!scope.substr(begin, end - begin).starts_with("__anon"))
      out += scope.substr(begin, next - begin);
    begin = next;
  }
  while (out.ends_with(':') || out.ends_with('.')) out.pop_back();
  return out;
}

// How the language itself writes a member of a scope.
bool joined_by_dots(std::string_view language) {
  constexpr std::array<std::string_view, 8> kDots = {"Python",     "Java", "Go",     "JavaScript",
                                                     "TypeScript", "C#",   "Kotlin", "Lua"};
  return std::ranges::find(kDots, language) != kDots.end();
}

uint32_t number_of(const json& tag, const char* key) {
  const auto found = tag.find(key);
  if (found == tag.end() || !found->is_number_unsigned()) return 0;
  return static_cast<uint32_t>(std::min<uint64_t>(found->get<uint64_t>(), UINT32_MAX));
}

}  // namespace

CtagsLine read_ctags_line(std::string_view line) {
  CtagsLine out;
  const json tag = parse_json(line);
  if (!tag.is_object()) return {CtagsLine::Kind::kError, {}};
  const std::string type = foreign::string_at(tag, "_type");
  if (type == "completed") return {CtagsLine::Kind::kCompleted, {}};
  if (type == "error") return {CtagsLine::Kind::kError, {}};
  const std::string name = foreign::string_at(tag, "name");
  const uint32_t first = number_of(tag, "line");
  if (type != "tag" || name.empty() || name.starts_with("__anon") || first == 0 ||
      !defines(tag, foreign::string_at(tag, "kind")))
    return out;
  out.kind = CtagsLine::Kind::kSymbol;
  const std::string scope = without_anonymous(foreign::string_at(tag, "scope"));
  const bool dots =
      scope.find("::") == std::string::npos && joined_by_dots(foreign::string_at(tag, "language"));
  out.symbol.name = scope.empty() ? name : scope + (dots ? "." : "::") + name;
  out.symbol.line = first;
  out.symbol.end = std::max(first, number_of(tag, "end"));
  return out;
}

// The end of a path tells the language; a path of a thousand bytes costs ctags ten seconds.
std::string_view name_of(std::string_view path) {
  constexpr size_t kMaxNameBytes = 200;
  path.remove_prefix(path.rfind('/') + 1);
  return path.substr(path.size() - std::min(path.size(), kMaxNameBytes));
}

// One running ctags, spoken to by one thread at a time.
class Ctags::Process {
 public:
  static std::unique_ptr<Process> start(const std::string& program) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return nullptr;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const std::array<const char*, 6> args = {
        program.c_str(),    "--options=NONE", "--_interactive=sandbox",
        "--fields=NneKsSl", kLanguages,       nullptr};
    pid_t pid = 0;
    const int error = ::posix_spawnp(&pid, program.c_str(), &actions, nullptr,
                                     const_cast<char* const*>(args.data()), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (error != 0) {
      ::close(ends[0]);
      return nullptr;
    }
    auto process = std::unique_ptr<Process>(new Process(pid, ends[0]));
    // It introduces itself: {"_type": "program", …}.
    const auto hello = process->read_line(Steady::now() + kPatience);
    return hello && hello->find("\"program\"") != std::string::npos ? std::move(process) : nullptr;
  }

  ~Process() {
    ::close(socket_);
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Process(const Process&) = delete;

  // Nothing: the process is of no use any more.
  std::optional<std::vector<Symbol>> symbols(std::string_view path, std::string_view text) {
    const auto until = Steady::now() + kPatience;
    const json request = {
        {"command", "generate-tags"}, {"filename", name_of(path)}, {"size", text.size()}};
    const std::string head = request.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    if (!write(head, until) || !write(text, until)) return std::nullopt;
    std::vector<Symbol> symbols;
    while (true) {
      const auto line = read_line(until);
      if (!line) return std::nullopt;
      CtagsLine read = read_ctags_line(*line);
      if (read.kind == CtagsLine::Kind::kError) return std::nullopt;
      if (read.kind == CtagsLine::Kind::kCompleted) return symbols;
      if (read.kind == CtagsLine::Kind::kSymbol && symbols.size() < kMaxSymbols)
        symbols.push_back(std::move(read.symbol));
    }
  }

 private:
  Process(pid_t pid, int socket) : pid_(pid), socket_(socket) {}

  bool wait_for(short events, Steady::time_point until) const {
    while (true) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(until - Steady::now()).count();
      if (left <= 0) return false;
      pollfd ready{socket_, events, 0};
      const int n = ::poll(&ready, 1, static_cast<int>(left));
      if (n > 0) return true;
      if (n < 0 && errno != EINTR) return false;
    }
  }

  bool write(std::string_view bytes, Steady::time_point until) const {
    while (!bytes.empty()) {
      if (!wait_for(POLLOUT, until)) return false;
      const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0 && errno != EINTR && errno != EAGAIN) return false;
      if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
    }
    return true;
  }

  std::optional<std::string> read_line(Steady::time_point until) {
    while (true) {
      if (const size_t end = buffer_.find('\n', read_); end != std::string::npos) {
        std::string line = buffer_.substr(read_, end - read_);
        read_ = end + 1;
        return line;
      }
      buffer_.erase(0, std::exchange(read_, 0));
      if (buffer_.size() > kMaxLineBytes || !wait_for(POLLIN, until)) return std::nullopt;
      std::array<char, 65536> bytes{};
      const ssize_t n = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) return std::nullopt;
      if (n > 0) buffer_.append(bytes.data(), static_cast<size_t>(n));
    }
  }

  pid_t pid_;
  int socket_;
  std::string buffer_;
  size_t read_ = 0;  // of buffer_
};

Ctags::Ctags(std::string program) : program_(std::move(program)) {}

const std::string& Ctags::missing() const {
  std::call_once(tried_, [this] { try_it(); });
  return missing_;
}

void Ctags::try_it() const {
  if (auto process = Process::start(program_)) {
    const auto found = process->symbols("a.c", "int f() { return 0; }\n");
    if (found && *found == std::vector{Symbol{"f", 1, 1}}) return give_back(std::move(process));
  }
  missing_ = fmt::format(
      "'{}' is not there or cannot speak JSON, so code is cut by lines and has no symbols; install "
      "the package universal-ctags",
      program_);
}

Ctags::~Ctags() = default;

std::unique_ptr<Ctags::Process> Ctags::take() const {
  {
    const MutexLock lock(mutex_);
    if (!idle_.empty()) {
      auto process = std::move(idle_.back());
      idle_.pop_back();
      return process;
    }
    if (failures_ >= kMaxFailures) return nullptr;
  }
  return Process::start(program_);
}

void Ctags::give_back(std::unique_ptr<Process> process) const {
  const MutexLock lock(mutex_);
  idle_.push_back(std::move(process));
}

std::vector<Symbol> Ctags::symbols(std::string_view path, std::string_view text) const {
  if (!available() || text.empty()) return {};
  auto process = take();
  if (!process) return {};
  auto symbols = process->symbols(path, text);
  if (!symbols) {
    const MutexLock lock(mutex_);
    ++failures_;
    return {};
  }
  give_back(std::move(process));
  std::ranges::stable_sort(*symbols, {}, &Symbol::line);
  return std::move(*symbols);
}

}  // namespace precedent
