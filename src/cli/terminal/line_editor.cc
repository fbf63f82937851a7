#include "cli/terminal/line_editor.h"

#include <fmt/format.h>
#include <histedit.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <clocale>
#include <csignal>
#include <cwchar>
#include <string_view>

#include "base/strings.h"

namespace precedent {
namespace {

// What is remembered of typed lines, for the arrow keys.
constexpr int kKeptLines = 1000;

// No question may be near as long (base/limits.h): what is cut off here is refused for its length.
constexpr size_t kMaxPasteCharacters = 1 << 20;

constexpr char kMarkPastes[] = "\x1b[?2004h", kNoMarks[] = "\x1b[?2004l";
constexpr std::wstring_view kPasteEnd = L"\x1b[201~";

// Keys that terminals send and libedit's Emacs mode does not know by itself.
struct Key {
  const char* sequence;
  const char* command;
};
constexpr Key kKeys[] = {
    {"\\e[200~", "paste"},
    {"^R", "em-inc-search-prev"},
    {"\\e[1~", "ed-move-to-beg"},
    {"\\e[4~", "ed-move-to-end"},
    {"\\e[H", "ed-move-to-beg"},
    {"\\e[F", "ed-move-to-end"},
    {"\\e[3~", "ed-delete-next-char"},
    {"\\e[1;5C", "em-next-word"},
    {"\\e[1;5D", "ed-prev-word"},
};

std::atomic<bool> g_waits{false};
pthread_t g_waiting_thread;  // while g_waits

// Interrupts the read that waits, in whichever thread the signal arrives, and again if it did not
// yet.
void on_alarm(int /*signal*/) {
  if (!g_waits.load()) return;
  if (::pthread_equal(::pthread_self(), g_waiting_thread) == 0)
    ::pthread_kill(g_waiting_thread, SIGALRM);
  ::alarm(1);
}

// While a line is waited for, SIGALRM ends the wait.
class Alarm {
 public:
  Alarm() {
    struct sigaction action = {};
    action.sa_handler = on_alarm;  // without SA_RESTART: read(2) returns
    ::sigaction(SIGALRM, &action, &before_);
    g_waiting_thread = ::pthread_self();
    g_waits.store(true);
  }
  ~Alarm() {
    g_waits.store(false);
    ::alarm(0);
    ::sigaction(SIGALRM, &before_, nullptr);
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

 private:
  struct sigaction before_ = {};
};

// Behind the mark of its beginning: up to the mark of its end.
unsigned char paste(EditLine* editor, int /*key*/) {
  std::wstring text;
  for (wchar_t c = 0; !text.ends_with(kPasteEnd);) {
    if (::el_wgetc(editor, &c) != 1) return CC_EOF;
    if (text.size() < kMaxPasteCharacters + kPasteEnd.size()) {
      text += c;
    } else {
      // Full: only the end is looked for, in the last characters.
      text.erase(text.size() - kPasteEnd.size(), 1);
      text += c;
    }
  }
  text.resize(text.size() - kPasteEnd.size());
  std::wstring shown;
  for (size_t i = 0; i < text.size(); ++i) {
    // A line break arrives as Return, from some terminals followed by a line feed.
    if (text[i] == L'\r' || (text[i] == L'\n' && (i == 0 || text[i - 1] != L'\r'))) {
      shown += L'\n';
    } else if (text[i] == L'\t' || (text[i] >= L' ' && text[i] != L'\x7f')) {
      shown += text[i];
    }
  }
  return ::el_winsertstr(editor, shown.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
}

}  // namespace

struct LineEditor::Parts {
  std::string prompt;
  std::FILE* out;
  const CancelToken& cancelled;
  History* history = ::history_init();
  EditLine* editor = nullptr;

  ~Parts() {
    ::el_end(editor);
    ::history_end(history);
  }

  static char* prompt_of(EditLine* editor) {
    Parts* self = nullptr;
    ::el_get(editor, EL_CLIENTDATA, &self);
    return self->prompt.data();
  }
};

LineEditor::LineEditor(std::string prompt, std::FILE* out, const CancelToken& cancelled)
    : parts_(new Parts{std::move(prompt), out, cancelled}) {
  // Before el_init, which decides by it how bytes become characters.
  std::setlocale(LC_CTYPE, "C.UTF-8");
  parts_->editor = ::el_init("precedent", stdin, out, stderr);
  EditLine* editor = parts_->editor;
  HistEvent event;
  ::history(parts_->history, &event, H_SETSIZE, kKeptLines);
  ::history(parts_->history, &event, H_SETUNIQUE, 1);
  ::el_set(editor, EL_CLIENTDATA, parts_.get());
  ::el_set(editor, EL_PROMPT, &Parts::prompt_of);
  ::el_set(editor, EL_EDITOR, "emacs");
  ::el_set(editor, EL_SIGNAL, 1);
  ::el_set(editor, EL_HIST, ::history, parts_->history);
  ::el_set(editor, EL_ADDFN, "paste", "Insert what is pasted", &paste);
  for (const Key& key : kKeys) ::el_set(editor, EL_BIND, key.sequence, key.command, nullptr);
  // The person's own keys, in ~/.editrc.
  ::el_source(editor, nullptr);
}

LineEditor::~LineEditor() {
  std::fputs(kNoMarks, parts_->out);
  std::fflush(parts_->out);
}

void LineEditor::wake() {
  if (g_waits.load()) ::alarm(1);
}

std::optional<std::string> LineEditor::read() {
  const Alarm alarm;
  // What came before is not waited for; what comes now wakes.
  if (parts_->cancelled.cancelled()) return std::nullopt;
  // Before the prompt is seen: a key that follows it is a command, not the terminal's business.
  ::el_set(parts_->editor, EL_PREP_TERM, 1);
  // Each time: a shell that had the terminal meanwhile has switched it off.
  std::fputs(kMarkPastes, parts_->out);
  std::fflush(parts_->out);
  int count = 0;
  const char* line = ::el_gets(parts_->editor, &count);
  if (line == nullptr || count <= 0) return std::nullopt;
  std::string text(line, static_cast<size_t>(count));
  if (text.ends_with('\n')) text.pop_back();
  HistEvent event;
  if (!trim(text).empty()) ::history(parts_->history, &event, H_ENTER, text.c_str());
  return text;
}

}  // namespace precedent
