// The history of a conversation as steps: to look at each, to replay them, and to go on anew from one.
import { useEffect, useRef, useState } from "react";
import Markdown from "react-markdown";
import readGfm from "./gfm";
import { kBlocks } from "./AnswerText";
import "./history.css";
import { Icon } from "./Icon";
import { said } from "./net";
import { addressOf } from "./place";
import { history, runFrom, stepsOf, type Step } from "./steps";

const kEach = 1100; // ms that a replay shows a step
const kPreview = 1200; // letters of what a tool returned

function Shown({ step }: { step: Step }) {
  return (
    <article className="state" aria-live="polite">
      <h2>{step.what}</h2>
      <p className="question-of">{step.question}</p>
      {step.state.values.intent && step.kind !== "asked" && step.state.values.intent.subjects.length > 0 && (
        <p className="faint">About {step.state.values.intent.subjects.join(", ")}</p>
      )}
      {step.kind === "planned" && (
        <ol className="plan">
          {step.plan.map((call, i) => (
            <li key={i}>
              <b>{call.tool}</b> {call.purpose}
            </li>
          ))}
        </ol>
      )}
      {step.kind === "looked" && (
        <div className="lookups">
          {step.lookups.map((text, i) => (
            <details key={i}>
              <summary>{text.split("\n", 1)[0]!.replace(/^#+ /, "").slice(0, 140) || `Lookup ${i + 1}`}</summary>
              <pre className="receipt" tabIndex={0} role="group" aria-label="What the tool returned">
                {text.slice(0, kPreview)}
                {text.length > kPreview && "\n…"}
              </pre>
            </details>
          ))}
        </div>
      )}
      {step.answer && (
        <div className="markdown">
          <Markdown remarkPlugins={[readGfm]} components={kBlocks}>
            {step.answer}
          </Markdown>
        </div>
      )}
    </article>
  );
}

export default function History({ id, open, mayAsk }: { id: string; open: (chat: string) => void; mayAsk: boolean }) {
  const [steps, setSteps] = useState<Step[] | null>(null);
  const [problem, setProblem] = useState("");
  const [at, setAt] = useState(0);
  const [plays, setPlays] = useState(false);
  const [busy, setBusy] = useState(false);
  const current = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    let left = false;
    history(id)
      .then((states) => {
        if (left) return;
        const all = stepsOf(states);
        setSteps(all);
        setAt(Math.max(0, all.length - 1));
      })
      .catch((error: unknown) => !left && setProblem(said(error)));
    return () => {
      left = true;
    };
  }, [id]);
  const last = (steps?.length ?? 0) - 1;
  useEffect(() => {
    if (!plays) return;
    if (at >= last) {
      setPlays(false);
      return;
    }
    const wait = setTimeout(() => setAt(at + 1), kEach);
    return () => clearTimeout(wait);
  }, [plays, at, last]);
  useEffect(() => {
    current.current?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const step = steps?.[at];
  const title = steps?.findLast((one) => one.state.values.title)?.state.values.title;
  return (
    <main className="history">
      <header className="head">
        <a className="quiet" href={addressOf({ view: "chat", id })}>
          <Icon name="back" /> Conversation
        </a>
        <h1>Steps of {title ? `“${title}”` : "this conversation"}</h1>
        {step && (
          <div className="row replay">
            <button type="button" className="secondary" disabled={at === 0} onClick={() => setAt(at - 1)}>
              Back
            </button>
            <button
              type="button"
              className="secondary"
              onClick={() => {
                if (!plays && at >= last) setAt(0);
                setPlays(!plays);
              }}
            >
              {plays ? "Pause" : "Replay"}
            </button>
            <button type="button" className="secondary" disabled={at >= last} onClick={() => setAt(at + 1)}>
              Next
            </button>
            <input
              type="range"
              aria-label="Step"
              min={0}
              max={last}
              value={at}
              aria-valuetext={`Step ${at + 1} of ${last + 1}: ${step.what}`}
              onChange={(event) => setAt(Number(event.target.value))}
            />
            {step.goesOn && mayAsk && (
              <button
                type="button"
                className="primary small"
                disabled={busy}
                title="Runs the rest of this turn again, in a copy of the conversation"
                onClick={() => {
                  setBusy(true);
                  runFrom(id, step.id)
                    .then(open)
                    .catch((error: unknown) => {
                      setProblem(said(error));
                      setBusy(false);
                    });
                }}
              >
                Ask again from here
              </button>
            )}
          </div>
        )}
      </header>
      {problem && (
        <p className="failure" role="alert">
          {problem}
        </p>
      )}
      {steps === null && !problem && <p className="status">Reading…</p>}
      {steps?.length === 0 && <p className="status">Nothing was asked in this conversation yet.</p>}
      {step && (
        <div className="columns">
          <ol className="steps" aria-label="Steps">
            {steps!.map((one, i) => (
              <li key={one.id} data-kind={one.kind}>
                <button
                  type="button"
                  aria-current={i === at ? "step" : undefined}
                  ref={i === at ? current : null}
                  onClick={() => {
                    setPlays(false);
                    setAt(i);
                  }}
                >
                  <span>{one.kind === "asked" ? one.question : one.what}</span>
                  <time dateTime={one.at}>{one.at.slice(11, 19)}</time>
                </button>
              </li>
            ))}
          </ol>
          <Shown step={step} />
        </div>
      )}
    </main>
  );
}
