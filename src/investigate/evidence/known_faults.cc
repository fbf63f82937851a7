#include "investigate/evidence/known_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "base/utf8.h"
#include "investigate/evidence/ownership.h"
#include "search/searcher.h"
#include "text/sentences.h"

namespace precedent {
namespace {

constexpr size_t kMaxFaults = 6;
// A storm repeats itself: further texts add searches and nothing else.
constexpr size_t kMaxTexts = 40;
constexpr size_t kMaxWhole = 2000;
// A page that past incidents vote for fits a little, too: its place must not cut that off.
constexpr size_t kPages = 50;
// So many past incidents vote. The figures of 5, 10 and 30 are in eval/investigate/README.md.
constexpr size_t kVotes = 10;
constexpr size_t kMaxTitles = 500;
constexpr size_t kMaxServices = 12;
constexpr std::string_view kRootCause = "Root cause";  // as knowledge/incident.cc writes it

const std::vector<Kind> kPageKinds = {Kind::kRunbook, Kind::kPlaybook, Kind::kKnownIssue};
const std::vector<Kind> kPastKinds = {Kind::kIncident, Kind::kPostmortem};

SearchRequest request_of(std::string text, const std::vector<Kind>& kinds, size_t limit,
                         TimePoint now) {
  SearchRequest request;
  request.text = std::move(text);
  request.filter.kinds = kinds;
  request.limit = limit;
  request.self_query = false;
  request.now = now;
  return request;
}

using Chunks = std::vector<std::pair<uint64_t, Payload>>;

std::string text_of(const Chunks& chunks) {
  std::string text;
  for (const auto& [id, chunk] : chunks) {
    text += chunk.text;
    text += "\n\n";
  }
  return text;
}

// The first sentence below `heading`, or of the whole text if it has no such heading.
std::string first_sentence(std::string_view text, std::string_view heading) {
  std::string first;
  bool below = false;
  for (const Block& block : parse_blocks(text)) {
    const std::string_view content = block.content.in(text);
    if (block.kind == BlockKind::kHeading) below = trim(content) == heading;
    if (block.kind != BlockKind::kParagraph) continue;
    // A row of a table without its header is no sentence.
    if (trim(content).starts_with('|')) continue;
    const std::vector<TextRange> sentences = split_sentences(content);
    if (sentences.empty() || (!first.empty() && !below)) continue;
    first = shown_text(squeeze(sentences.front().in(content)), 300);
    if (below) break;
  }
  return first;
}

struct Page {
  std::string id, title;  // in lower case
};

// One word is a name of anything.
bool tells_apart(std::string_view title) {
  return title.find_first_of(" -_") != std::string_view::npos;
}

Result<std::vector<Page>> pages_of(const Searcher& search) {
  Filter filter;
  filter.kinds = kPageKinds;
  std::vector<Page> out;
  for (const Payload& page :
       TRY(search.index().list(filter, KnowledgeIndex::Order::kTitle, kMaxTitles)))
    if (tells_apart(page.title)) out.push_back({page.doc_id, ascii_lower(page.title)});
  return out;
}

class Finder {
 public:
  Finder(const Searcher& search, TimePoint now) : search_(search), now_(now) {}

  Result<void> read(const std::string& alert) {
    for (const Hit& hit : TRY(search_.search(request_of(alert, kPageKinds, kPages, now_))).hits) {
      KnownFault& fault = known(hit.payload);
      if (hit.relevance <= fault.fits) continue;
      fault.fits = hit.relevance;
      fault.alert = shown_text(alert, 200);
    }
    return {};
  }

  // How many voted.
  Result<size_t> vote(const std::string& alerts) {
    const std::vector<Hit> hits =
        TRY(search_.search(request_of(alerts, kPastKinds, kVotes, now_))).hits;
    if (hits.empty()) return 0;
    const std::vector<Page> pages = TRY(pages_of(search_));
    double votes = 0;
    for (const Hit& hit : hits) votes += hit.relevance;
    for (const Hit& hit : hits) {
      const double share = votes > 0 ? hit.relevance / votes : 0;
      const std::string text =
          ascii_lower(text_of(TRY(search_.index().chunks_of(hit.payload.doc_id))));
      bool named = false;
      for (const Page& page : pages) {
        if (!names_whole(text, page.title) && !names_whole(text, ascii_lower(page.id))) continue;
        named = true;
        KnownFault& fault = faults_[page.id];
        fault.id = page.id;
        fault.share += share;
        fault.past.push_back(hit.payload.doc_id);
      }
      if (named) continue;
      KnownFault& own = known(hit.payload);
      own.fits = hit.relevance, own.share = share;
    }
    return hits.size();
  }

  // The best first, each with what it says.
  Result<std::vector<KnownFault>> best() {
    std::vector<KnownFault> all;
    for (auto& [id, fault] : faults_) all.push_back(std::move(fault));
    std::ranges::stable_sort(all, std::greater<>(),
                             [](const KnownFault& one) { return one.fits + one.share; });
    if (all.size() > kMaxFaults) all.resize(kMaxFaults);
    for (KnownFault& fault : all) {
      const Chunks chunks = TRY(search_.index().chunks_of(fault.id));
      if (!chunks.empty()) name_after(fault, chunks.front().second);
      fault.says = first_sentence(text_of(chunks), kRootCause);
    }
    return all;
  }

 private:
  static void name_after(KnownFault& fault, const Payload& document) {
    fault.title = shown_text(document.title, 160);
    fault.kind = name(document.kind);
    fault.path = document.path;
  }
  KnownFault& known(const Payload& document) {
    KnownFault& fault = faults_[document.doc_id];
    fault.id = document.doc_id;
    return fault;
  }

  const Searcher& search_;
  const TimePoint now_;
  std::map<std::string, KnownFault> faults_;
};

// Who depends on whom, as documents list it, among those that have alerts.
Result<std::vector<CallEdge>> calls_of(const Searcher& search, const std::set<std::string>& alerted,
                                       TimePoint now) {
  std::vector<CallEdge> out;
  for (const std::string& callee : alerted) {
    const auto documents = TRY(documents_about(search, callee, now));
    std::vector<Receipt> unused;
    for (const DownstreamService& each : read_ownership(documents, callee, now, unused).downstream)
      for (const std::string& caller : alerted)
        if (bare_name(caller) == bare_name(each.service))
          out.push_back({caller, callee, each.why, "", false});
  }
  return out;
}

}  // namespace

Result<KnownOfAlerts> known_of_alerts(const Searcher& search, const IncidentBrief& brief,
                                      TimePoint now) {
  std::vector<std::string> texts;
  std::set<std::string> alerted;
  for (const AlertSaid& said : alerts_of(brief)) {
    const std::string& text = said.text.empty() ? said.name : said.text;
    if (!text.empty() && texts.size() < kMaxTexts && std::ranges::find(texts, text) == texts.end())
      texts.push_back(text);
    if (!said.service.empty() && alerted.size() < kMaxServices) alerted.insert(said.service);
  }
  KnownOfAlerts out;
  out.services = search.catalogue().services;
  out.services.insert(out.services.end(), search.catalogue().applications.begin(),
                      search.catalogue().applications.end());
  out.calls = TRY(calls_of(search, alerted, now));
  Finder finder(search, now);
  for (const std::string& text : texts) TRY(finder.read(text));
  const std::string whole = join(texts, ". ");
  if (!whole.empty()) out.past = TRY(finder.vote(std::string(utf8_prefix(whole, kMaxWhole))));
  out.faults = TRY(finder.best());
  return out;
}

}  // namespace precedent
