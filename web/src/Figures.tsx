// The metrics that an answer rests on, as charts; one at a time.
import { lazy, Suspense, useState } from "react";
import type { Opened } from "./AnswerText";
import { hasCourse } from "./course";
import type { Turn } from "./turn";

const Chart = lazy(() => import("./Chart"));
const kMost = 6;

export function Figures({ turn, open }: { turn: Turn; open: (opened: Opened) => void }) {
  const receipts = turn.answer?.receipts ?? [];
  const cited = new Set(turn.answer?.sources.map((source) => source.receipt));
  const drawn = receipts.filter((receipt) => hasCourse(receipt) && cited.has(receipt.id)).slice(0, kMost);
  const [chosen, setChosen] = useState(0);
  const receipt = drawn[chosen];
  if (!receipt) return null;
  return (
    <section className="figures" aria-label="Metrics">
      <div className="row" role="group" aria-label="Which metric">
        {drawn.length > 1 &&
          drawn.map((one, i) => (
            <button key={one.id} type="button" className="chip" aria-pressed={i === chosen} onClick={() => setChosen(i)}>
              {String(one.result?.metric).replaceAll("_", " ")}
            </button>
          ))}
        <button type="button" className="quiet" onClick={() => open({ receipt, proofs: [], turn: turn.key })}>
          Receipt {receipt.id}
        </button>
      </div>
      <Suspense fallback={<div className="chart waiting" />}>
        <Chart key={receipt.id} receipt={receipt} others={receipts} />
      </Suspense>
    </section>
  );
}
