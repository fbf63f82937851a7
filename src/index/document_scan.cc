#include "index/document_scan.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "index/record_coder.h"

namespace precedent {
namespace {

// Calls visit(group, document) for each live document-level point that matches.
template <typename Visit>
void for_each_document(const LiveSegment& live, const FilterScan& filter, Visit visit) {
  const PointSet allowed = filter.points(live, Level::kDocument);
  for (size_t group = 0; group < live.segment->groups(); ++group) {
    const Range range = live.segment->group_points(group, Level::kDocument);
    for (size_t document = range.begin; document < range.end; ++document) {
      if (allowed.contains(document)) visit(group, document);
    }
  }
}

// What orders a list, without decoding payloads.
struct Entry {
  int64_t opened = kUndated;  // the smallest value there is, so that the undated sort last
  GroupTitle title;
  uint64_t id = 0;
  const Segment* segment = nullptr;
  size_t position = 0;
};

// The counts of one facet, by folded value. The views point into the segments.
using Counts = std::unordered_map<std::string_view, FacetCount>;

void count_value(Counts& counts, std::string_view folded, std::string_view spelling) {
  FacetCount& count = counts[folded];
  if (count.documents++ == 0 || spelling < count.value) count.value = spelling;
}

void count_texts(const LiveSegment& live, const FilterScan& filter, TextField field,
                 Counts& counts) {
  const TextColumn& column = live.segment->column(field);
  std::vector<std::pair<std::string_view, std::string_view>> values;  // folded, spelling
  for_each_document(live, filter, [&](size_t group, size_t) {
    values.clear();
    for (const uint32_t code : column.of_group(group))
      values.emplace_back(column.folded(code), column.spelling(code));
    std::sort(values.begin(), values.end());
    for (size_t i = 0; i < values.size(); ++i) {
      if (i == 0 || values[i].first != values[i - 1].first)
        count_value(counts, values[i].first, values[i].second);
    }
  });
}

void count_kinds(const LiveSegment& live, const FilterScan& filter, Counts& counts) {
  for_each_document(live, filter, [&](size_t group, size_t) {
    const auto kind = static_cast<Kind>(live.segment->kinds()[group]);
    count_value(counts, name(kind), name(kind));
  });
}

}  // namespace

Result<std::vector<Payload>> list_documents(const Snapshot& snapshot, const FilterScan& filter,
                                            KnowledgeIndex::Order order, size_t limit) {
  std::vector<Entry> entries;
  for (const LiveSegment& live : snapshot.segments) {
    const Segment& segment = *live.segment;
    for_each_document(live, filter, [&](size_t group, size_t document) {
      const size_t position = segment.chunks() + document;
      const GroupTitle title = read_group_title(segment.group_record(group)).value_or(GroupTitle{});
      entries.push_back(
          {segment.opened()[group], title, segment.ids()[position], &segment, position});
    });
  }
  const auto before = [&](const Entry& a, const Entry& b) {
    if (order == KnowledgeIndex::Order::kNewest && a.opened != b.opened) return a.opened > b.opened;
    return std::tie(a.title.title, a.title.doc_id, a.id) <
           std::tie(b.title.title, b.title.doc_id, b.id);
  };
  const size_t n = std::min(limit, entries.size());
  std::partial_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(n),
                    entries.end(), before);
  std::vector<Payload> payloads;
  for (size_t i = 0; i < n; ++i)
    payloads.push_back(TRY(entries[i].segment->payload(entries[i].position)));
  return payloads;
}

size_t count_documents(const Snapshot& snapshot, const FilterScan& filter) {
  size_t n = 0;
  for (const LiveSegment& live : snapshot.segments) {
    const PointSet allowed = filter.points(live, Level::kDocument);
    n += allowed.all() ? live.segment->documents() : allowed.bits->count();
  }
  return n;
}

std::vector<FacetCount> count_facet(const Snapshot& snapshot, const FilterScan& filter,
                                    Facet facet) {
  Counts counts;
  for (const LiveSegment& live : snapshot.segments) {
    switch (facet) {
      case Facet::kKind: count_kinds(live, filter, counts); break;
      case Facet::kService: count_texts(live, filter, TextField::kService, counts); break;
      case Facet::kTag: count_texts(live, filter, TextField::kTag, counts); break;
      case Facet::kApplication: count_texts(live, filter, TextField::kApplication, counts); break;
      case Facet::kSeverity: count_texts(live, filter, TextField::kSeverity, counts); break;
      case Facet::kStatus: count_texts(live, filter, TextField::kStatus, counts); break;
    }
  }
  std::vector<FacetCount> result;
  for (auto& [folded, count] : counts) result.push_back(std::move(count));
  std::sort(result.begin(), result.end(), [](const FacetCount& a, const FacetCount& b) {
    return a.documents != b.documents ? a.documents > b.documents : a.value < b.value;
  });
  return result;
}

}  // namespace precedent
