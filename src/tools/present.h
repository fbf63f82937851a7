// What a model and a person read of a result: the same plain text from every tool.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "search/searcher.h"
#include "tools/receipt.h"

namespace precedent {

std::string present(const IncidentsResult& result);
std::string present(const KnowledgeResult& result);
std::string present(const SectionsResult& result);
std::string present(const GoldenResult& result);
std::string present(const MetricsResult& result);

// "0.1833 s", "4.762 %" of a ratio, "211.9 MB", "10.5 requests/s". Units:
// telemetry/report/metrics_result.h.
std::string format_metric_value(double value, std::string_view unit);
// A value of this result: "at least 6.4 s", where that is as much as its histogram can tell.
std::string format_value(const MetricsResult& result, double value);
// How much was counted in its window: "about 312 of 26010", "none", "about 4.2 GB". REQUIRES:
// result.total.
std::string format_total(const MetricsResult& result);
// "rose at 2026-11-18T06:45:00Z from 0.2004 s to 2.663 s".
std::string format_change(const ChangePoint& change, std::string_view unit);
// "first above all of the time before (0.2133 s) at 2026-11-17T15:52:00Z, with 1.9 s".
std::string format_excursion(const Excursion& first, std::string_view unit);
// "above what is usual (0.1831 %) from 2026-11-19T20:02:00Z to 2026-11-19T20:48:00Z, at most 35.3 %
// at 2026-11-19T20:20:00Z".
std::string format_episode(const Episode& episode, std::string_view unit);
// "6.69× the same time a day earlier (0.3247 s)".
std::string format_now(const NowAgainst& then, std::string_view unit);
std::string present(const CodeResult& result);
std::string present(const FiguresResult& result);

// "Verified example G-1A2B3C4D5E, reviewed by Ana Ruiz on 2026-11-20". REQUIRES: it is reviewed.
std::string verified_by(const GoldenExample& example);

// The decisions of a search and the score parts of its hits, one a line.
std::vector<std::string> explain_search(const SearchResponse& response);

}  // namespace precedent
