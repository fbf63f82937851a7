#include "server/knowledge/upload_shape.h"

#include <nlohmann/json.hpp>

namespace precedent {
namespace {

using nlohmann::json;

json text_or_null(const std::string& text) { return text.empty() ? json() : json(text); }

json to_json(const UploadFileReport& file) {
  json columns = json::array(), problems = json::array();
  for (const UploadColumn& column : file.columns)
    columns.push_back({{"column", column.column},
                       {"field", text_or_null(column.field)},
                       {"how", column.how},
                       {"example", column.example}});
  for (const UploadProblem& problem : file.problems)
    problems.push_back({{"where", problem.where},
                        {"field", text_or_null(problem.field)},
                        {"message", problem.message},
                        {"severity", problem.costs_record ? "error" : "warning"}});
  return {{"name", file.name},
          {"format", file.format},
          {"kind", text_or_null(file.kind)},
          {"how_kind", file.how_kind},
          {"records", file.records},
          {"documents", file.documents},
          {"columns", std::move(columns)},
          {"problems", std::move(problems)},
          {"problem_count", file.problem_count}};
}

}  // namespace

json to_json(const UploadReport& report) {
  json files = json::array(), missing = json::array();
  for (const UploadFileReport& file : report.files) files.push_back(to_json(file));
  for (const MissingField& field : report.required_missing)
    missing.push_back({{"field", field.field}, {"columns", field.columns}});
  return {
      {"ready", report.ready},
      {"files", std::move(files)},
      {"required_missing", std::move(missing)},
      {"fields", report.fields},
      {"warnings", report.warnings},
      {"documents",
       {{"added", report.added}, {"changed", report.changed}, {"unchanged", report.unchanged}}}};
}

}  // namespace precedent
