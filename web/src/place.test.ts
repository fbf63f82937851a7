import { expect, test } from "vitest";
import { addressOf, placeOf, type Place } from "./place";

const places: Place[] = [
  { view: "chat", id: "w-1.2" },
  { view: "history", id: "t-1" },
  { view: "documents", filters: { kind: "runbook", search: "a & b" } },
  { view: "document", id: "kb-2f15", lines: { begin: 17, end: 21 } },
  { view: "document", id: "docs/päth #1.md" },
  { view: "upload" },
  { view: "versions" },
  { view: "review", of: "golden" },
];

test("a place is where its address leads", () => {
  for (const place of places) expect(placeOf(addressOf(place))).toEqual(place);
});

test("no address is a new chat, and a broken one does no harm", () => {
  expect(placeOf("")).toEqual({ view: "chat", id: "" });
  expect(placeOf("#%E0%A4%A")).toEqual({ view: "chat", id: "%E0%A4%A" });
  expect(placeOf("#/document?id=x&lines=soon")).toEqual({ view: "document", id: "x" });
});
