#include "agent/slots/subjects.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

// What a question of a page names is more than it is about.
constexpr size_t kMaxSubjects = 12;
constexpr size_t kMaxThings = 4;

// A stretch of the question that a subject was made of, so that nothing else is made of it.
struct Taken {
  size_t begin, end;
};

class Finder {
 public:
  explicit Finder(std::string_view question) : question_(question) {}

  void take(size_t begin, size_t end) { taken_.push_back({begin, end}); }
  bool is_free(size_t begin, size_t end) const {
    return std::ranges::none_of(taken_,
                                [&](const Taken& t) { return t.begin < end && begin < t.end; });
  }
  void add(SubjectKind kind, std::string text) {
    const std::string key = bare_name(text);
    if (key.empty() || subjects_.size() >= kMaxSubjects || !seen_.insert(key).second) return;
    subjects_.push_back({std::move(text), kind});
  }
  // Group 1 of each match that nothing was made of before.
  void add_matches(SubjectKind kind, const RE2& pattern, bool (*fits)(std::string_view) = nullptr) {
    size_t at = 0;
    const re2::StringPiece all(question_.data(), question_.size());
    std::array<re2::StringPiece, 2> g;
    while (at < question_.size() &&
           pattern.Match(all, at, question_.size(), RE2::UNANCHORED, g.data(), 2)) {
      const size_t begin = static_cast<size_t>(g[1].data() - question_.data());
      const size_t end = begin + g[1].size();
      at = std::max(end, at + 1);
      const std::string_view text(g[1].data(), g[1].size());
      if (!is_free(begin, end) || (fits != nullptr && !fits(text))) continue;
      take(begin, end);
      add(kind, std::string(text));
    }
  }
  std::string_view question() const { return question_; }
  std::vector<Subject>& subjects() { return subjects_; }

 private:
  std::string_view question_;
  std::vector<Taken> taken_;
  std::vector<Subject> subjects_;
  std::set<std::string> seen_;
};

// Words with hyphens that are English and no name of a component.
bool is_component_name(std::string_view word) {
  static const RE2 kEnglish(
      "(?i)(?:^|-)(?:and|or|of|the|to|by|in|on|off|up|out|down|over|under|at|a|an|is|it|per|non|"
      "pre|post|re|"
      "anti|self|semi|multi|cross|half|high|low|long|short|new|old|first|second|third|last|one|two|"
      "three|once|"
      "time|day|week|month|year|hour|minute|late|early|only|based|side|wide|ready|level|term|"
      "specific|related|"
      "facing|driven|aware|free|safe|friendly|running|known|called|call|point|cause|cut|back|"
      "through|right|"
      "less|least|exactly|most|more|all|any|no|not|well|end|line|man|mail|check|scale|region|"
      "follow|walk|"
      "wise|user|open|fail)(?:-|$)");
  return !RE2::PartialMatch(re2::StringPiece(word.data(), word.size()), kEnglish) &&
         std::ranges::any_of(word, is_letter);
}

// A word that says what somebody does, asks or waits for, and names nothing.
const std::set<std::string, std::less<>>& frame_words() {
  static const std::set<std::string, std::less<>> kWords = [] {
    std::set<std::string, std::less<>> words;
    for (const std::string_view word :
         split("a about above acc according across actually after again against all almost also "
               "always am an and any "
               "anybody anyone anything are around as ask at away back be because been before "
               "behind being below "
               "best between big both break breaking bring broke but by call called came can "
               "cannot cause causes caused change "
               "changed changes check checklist close closed come could current currently day days "
               "deal decide define "
               "defined describe details did different do does doing done draw drop dropped during "
               "each earlier either eli5 else "
               "end ever every everything exactly exist exists explain fail failed fails failing "
               "far few file files find first fix fixed "
               "follow for found from get gets getting give given go goes going gone good got grep "
               "had half handle handled "
               "handles happen happened happening happens has have having hello help helps here "
               "hey hi high history hit "
               "hour hours how i if in increase incident incidents instead into is issue issues it "
               "its itself just keep keeps know "
               "known last late latest least left less let like list local long look lot low made "
               "make many may me mean "
               "means member might minute minutes month months more most much must my name need "
               "needs never new newest next no "
               "none normal not nothing now number of off often ok old on once one ones only onto "
               "open opened or order other our "
               "out outage outages over overview own owned owner owns past people place please pls "
               "plz point "
               "possible previous probably problem problems pull put question quick quickly quite "
               "read really reason record "
               "recent related right root run running said same say says see seen set several "
               "shall short should show side "
               "similar simple since so some somebody someone something soon start started starts "
               "state status steps still such "
               "sure take taken takes tell than thanks that the their them then there these they "
               "thing things think this "
               "those through time times to today together told tomorrow too top try under until "
               "up us use used uses using "
               "usual value values very want wants was way we week weeks well went were what whats "
               "whats' when where wheres "
               "which while who whole whom whose why will with within without won word words work "
               "worked working works would "
               "write wrong year years yes yesterday yet you your during list general generally "
               "principle team teams stop "
               "tell difference vs versus summarize summarise summary walk terms sentence "
               "sentences theory junior engineer "
               "explain please pros cons compare compared comparison worse better minimum maximum "
               "default much via every any "
               "runbook runbooks playbook postmortem procedure document documents documentation "
               "doc docs checks policy "
               "system service application app platform production prod background",
               ' '))
      if (!word.empty()) words.emplace(word);
    return words;
  }();
  return kWords;
}

// Stretches of words that are no frame: "rotate the HL7 interface certificates" → "rotate", "HL7
// interface certificates".
void add_things(Finder& finder) {
  const std::string_view q = finder.question();
  std::vector<std::string> phrases;
  std::string phrase;
  const auto flush = [&] {
    if (phrase.size() > 1) phrases.push_back(phrase);
    phrase.clear();
  };
  size_t at = 0;
  while (at < q.size()) {
    const auto in_word = [&](size_t i) {
      const unsigned char c = static_cast<unsigned char>(q[i]);
      return isalnum(c) || c >= 0x80 || c == '_' ||
             ((c == '-' || c == '.' || c == '/' || c == '\'' || c == '&') && i + 1 < q.size() &&
              is_alnum(q[i + 1]) && i > at);
    };
    if (!in_word(at)) {
      if (q[at] != ' ') flush();
      ++at;
      continue;
    }
    size_t end = at;
    while (end < q.size() && in_word(end)) ++end;
    std::string word(q.substr(at, end - at));
    std::string lower = ascii_lower(word);
    if (lower.ends_with("'s")) lower.resize(lower.size() - 2), word.resize(word.size() - 2);
    const bool plain = frame_words().contains(lower) || !finder.is_free(at, end) ||
                       lower.find('\'') != std::string::npos;
    if (plain) {
      flush();
    } else {
      if (!phrase.empty()) phrase += ' ';
      phrase += word;
    }
    at = end;
  }
  flush();
  // The longest say most.
  std::ranges::stable_sort(phrases, std::greater<>(),
                           [](const std::string& p) { return std::ranges::count(p, ' '); });
  size_t added = 0;
  for (std::string& text : phrases) {
    if (++added > kMaxThings) break;
    finder.add(SubjectKind::kThing, std::move(text));
  }
}

void add_metrics(Finder& finder) {
  struct Named {
    std::string_view name;
    const RE2* words;
  };
  static const RE2 kPercentile("(?i)\\b(p(?:50|90|95|99)(?:\\.9)?)\\b");
  std::string_view q = finder.question();
  re2::StringPiece rest(q.data(), q.size());
  for (re2::StringPiece p; RE2::FindAndConsume(&rest, kPercentile, &p);) {
    const size_t begin = static_cast<size_t>(p.data() - q.data());
    if (!finder.is_free(begin, begin + p.size())) continue;
    finder.take(begin, begin + p.size());
    finder.add(SubjectKind::kMetric, ascii_lower({p.data(), p.size()}) + "_latency");
  }
  static const RE2 kErrorRate("(?i)\\b(error rate|5xx(?: rate)?|success rate)\\b");
  static const RE2 kThroughput("(?i)\\b(throughput|requests?(?: per |/)s(?:econd)?|rps|qps)\\b");
  static const RE2 kRatio(
      "(?i)\\b((?:\\w+ )?hit (?:ratio|rate)|error budget|consumer lag|replication lag|queue "
      "depth)\\b");
  // A metric by its own name, of the form that exporters give them.
  static const RE2 kOwnName(
      "\\b([a-z][a-z0-9]*(?:[_:][a-z0-9]+)*_(?:total|seconds|bytes|ratio|latency|depth|lag|usage|"
      "utili[sz]ation|percent|qps|rps|saturation|throughput|hits|misses|age))\\b");
  finder.add_matches(SubjectKind::kMetric, kOwnName);
  const Named named[] = {{"error_rate", &kErrorRate}, {"throughput", &kThroughput}, {"", &kRatio}};
  for (const Named& n : named) {
    re2::StringPiece m;
    if (!RE2::PartialMatch(re2::StringPiece(q.data(), q.size()), *n.words, &m)) continue;
    const size_t begin = static_cast<size_t>(m.data() - q.data());
    if (!finder.is_free(begin, begin + m.size())) continue;
    finder.take(begin, begin + m.size());
    finder.add(SubjectKind::kMetric,
               n.name.empty() ? std::string(m.data(), m.size()) : std::string(n.name));
  }
}

}  // namespace

std::string_view name(SubjectKind kind) {
  switch (kind) {
    case SubjectKind::kIncident: return "incident";
    case SubjectKind::kEndpoint: return "endpoint";
    case SubjectKind::kService: return "service";
    case SubjectKind::kApplication: return "application";
    case SubjectKind::kMetric: return "metric";
    case SubjectKind::kFile: return "file";
    case SubjectKind::kSymbol: return "symbol";
    case SubjectKind::kPerson: return "person";
    case SubjectKind::kFlag: return "flag";
    case SubjectKind::kThing: return "thing";
  }
  return "thing";
}

std::vector<Subject> find_subjects(std::string_view question, const std::vector<std::string>& ids,
                                   const std::vector<NameMention>& names,
                                   const std::vector<std::string>& not_these) {
  Finder finder(question);
  for (const std::string& id : ids) finder.add(SubjectKind::kIncident, id);
  // "#4471", "INC0048213": trackers that need no hyphen.
  static const RE2 kTicket("(?i)(?:\\b(?:incident|ticket|record|case) #?|#)(\\d{3,12})\\b");
  static const RE2 kTracker("\\b((?:INC|CHG|PRB|RITM)[-_]?\\d{4,}(?:[-_]\\d+)*)\\b");
  finder.add_matches(SubjectKind::kIncident, kTicket);
  finder.add_matches(SubjectKind::kIncident, kTracker);
  static const RE2 kFile(
      "(?:^|[^\\w./-])((?:[\\w.-]+/"
      ")*[\\w-]+\\.(?:py|go|rs|cc|cpp|hpp|kt|kts|java|tsx?|jsx?|rb|php|sh|sql|tf|"
      "ya?ml|toml|properties|conf|cfg|ini|json|proto|gradle|md|xml))\\b");
  finder.add_matches(SubjectKind::kFile, kFile);
  static const RE2 kFolder("(?:^|\\s)([a-z][\\w.-]*(?:/[\\w.-]+){2,})\\b");
  finder.add_matches(SubjectKind::kFile, kFolder);
  for (const NameMention& mention : names) {
    // "search_service.py" is a file of search-service, and what is meant.
    if (!finder.is_free(mention.begin, mention.end)) continue;
    // An application that is called as a service is: one thing.
    const bool a_service = mention.field == NameMention::Field::kApplication &&
                           std::ranges::any_of(names, [&](const NameMention& other) {
                             return other.field == NameMention::Field::kService &&
                                    other.begin == mention.begin &&
                                    name_key(other.name) == name_key(mention.name);
                           });
    if (a_service) continue;
    finder.take(mention.begin, mention.end);
    finder.add(mention.field == NameMention::Field::kService ? SubjectKind::kService
                                                             : SubjectKind::kApplication,
               mention.name);
  }
  for (const std::string& text : not_these)
    if (const size_t at = question.find(text); at != std::string_view::npos)
      finder.take(at, at + text.size());
  static const RE2 kEndpoint("(?:^|[\\s('\"`])(/[A-Za-z0-9_{}][A-Za-z0-9_{}/.:-]*[A-Za-z0-9_}])");
  finder.add_matches(SubjectKind::kEndpoint, kEndpoint);
  static const RE2 kCall("\\b([A-Za-z_][\\w.:]*)\\(");
  static const RE2 kEnvironment("\\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\\b");
  static const RE2 kSnake("\\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\\b");
  static const RE2 kDotted("\\b([a-z][a-zA-Z0-9-]*(?:\\.[a-zA-Z0-9-]+){2,})\\b");
  static const RE2 kCamel("\\b((?:[A-Z]+[a-z0-9]+){2,}(?:\\.\\w+)?)\\b");
  add_metrics(finder);
  for (const RE2* pattern : {&kCall, &kEnvironment, &kSnake, &kDotted, &kCamel})
    finder.add_matches(SubjectKind::kSymbol, *pattern);
  static const RE2 kComponent("(?:^|[^\\w./-])([a-z][a-z0-9]*(?:-[a-z0-9]+)+)\\b");
  finder.add_matches(SubjectKind::kService, kComponent, is_component_name);
  const auto known = [](const Subject& s) { return s.kind != SubjectKind::kMetric; };
  if (std::ranges::none_of(finder.subjects(), known)) add_things(finder);
  std::ranges::stable_sort(finder.subjects(), {}, &Subject::kind);
  return std::move(finder.subjects());
}

bool frames_a_question(std::string_view word) { return frame_words().contains(word); }

std::set<std::string> telling_words(std::string_view text) {
  static const std::set<std::string, std::less<>> kGeneric = {
      "api",     "service",  "svc",     "app",   "server", "http",   "https", "grpc",
      "v1",      "v2",       "v3",      "main",  "prod",   "system", "the",   "total",
      "seconds", "requests", "request", "bytes", "count",  "sum",    "rate",  "ratio"};
  std::set<std::string> words;
  std::string word;
  for (const char c : ascii_lower(text) + " ") {
    if (is_alnum(c)) {
      word += c;
      continue;
    }
    if (word.size() > 1 && !kGeneric.contains(word)) words.insert(word);
    word.clear();
  }
  return words;
}

}  // namespace precedent
