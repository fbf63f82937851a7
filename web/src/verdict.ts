import type { Verdict } from "./api";

const names: Record<Verdict, string> = {
  supported: "Proved",
  hypothesis: "A hypothesis, not proved",
  unsupported: "Nothing found supports this",
  general_knowledge: "General knowledge",
};

export const verdictOf = (verdict: Verdict) => names[verdict];
