// The work behind an answer, folded: what was understood, planned and called.
import type { Opened } from "./AnswerText";
import type { PlannedCall } from "./api";
import type { ToolCall, Turn } from "./turn";

const kinds: Record<string, string> = {
  debug_incident: "something is wrong",
  explain: "how something works",
};

const inWords = (snake: string) => kinds[snake] ?? snake.replaceAll("_", " ");

function arguments_(args: Record<string, unknown>): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" · ");
}

type Step = Omit<ToolCall, "id"> & { id: string; purpose: string };

const same = (call: { tool: string; args: unknown }, planned: PlannedCall) =>
  call.tool === planned.tool && JSON.stringify(call.args) === JSON.stringify(planned.args);

/** What was called, in the order of the plan, and what is planned still. */
export function stepsOf(turn: Turn): Step[] {
  const receipts = turn.answer?.receipts ?? [];
  const called: ToolCall[] = turn.calls.length > 0 ? turn.calls : receipts.map(({ text: _, ...one }) => one);
  const left = [...called].sort((one, other) => one.id.localeCompare(other.id, "en", { numeric: true }));
  const steps = left.map((call) => ({ ...call, purpose: turn.plan.find((planned) => same(call, planned))?.purpose ?? "" }));
  if (!turn.running) return steps;
  const waiting = turn.plan.filter((planned) => !called.some((call) => same(call, planned)));
  return [...steps, ...waiting.map((planned) => ({ ...planned, id: "", status: "planned" }))];
}

const ticks: Record<string, string> = { ok: "✓", running: "…", planned: "○" };
const inWordsOf: Record<string, string> = { ok: "done", running: "running", planned: "planned" };

export function Work({ turn, open }: { turn: Turn; open: (opened: Opened) => void }) {
  const { answer } = turn;
  const steps = stepsOf(turn);
  const done = steps.filter((step) => step.status !== "running" && step.status !== "planned").length;
  const failed = turn.running ? 0 : steps.filter((step) => step.status !== "ok").length;
  if (steps.length === 0)
    return turn.running ? (
      <p className="status" role="status">
        {turn.status || "Asking…"}
      </p>
    ) : null;
  const receipts = answer?.receipts ?? [];
  return (
    <details className="work">
      <summary>
        {turn.running ? (
          <span role="status">{turn.status || "Working…"}</span>
        ) : (
          <span>
            {steps.length} {steps.length === 1 ? "lookup" : "lookups"}
            {failed > 0 && `, ${failed} without a result`}
          </span>
        )}
        {turn.running && (
          <progress max={steps.length} value={done} aria-label="Steps done">
            {done} of {steps.length}
          </progress>
        )}
      </summary>
      {answer?.intent && (
        <p className="intent">
          Understood as: {inWords(answer.intent.question_type)}
          {answer.intent.subjects.length > 0 && `, about ${answer.intent.subjects.join(", ")}`}
        </p>
      )}
      <ol className="calls">
        {steps.map((step, i) => {
          const receipt = receipts.find((one) => one.id === step.id);
          return (
            <li key={step.id || `planned-${i}`} data-status={step.status}>
              <div>
                <span className="tick" aria-hidden="true">
                  {ticks[step.status] ?? "–"}
                </span>
                <span className="unseen">{inWordsOf[step.status] ?? "without a result"}: </span>
                {receipt ? (
                  <button type="button" className="link" onClick={() => open({ receipt, proofs: [], turn: turn.key })}>
                    {step.id} {step.tool}
                  </button>
                ) : (
                  <span className="tool">
                    {step.id} {step.tool}
                  </span>
                )}
                {step.tookMs !== undefined && <span className="took">{step.tookMs} ms</span>}
              </div>
              {step.purpose && <p className="purpose">{step.purpose}</p>}
              <p className="arguments">{arguments_(step.args)}</p>
              {step.note && <p className="result">{step.note.replace(`${step.id} ${step.tool}: `, "")}</p>}
            </li>
          );
        })}
      </ol>
    </details>
  );
}
