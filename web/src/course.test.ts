import { expect, test } from "vitest";
import type { Receipt } from "./api";
import { courseOf } from "./course";

const alert = (name: string, severity: string) => ({ name, since: "2026-05-02T10:30:00Z", labels: { alertname: name, severity } });
const receipt = {
  tool: "metrics_query",
  result: {
    metric: "latency",
    course: [1, 2],
    window: { from: "2026-05-02T10:00:00Z", to: "2026-05-02T11:00:00Z" },
    alerts: [alert("Watchdog", "none"), alert("LatencyHigh", "page")],
    past_alerts: [{ ...alert("ErrorsHigh", "warn"), until: "2026-05-02T10:40:00Z" }],
  },
} as unknown as Receipt;

test("alerts of a course are those that tell of it, not one that always fires", () => {
  expect(courseOf(receipt, []).alerts.map(({ label, to }) => [label, to])).toEqual([
    ["LatencyHigh", Date.parse("2026-05-02T11:00:00Z") / 1000],
    ["ErrorsHigh", Date.parse("2026-05-02T10:40:00Z") / 1000],
  ]);
});
