// The course of a metric that a receipt of metrics_query tells.
import type { Receipt } from "./api";

interface Moment {
  at: number; // seconds since 1970
  label: string;
}
export interface Course {
  name: string;
  unit: string;
  times: number[];
  values: (number | null)[];
  changes: Moment[];
  deploys: Moment[];
  alerts: { from: number; to: number; label: string }[];
}

type Json = Record<string, unknown>;
const seconds = (value: unknown) => Date.parse(String(value)) / 1000;
const list = (value: unknown) => (Array.isArray(value) ? (value as Json[]) : []);

export const hasCourse = (receipt: Receipt) => Array.isArray(receipt.result?.course) && receipt.result.course.length > 1;

/** With the deploys that other receipts of the turn tell of in its window. */
export function courseOf(receipt: Receipt, others: Receipt[]): Course {
  const result = receipt.result ?? {};
  const values = result.course as (number | null)[];
  const window = result.window as Json;
  const from = seconds(window.from);
  const to = seconds(window.to);
  const step = (to - from) / values.length;
  // Severity "none": one that always fires, so that its silence is noticed. It says nothing of the metric.
  const telling = [...list(result.alerts), ...list(result.past_alerts)].filter(
    (alert) => (alert.labels as Json | undefined)?.severity !== "none",
  );
  const alerts = telling.map((alert) => ({
    from: Math.max(from, seconds(alert.since)),
    to: alert.until ? Math.min(to, seconds(alert.until)) : to,
    label: String(alert.name),
  }));
  const deploys = others
    .flatMap((other) => (other.tool === "recent_changes" ? list(other.result?.changes) : []))
    .filter((change) => change.kind === "deploy" && seconds(change.time) >= from && seconds(change.time) <= to)
    .map((change) => ({ at: seconds(change.time), label: String(change.title) }));
  return {
    name: String(result.metric),
    unit: String(result.unit ?? ""),
    times: values.map((_, i) => from + step * (i + 0.5)),
    values,
    deploys,
    changes: list(result.changes).map((change) => ({ at: seconds(change.at), label: "change" })),
    alerts: alerts.filter((alert) => alert.from < alert.to),
  };
}
