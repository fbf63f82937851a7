#include "tools/doc_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "text/steps.h"
#include "tools/follow_stub.h"
#include "tools/known_at.h"
#include "tools/pointers.h"
#include "tools/present.h"
#include "tools/procedure.h"

namespace precedent {
namespace {

constexpr int64_t kMaxLimit = static_cast<int64_t>(Limits{}.max_tool_limit);

// What search_knowledge looks through unless told: all that people wrote to be read. Incidents have
// tools of their own; code and verified answers are asked for by name.
std::vector<Kind> written_kinds() {
  std::vector<Kind> kinds;
  for (const Kind kind : kAllKinds) {
    if (kind != Kind::kIncident && kind != Kind::kCode && kind != Kind::kGolden)
      kinds.push_back(kind);
  }
  return kinds;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind kind : kAllKinds) names.emplace_back(name(kind));
  return names;
}

KnowledgeItem item_of(const Hit& hit) {
  const Payload& p = hit.payload;
  return {p.doc_id,         p.title, p.kind,    p.services, hit.relevance,
          hit.snippet.text, p.path,  p.heading, p.lines,    p.text};
}

void take_procedure(KnowledgeItem& item, const Document& document) {
  std::optional<Procedure> procedure = procedure_around(document, item.lines);
  if (!procedure) return;
  item.heading = std::move(procedure->heading);
  item.text = std::move(procedure->text);
  item.lines = procedure->lines;
}

void take_chunk(KnowledgeItem& item, const Followed& followed) {
  const auto& [document, chunk] = followed;
  item.id = document.id;
  item.title = document.title;
  item.kind = document.kind;
  item.services = document.services;
  item.path = document.path;
  item.heading = chunk.heading;
  item.lines = chunk.lines;
  item.text = chunk.text;
}

// What the documents of one call say at its moment: `expiresAt` in their front matter, and, of a
// moment that was asked about, what of them was known then.
class AtItsMoment {
 public:
  AtItsMoment(const KnowledgeStore& store, const Clock& clock)
      : store_(store), now_(clock.now()), asked_(clock.is_fixed()) {}

  // Whether the document was there. `whole_procedures`: a piece of one becomes all of it.
  Result<bool> settle(KnowledgeItem& item, bool whole_procedures = false) {
    const auto [known, is_new] = seen_.try_emplace(item.id);
    if (is_new) known->second = TRY(store_.find(item.id));
    const std::optional<Document>& document = known->second;
    if (!document) return true;
    // The index does not know in which file a record of a dataset version stands.
    item.path = document->path;
    item.expired_at = past_expiry(*document);
    item.link = link_of(document->attributes);
    item.version = version_of(document->attributes);
    if (whole_procedures) {
      const std::string heading = item.heading.empty() ? "" : item.heading.back();
      if (auto followed = TRY(follow_stub(item.text, heading, *document, store_))) {
        take_chunk(item, *followed);
        take_procedure(item, followed->document);
        return !asked_ || known_at(followed->document, now_).has_value();
      }
      take_procedure(item, *document);
    }
    if (!asked_) return true;
    item.text = text_known_at(item.text, *document, now_);
    item.preview = text_known_at(item.preview, *document, now_);
    return known_at(*document, now_).has_value();
  }

 private:
  std::optional<TimePoint> past_expiry(const Document& document) const {
    for (const auto& [key, value] : document.attributes) {
      if (bare_name(key) != "expiresat") continue;
      const auto time = parse_time(value);
      // A date alone holds to the end of that day.
      if (time && *time + std::chrono::days(is_midnight(*time) ? 1 : 0) <= now_) return *time;
    }
    return std::nullopt;
  }

  const KnowledgeStore& store_;
  const TimePoint now_;
  const bool asked_;
  std::map<std::string, std::optional<Document>> seen_;
};

bool covers(const KnowledgeItem& one, const KnowledgeItem& other) {
  return one.id == other.id && other.lines.begin > 0 && one.lines.begin <= other.lines.begin &&
         other.lines.end <= one.lines.end;
}

// Adds a section unless it tells nothing that another one does not; in the place of those of which
// that holds once it is there.
void add_section(std::vector<KnowledgeItem>& sections, KnowledgeItem item) {
  const auto covering = std::ranges::find_if(
      sections, [&](const KnowledgeItem& other) { return covers(other, item); });
  if (covering != sections.end()) {
    covering->pointed_to |= item.pointed_to;
    return;
  }
  const auto is_covered = [&](const KnowledgeItem& other) { return covers(item, other); };
  const auto place = std::ranges::find_if(sections, is_covered);
  if (place == sections.end()) return sections.push_back(std::move(item));
  item.relevance = place->relevance;
  item.pointed_to |= std::ranges::any_of(
      sections, [&](const KnowledgeItem& other) { return other.pointed_to && is_covered(other); });
  sections.erase(std::remove_if(place + 1, sections.end(), is_covered), sections.end());
  *place = std::move(item);
}

// The ids of the documents that the question points to, then of those to which the entries of what
// it names do; with the pointers they were read by. Nothing if no word has the form of one.
struct Pointed {
  Pointers pointers;
  std::vector<std::string> ids;
};
Result<std::optional<Pointed>> pointed_by(const std::string& question, const Verbatim& asked,
                                          const std::vector<KnowledgeItem>& sections,
                                          const KnowledgeStore& store) {
  constexpr size_t kMost = 3;
  std::vector<std::pair<std::string_view, std::string_view>> texts = {
      {question, ""}};  // and of whom
  for (const KnowledgeItem& section : sections)
    if (section.kind != Kind::kPostmortem)
      for (const std::string_view entry : entries_of(section.text, asked))
        texts.emplace_back(entry, section.id);
  if (std::ranges::none_of(texts, [](const auto& text) { return Pointers::may_point(text.first); }))
    return std::nullopt;
  Pointed pointed{TRY(Pointers::open(store)), {}};
  for (const auto& [text, of] : texts)
    for (std::string& id : pointed.pointers.in(text))
      if (id != of && pointed.ids.size() < kMost &&
          std::ranges::find(pointed.ids, id) == pointed.ids.end())
        pointed.ids.push_back(std::move(id));
  return pointed;
}

// The first chunk of a document that tells steps; null if none does.
const Chunk* first_steps(const StoredDocument& document) {
  for (const StoredChunk& stored : document.chunks)
    if (tells_steps(stored.chunk.text)) return &stored.chunk;
  return nullptr;
}

// Marks the sections of a document that is pointed to. If none was found, its first procedure is
// added behind all others; if it has none itself, that of the document to which it points.
Result<void> add_pointed(const std::string& id, const Pointers& pointers,
                         std::vector<KnowledgeItem>& sections, const KnowledgeStore& store,
                         AtItsMoment& moment) {
  std::string meant = id;
  for (int hop = 0; hop < 2; ++hop) {
    const std::vector<StoredDocument> documents = TRY(store.stored(std::vector{meant}));
    if (documents.empty()) return {};
    const Chunk* steps = first_steps(documents.front());
    if (steps == nullptr) {
      const auto further = pointers.in(documents.front().document.body);
      if (further.empty()) return {};
      meant = further.front();
      continue;
    }
    bool found = false;
    for (KnowledgeItem& section : sections)
      if (section.id == meant) found = section.pointed_to = true;
    if (found) return {};
    KnowledgeItem item;
    take_chunk(item, {documents.front().document, *steps});
    item.pointed_to = true;
    if (!sections.empty()) item.relevance = sections.front().relevance;
    if (TRY(moment.settle(item, /*whole_procedures=*/true))) sections.push_back(std::move(item));
    return {};
  }
  return {};
}

// The hit as an item. A golden example is what the store says it is now: nothing, if it is not
// served any more or was found by a question that has changed since.
Result<std::optional<KnowledgeItem>> checked_item(const Hit& hit, const KnowledgeStore& store) {
  KnowledgeItem item = item_of(hit);
  if (item.kind != Kind::kGolden) return item;
  const std::optional<GoldenExample> example = TRY(store.golden(item.id));
  if (!example || !is_served(*example) || example->question != item.title) return std::nullopt;
  item.text = example->answer;
  item.preview = fmt::format("{}: {}", verified_by(*example), example->answer);
  return item;
}

Param limit_param() {
  return {.name = "limit",
          .type = Param::Type::kInteger,
          .description = "Most results to return",
          .default_value = 10,
          .minimum = 1,
          .maximum = kMaxLimit};
}

// Values that no document has, named: a filter that can match nothing is a mistake worth telling.
std::string unknown_values(std::string_view what, const std::vector<std::string>& asked,
                           const std::vector<std::string>& known) {
  std::string note;
  for (const std::string& value : asked) {
    const bool exists = std::ranges::any_of(
        known, [&](const std::string& k) { return name_key(k) == name_key(value); });
    if (exists) continue;
    const auto close = nearest(value, known);
    note += fmt::format("No document has the {} '{}'{}. ", what, value,
                        close ? fmt::format(" (nearest: '{}')", *close) : "");
  }
  return note;
}

}  // namespace

// ----------------------------------------------------------------------------------------
// search_knowledge

SearchKnowledge::SearchKnowledge()
    : Tool({"search_knowledge",
            "Search runbooks, post-mortems, architecture notes, known issues and other documents. "
            "An empty query with "
            "filters lists all that match.",
            {{.name = "query",
              .type = Param::Type::kString,
              .description = "Search words; may be empty with a filter",
              .required = true},
             limit_param(),
             {.name = "typeFilter",
              .type = Param::Type::kStringList,
              .description = "Document types to include",
              .allowed = kind_names()},
             {.name = "serviceFilter",
              .type = Param::Type::kStringList,
              .description = "Services to filter by"},
             {.name = "tagFilter",
              .type = Param::Type::kStringList,
              .description = "Tags to filter by"}}}) {}

Result<Tool::Outcome> SearchKnowledge::run(const Args& args, ToolContext& context) const {
  SearchRequest request;
  request.text = args.text("query");
  request.limit = static_cast<size_t>(args.integer("limit"));
  request.now = context.clock.now();
  for (const std::string& type : args.list("typeFilter")) {
    const auto kind = parse_kind(type);
    if (!kind) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'{}' in 'typeFilter' is no document type; the types are {}", type,
                              join(kind_names(), ", ")));
    }
    request.filter.kinds.push_back(*kind);
  }
  for (const std::string& service : args.list("serviceFilter"))
    request.filter.services.push_back(known_name(service, context.search.catalogue().services));
  request.filter.tags = args.list("tagFilter");
  if (trim(request.text).empty() && request.filter.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "'query' is empty and there is no filter; give search words, or a "
                "typeFilter, serviceFilter or tagFilter to list by");
  }
  if (request.filter.kinds.empty()) request.filter.kinds = written_kinds();
  context.events.status("Searching the knowledge base...");
  const SearchResponse response = TRY(context.search.search(request));
  Outcome outcome;
  KnowledgeResult result;
  AtItsMoment moment(context.store, context.clock);
  for (const Hit& hit : response.hits) {
    auto item = TRY(checked_item(hit, context.store));
    if (item && TRY(moment.settle(*item))) result.items.push_back(std::move(*item));
  }
  outcome.empty = result.items.empty();
  if (outcome.empty) {
    result.note =
        unknown_values("service", request.filter.services, context.search.catalogue().services) +
        "No documents found matching the query.";
    context.events.status("No documents found");
  } else {
    context.events.status(fmt::format("Found {} relevant documents...", result.items.size()));
  }
  outcome.explain = explain_search(response);
  outcome.text = present(result);
  outcome.result = std::move(result);
  return outcome;
}

// ----------------------------------------------------------------------------------------------
// doc_search

DocSearch::DocSearch()
    : Tool({"doc_search",
            "Find sections of design documents, ADRs, runbooks and guides on architecture, "
            "processes, alerts and SLOs.",
            {{.name = "query",
              .type = Param::Type::kString,
              .description = "Question or search words",
              .required = true},
             limit_param(),
             {.name = "document",
              .type = Param::Type::kString,
              .description = "Only sections of the document with this id"}}}) {}

Result<Tool::Outcome> DocSearch::run(const Args& args, ToolContext& context) const {
  SearchRequest request;
  request.text = args.text("query");
  if (trim(request.text).empty())
    return fail(ErrorCode::kInvalidArgument, "'query' is blank; give search words");
  request.limit = static_cast<size_t>(args.integer("limit"));
  // A runbook answers in several places (what it is, how to look, what to do), but must not fill
  // the list.
  request.per_document = std::max<size_t>(3, request.limit / 2);
  request.filter.kinds = written_kinds();
  if (const std::string& id = args.text("document"); !id.empty()) {
    if (!TRY(context.store.find(id))) {
      return fail(ErrorCode::kNotFound,
                  fmt::format("there is no document '{}'; leave 'document' out to search all", id));
    }
    request.filter.ids = {id};
    request.per_document = request.limit;
  }
  request.now = context.clock.now();
  context.events.status("Searching the documents...");
  const SearchResponse response = TRY(context.search.search(request));
  Outcome outcome;
  SectionsResult result;
  AtItsMoment moment(context.store, context.clock);
  const Verbatim asked(request.text, context.search.analyzer());
  for (const Hit& hit : response.hits) {
    KnowledgeItem item = item_of(hit);
    const bool known = TRY(moment.settle(item, /*whole_procedures=*/true));
    // An entry that is a stub was followed already.
    if (item.id != hit.payload.doc_id)
      item.pointed_to = !entries_of(hit.payload.text, asked).empty();
    if (known) add_section(result.sections, std::move(item));
  }
  if (request.filter.ids.empty()) {
    const auto pointed = TRY(pointed_by(request.text, asked, result.sections, context.store));
    if (pointed)
      for (const std::string& id : pointed->ids)
        TRY(add_pointed(id, pointed->pointers, result.sections, context.store, moment));
  }
  outcome.empty = result.sections.empty();
  if (outcome.empty) result.note = "No sections found matching the query.";
  context.events.status(outcome.empty
                            ? std::string("No documents found")
                            : fmt::format("Found {} relevant sections...", result.sections.size()));
  outcome.explain = explain_search(response);
  outcome.text = present(result);
  outcome.result = std::move(result);
  return outcome;
}

}  // namespace precedent
