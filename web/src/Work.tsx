// The work behind an answer, folded: what was understood, planned and called.
import type { Opened } from "./AnswerText";
import type { Turn } from "./turn";

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

export function Work({ turn, open }: { turn: Turn; open: (opened: Opened) => void }) {
  const { calls, answer } = turn;
  const done = calls.filter((call) => call.status !== "running").length;
  const failed = calls.filter((call) => call.status !== "running" && call.status !== "ok").length;
  const planned = Math.max(turn.plan.length, calls.length);
  if (turn.running && calls.length === 0)
    return (
      <p className="status" role="status">
        {turn.status || "Asking…"}
      </p>
    );
  const receipts = answer?.receipts ?? [];
  if (calls.length === 0 && receipts.length === 0) return null;
  const inOrder = [...calls].sort((one, other) => one.id.localeCompare(other.id, "en", { numeric: true }));
  const shown = calls.length > 0 ? inOrder : receipts.map((one) => ({ ...one, tookMs: undefined }));
  const purpose = (tool: string, args: unknown) =>
    turn.plan.find((call) => call.tool === tool && JSON.stringify(call.args) === JSON.stringify(args))?.purpose;
  return (
    <details className="work">
      <summary>
        {turn.running ? (
          <span role="status">{turn.status || "Working…"}</span>
        ) : (
          <span>
            {shown.length} {shown.length === 1 ? "lookup" : "lookups"}
            {failed > 0 && `, ${failed} without a result`}
          </span>
        )}
        {turn.running && (
          <progress max={planned} value={done} aria-label="Steps done">
            {done} of {planned}
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
        {shown.map((call) => {
          const receipt = receipts.find((one) => one.id === call.id);
          return (
            <li key={call.id} data-status={call.status}>
              <div>
                <span className="tick" aria-hidden="true">
                  {call.status === "running" ? "…" : call.status === "ok" ? "✓" : "–"}
                </span>
                <button
                  type="button"
                  className="link"
                  disabled={!receipt}
                  onClick={() => receipt && open({ receipt, proofs: [], turn: turn.key })}
                >
                  {call.id} {call.tool}
                </button>
                {call.tookMs !== undefined && <span className="took">{call.tookMs} ms</span>}
              </div>
              {purpose(call.tool, call.args) && <p className="purpose">{purpose(call.tool, call.args)}</p>}
              <p className="arguments">{arguments_(call.args)}</p>
              {call.note && <p className="result">{call.note.replace(`${call.id} ${call.tool}: `, "")}</p>}
            </li>
          );
        })}
      </ol>
    </details>
  );
}
