import { describe, expect, it } from "vitest";
import { branchesOf, rootsOf, type Hypothesis, type Report } from "./investigations";

const one = (id: string, confidence: number, parent?: string) => ({ id, confidence, parent }) as Hypothesis;
const report = (...hypotheses: Hypothesis[]) =>
  ({ wider: [one("W1", 0.7), one("W2", 0.5, "W1"), one("W3", 0.1, "W1"), one("W4", 0.01)], hypotheses }) as Report;
const ids = (all: Hypothesis[]) => all.map(({ id }) => id);

describe("the tree of hypotheses", () => {
  it("begins where nothing is wider, and leaves out what is excluded", () => {
    const tree = report(one("H1", 0.4, "W2"), one("H2", 0.2, "W1"), one("H3", 0.05, "W2"), one("H4", 0.3));
    expect(ids(rootsOf(tree))).toEqual(["W1"]);
    expect(ids(branchesOf(tree, "W1"))).toEqual(["W2", "W3", "H2"]);
    expect(ids(branchesOf(tree, "W2"))).toEqual(["H1"]);
  });
  it("is not worth showing with one branch", () => {
    expect(rootsOf(report(one("H1", 0.4, "W2"), one("H2", 0.05, "W1"), one("H4", 0.3)))).toEqual([]);
  });
});
