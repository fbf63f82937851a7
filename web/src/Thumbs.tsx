// Thumbs on an answer, with a reason.
import { useState } from "react";
import { judge } from "./api";
import { Icon } from "./Icon";
import { said } from "./net";
import type { Turn } from "./turn";

type Verdict = "up" | "down";
const reasons: Record<Verdict, string[]> = {
  up: ["Solved it", "Right cause", "Good steps"],
  down: ["It is wrong", "Something is missing", "It is out of date", "Not what I asked"],
};

export function Thumbs({ chat, turn, isLast }: { chat: string; turn: Turn; isLast: boolean }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [chosen, setChosen] = useState<string[]>([]);
  const [state, setState] = useState<"" | "sending" | "sent">("");
  const [problem, setProblem] = useState("");

  const choose = (next: Verdict) => {
    setVerdict(verdict === next ? null : next);
    setChosen([]);
    setProblem("");
  };
  const send = async (words: string) => {
    const reason = [...chosen, words.trim()].filter(Boolean).join("; ");
    setState("sending");
    try {
      await judge({
        chat_id: chat,
        verdict: verdict!,
        reason,
        ...(!isLast && { question: turn.question, answer: turn.text }),
      });
      setState("sent");
      setProblem("");
    } catch (error) {
      setState("");
      setProblem(said(error));
    }
  };

  const thumb = (which: Verdict, label: string) => (
    <button
      type="button"
      className="quiet"
      aria-label={label}
      title={label}
      aria-pressed={verdict === which}
      disabled={state !== ""}
      onClick={() => choose(which)}
    >
      <Icon name={which} />
    </button>
  );
  return (
    <>
      {thumb("up", "This answer helped")}
      {thumb("down", "This answer did not help")}
      {state === "sent" && (
        <span className="faint" role="status">
          Thank you. An editor will see it.
        </span>
      )}
      {verdict && state !== "sent" && (
        <form
          className="reason"
          onSubmit={(event) => {
            event.preventDefault();
            void send(String(new FormData(event.currentTarget).get("words")));
          }}
          onKeyDown={(event) => event.key === "Escape" && choose(verdict)}
        >
          <fieldset>
            <legend>{verdict === "up" ? "What was good?" : "What was wrong?"}</legend>
            {reasons[verdict].map((reason) => (
              <label key={reason} className="chip">
                <input
                  type="checkbox"
                  checked={chosen.includes(reason)}
                  onChange={(event) =>
                    setChosen((all) => (event.target.checked ? [...all, reason] : all.filter((one) => one !== reason)))
                  }
                />
                {reason}
              </label>
            ))}
          </fieldset>
          <textarea
            name="words"
            rows={2}
            aria-label="In your own words"
            placeholder="In your own words (optional)"
            autoFocus
          />
          {problem && (
            <p className="failure" role="alert">
              {problem}
            </p>
          )}
          <div className="row">
            <button type="submit" className="primary small" disabled={state === "sending"}>
              Send
            </button>
            <button type="button" className="quiet" onClick={() => choose(verdict)}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </>
  );
}
