#include "cli/index/ir_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "base/strings.h"
#include "files/files.h"

namespace precedent {
namespace {

constexpr size_t kMaxFileBytes = size_t{1} << 30;

double ndcg(const std::vector<std::string>& ranked, const std::map<std::string, int>& grades,
            size_t depth) {
  double gained = 0;
  for (size_t i = 0; i < std::min(depth, ranked.size()); ++i) {
    const auto found = grades.find(ranked[i]);
    if (found != grades.end() && found->second > 0)
      gained += found->second / std::log2(static_cast<double>(i) + 2);
  }
  std::vector<int> ideal;
  for (const auto& [id, grade] : grades) {
    if (grade > 0) ideal.push_back(grade);
  }
  std::ranges::sort(ideal, std::greater<>());
  double best = 0;
  for (size_t i = 0; i < std::min(depth, ideal.size()); ++i)
    best += ideal[i] / std::log2(static_cast<double>(i) + 2);
  return best > 0 ? gained / best : 0;
}

}  // namespace

IrMeasures measure(const Qrels& qrels, const Run& run) {
  IrMeasures sum;
  for (const auto& [query, grades] : qrels) {
    const size_t relevant = static_cast<size_t>(
        std::ranges::count_if(grades, [](const auto& g) { return g.second > 0; }));
    if (relevant == 0) continue;
    ++sum.queries;
    const auto found = run.find(query);
    if (found == run.end()) continue;
    const std::vector<std::string>& ranked = found->second;
    sum.ndcg10 += ndcg(ranked, grades, 10);
    size_t in10 = 0, in100 = 0;
    for (size_t i = 0; i < std::min<size_t>(100, ranked.size()); ++i) {
      const auto grade = grades.find(ranked[i]);
      if (grade == grades.end() || grade->second <= 0) continue;
      if (i < 10) {
        if (in10 == 0) sum.mrr10 += 1.0 / static_cast<double>(i + 1);
        ++in10;
      }
      ++in100;
    }
    sum.recall10 += static_cast<double>(in10) / static_cast<double>(relevant);
    sum.recall100 += static_cast<double>(in100) / static_cast<double>(relevant);
  }
  if (sum.queries > 0) {
    const double n = static_cast<double>(sum.queries);
    sum.ndcg10 /= n;
    sum.mrr10 /= n;
    sum.recall10 /= n;
    sum.recall100 /= n;
  }
  return sum;
}

Result<Qrels> read_qrels(const std::string& path) {
  const std::string text = TRY(read_file(path, kMaxFileBytes));
  Qrels qrels;
  size_t number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (trim(line).empty()) continue;
    std::istringstream fields{std::string(line)};
    std::string query, zero, document, grade;
    int value = 0;
    fields >> query >> zero >> document >> grade;
    const auto [end, error] = std::from_chars(grade.data(), grade.data() + grade.size(), value);
    if (grade.empty() || error != std::errc() || end != grade.data() + grade.size()) {
      if (number == 1) continue;  // a header
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}:{}: expected 'qid 0 docid grade'", path, number));
    }
    qrels[query][document] = value;
  }
  return qrels;
}

Result<Queries> read_queries(const std::string& path) {
  const std::string text = TRY(read_file(path, kMaxFileBytes));
  Queries queries;
  size_t number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (trim(line).empty()) continue;
    const size_t tab = line.find('\t');
    if (tab == std::string_view::npos)
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}:{}: expected 'qid<TAB>text'", path, number));
    queries.emplace_back(std::string(line.substr(0, tab)), std::string(line.substr(tab + 1)));
  }
  return queries;
}

}  // namespace precedent
