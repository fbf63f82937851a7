#include "knowledge/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "knowledge/case_fold.h"

namespace precedent {
namespace {

// Ids stand in citations, commands and paths of an API.
constexpr size_t kMaxIdBytes = 64;
// Of a list of sources or tags; real ones have a handful.
constexpr size_t kMaxListItems = 100;

bool is_blank(std::string_view text) { return trim(strip_controls(text)).empty(); }

std::optional<std::string> text_problem(std::string_view text, size_t max_bytes) {
  if (const auto at = invalid_utf8_at(text))
    return fmt::format("is not valid UTF-8 (byte {}); convert it: iconv -t UTF-8", *at + 1);
  if (text.size() > max_bytes)
    return fmt::format("has {} bytes, at most {} are kept; shorten it", text.size(), max_bytes);
  return std::nullopt;
}

bool is_id(std::string_view id) {
  return !id.empty() && id.size() <= kMaxIdBytes && std::ranges::all_of(id, [](char c) {
    return is_alnum(c) || c == '-' || c == '_' || c == '.';
  });
}

// What a review was given for: the question, in whatever dress, and the answer.
bool same_content(const GoldenExample& a, const GoldenExample& b) {
  return golden_id(a.question) == golden_id(b.question) && a.answer == b.answer;
}

Result<void> check_reviewer(std::string_view id, const Review& review) {
  if (!is_blank(review.by)) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: a review needs the name of the reviewer; give it with --by", id));
}

std::string closed_already(const Feedback& f) {
  return fmt::format("{} was {} by {} on {} already", feedback_name(f.id), name(f.state),
                     f.closed ? f.closed->by : "somebody",
                     format_date(f.closed ? f.closed->at : f.created_at));
}

Result<void> check_pending(const Feedback& f) {
  if (f.state == FeedbackState::kPending) return {};
  const std::string remedy =
      f.golden.empty()
          ? "give new feedback"
          : fmt::format("review its example {} with another answer, or deactivate it", f.golden);
  return fail(ErrorCode::kConflict, closed_already(f) + "; " + remedy);
}

}  // namespace

std::string_view name(GoldenSource source) {
  switch (source) {
    case GoldenSource::kPositive: return "positive";
    case GoldenSource::kNegative: return "negative";
    case GoldenSource::kManual: return "manual";
  }
  return "manual";
}

std::optional<GoldenSource> parse_golden_source(std::string_view text) {
  for (const GoldenSource source :
       {GoldenSource::kPositive, GoldenSource::kNegative, GoldenSource::kManual}) {
    if (iequals(trim(text), name(source))) return source;
  }
  return std::nullopt;
}

std::string_view name(Thumb thumb) { return thumb == Thumb::kUp ? "up" : "down"; }

std::string_view name(FeedbackState state) {
  switch (state) {
    case FeedbackState::kPending: return "pending";
    case FeedbackState::kReviewed: return "reviewed";
    case FeedbackState::kDismissed: return "dismissed";
  }
  return "pending";
}

std::string golden_id(std::string_view question) {
  std::string folded = case_fold(squeeze(fold_hyphens(question)));
  folded.erase(folded.find_last_not_of(" ?!.:;,") + 1);
  return normalize_id("G-" + content_hash(folded).substr(0, 10));
}

bool is_served(const GoldenExample& e) {
  return e.review.has_value() && e.active && !is_blank(e.answer) && e.outdated.empty();
}

Document to_document(const GoldenExample& e) {
  Document d;
  d.id = e.id;
  d.kind = Kind::kGolden;
  d.title = e.question;
  d.body = e.question;
  d.body_line = 0;
  d.source = kGoldenSource;
  d.tags = e.tags;
  return d;
}

std::optional<GoldenProblem> problem_of(const GoldenExample& e) {
  if (!is_id(e.id)) {
    return GoldenProblem{"id",
                         fmt::format("'{}' is no id; use 1 to {} letters, digits, '-', '_' and '.'",
                                     utf8_prefix(repair_utf8(e.id), kMaxIdBytes), kMaxIdBytes)};
  }
  if (is_blank(e.question)) return GoldenProblem{"question", "is empty; say what was asked"};
  if (auto p = text_problem(e.question, kMaxGoldenQuestionBytes))
    return GoldenProblem{"question", *p};
  const bool negative = e.source == GoldenSource::kNegative;
  if (is_blank(e.answer) && !(negative && !is_blank(e.rejected_answer)))
    return GoldenProblem{"answer", "is empty; say what the verified answer is"};
  if (is_blank(e.answer) && e.review) {
    return GoldenProblem{"reviewed",
                         "is true, but the answer of a negative example is the rejected one; give "
                         "the correction as 'corrected_answer'"};
  }
  if (auto p = text_problem(e.answer, kMaxGoldenAnswerBytes)) return GoldenProblem{"answer", *p};
  if (auto p = text_problem(e.rejected_answer, kMaxGoldenAnswerBytes))
    return GoldenProblem{"answer", *p};
  for (const auto& [field, list] : {std::pair("sources", &e.sources), std::pair("tags", &e.tags)}) {
    if (list->size() > kMaxListItems) {
      return GoldenProblem{field, fmt::format("has {} items, at most {} are kept; leave some out",
                                              list->size(), kMaxListItems)};
    }
    for (const std::string& item : *list) {
      if (auto p = text_problem(item, kMaxGoldenQuestionBytes)) return GoldenProblem{field, *p};
    }
  }
  return std::nullopt;
}

GoldenExample example_of(const std::optional<GoldenExample>& stored, GoldenDraft draft,
                         TimePoint now) {
  GoldenExample e;
  e.question = squeeze(strip_controls(draft.question));
  e.id = draft.id.empty() ? golden_id(e.question) : normalize_id(draft.id);
  e.answer = trim(draft.answer);
  e.rejected_answer = trim(draft.rejected_answer);
  e.source = draft.source;
  e.sources = std::move(draft.sources);
  e.tags = std::move(draft.tags);
  e.active = draft.active.value_or(stored ? stored->active : true);
  e.created_at = stored ? stored->created_at : now;
  e.updated_at = stored ? stored->updated_at : now;
  if (stored) e.feedback = stored->feedback;
  if (stored && draft.reviewed.value_or(true) && same_content(*stored, e))
    e.review = stored->review;
  if (!e.review && draft.reviewed.value_or(false)) e.review = draft.review;
  if (stored) e.dataset_version = stored->dataset_version;
  if (stored && e.review == stored->review) e.outdated = stored->outdated;
  if (stored && !(e == *stored)) e.updated_at = now;
  return e;
}

Result<GoldenExample> reviewed(GoldenExample e, std::string answer, Review review) {
  TRY(check_reviewer(e.id, review));
  const std::string given(trim(answer));
  if (given.empty() && is_blank(e.answer)) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{} has only the answer that was rejected; give the corrected answer", e.id));
  }
  if (e.review && e.outdated.empty() && (given.empty() || given == e.answer)) {
    return fail(ErrorCode::kConflict,
                fmt::format("{} was reviewed by {} on {} already; give another answer to change "
                            "it, or deactivate it",
                            e.id, e.review->by, format_date(e.review->at)));
  }
  if (!given.empty()) e.answer = given;
  e.updated_at = review.at;
  e.review = std::move(review);
  e.outdated.clear();
  if (const auto problem = problem_of(e)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the {} {}", e.id, problem->field, problem->message));
  }
  return e;
}

Result<GoldenExample> activated(GoldenExample e, TimePoint now) {
  if (e.active) {
    return fail(ErrorCode::kConflict,
                e.review ? fmt::format("{} is active already; there is nothing to do", e.id)
                         : fmt::format("{} is active already, but not reviewed; review it to "
                                       "have it served",
                                       e.id));
  }
  e.active = true;
  e.updated_at = now;
  return e;
}

Result<GoldenExample> deactivated(GoldenExample e, TimePoint now) {
  if (!e.active) {
    return fail(
        ErrorCode::kConflict,
        fmt::format("{} is not active, it is not served; activate it to have it back", e.id));
  }
  e.active = false;
  e.updated_at = now;
  return e;
}

std::string feedback_name(int64_t id) { return fmt::format("F-{}", id); }

std::optional<int64_t> parse_feedback_id(std::string_view text) {
  text = trim(text);
  if (text.starts_with("F-") || text.starts_with("f-")) text.remove_prefix(2);
  int64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size() || id < 1) return std::nullopt;
  return id;
}

std::optional<GoldenProblem> problem_of(const Feedback& f) {
  if (is_blank(f.question)) return GoldenProblem{"question", "is empty; say what was asked"};
  if (is_blank(f.answer))
    return GoldenProblem{"answer", "is empty; give the answer that is judged"};
  if (auto p = text_problem(f.question, kMaxGoldenQuestionBytes))
    return GoldenProblem{"question", *p};
  if (auto p = text_problem(f.answer, kMaxGoldenAnswerBytes)) return GoldenProblem{"answer", *p};
  if (auto p = text_problem(f.reason, kMaxGoldenQuestionBytes)) return GoldenProblem{"reason", *p};
  return std::nullopt;
}

Result<ReviewedFeedback> reviewed(Feedback f, std::string answer, Review review,
                                  const std::optional<GoldenExample>& stored) {
  TRY(check_pending(f));
  TRY(check_reviewer(feedback_name(f.id), review));
  const bool down = f.thumb == Thumb::kDown;
  if (is_blank(answer) && down) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is a thumb down: give the corrected answer with --answer or "
                            "--file, or dismiss it: precedent feedback dismiss {}",
                            feedback_name(f.id), feedback_name(f.id)));
  }
  GoldenDraft draft;
  draft.question = f.question;
  draft.answer = is_blank(answer) ? f.answer : std::move(answer);
  if (down) draft.rejected_answer = f.answer;
  draft.source = down ? GoldenSource::kNegative : GoldenSource::kPositive;
  if (stored) {
    draft.id = stored->id;
    draft.sources = stored->sources;
    draft.tags = stored->tags;
  }
  draft.reviewed = true;
  draft.review = review;
  draft.active = true;
  GoldenExample example = example_of(stored, std::move(draft), review.at);
  example.feedback = f.id;
  example.updated_at = review.at;
  if (const auto problem = problem_of(example)) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: the {} {}", feedback_name(f.id),
                                                         problem->field, problem->message));
  }
  f.state = FeedbackState::kReviewed;
  f.golden = example.id;
  f.closed = std::move(review);
  return ReviewedFeedback{std::move(f), std::move(example)};
}

Result<Feedback> dismissed(Feedback f, std::string note, Review closed) {
  TRY(check_pending(f));
  f.state = FeedbackState::kDismissed;
  f.note = std::move(note);
  f.closed = std::move(closed);
  return f;
}

}  // namespace precedent
