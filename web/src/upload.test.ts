import { expect, test } from "vitest";
import type { Column } from "./knowledge";
import { fieldOf, mapOf, problemsBeside, withChoice } from "./UploadReport";

const column = (name: string, field: string | null): Column => ({ column: name, field, how: "by its name", example: "" });

test("a column is what the server took it for until somebody chooses", () => {
  expect(fieldOf(column("Number", "incident_id"), {})).toBe("incident_id");
  expect(fieldOf(column("Number", "incident_id"), { Number: "" })).toBe("");
  expect(fieldOf(column("Other", null), { Other: "title" })).toBe("title");
});

test("a field that is given to one column is taken from the others", () => {
  const choices = withChoice(withChoice({}, "Short", "title"), "Long", "title");
  expect(mapOf(choices)).toEqual({ title: "Long" });
  expect(fieldOf(column("Name", "title"), choices)).toBe("");
});

test("a field that no column gives is asked for once, and no problem of each record", () => {
  const problem = (field: string | null) => ({ where: "a.csv:2", field, message: "is missing", severity: "error" });
  const file = {
    name: "a.csv",
    format: "csv",
    records: 2,
    documents: 0,
    kind: null,
    how_kind: "",
    columns: [],
    problems: [problem("incident_id"), problem(null), problem("opened_at")],
  };
  const required_missing = [{ field: "incident_id", columns: [] }];
  expect(problemsBeside(file, { required_missing }).map((one) => one.field)).toEqual([null, "opened_at"]);
  expect(problemsBeside(file, { required_missing: [] })).toHaveLength(3);
});

test("what is kept under its own name is not in the map, and does not hinder others from being so", () => {
  const choices = withChoice(withChoice({}, "A", ""), "B", "");
  expect(choices).toEqual({ A: "", B: "" });
  expect(mapOf(choices)).toEqual({});
});
