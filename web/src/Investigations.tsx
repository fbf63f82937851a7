// Investigations: those that were asked for or that an alarm began, and the report of one with the evidence behind each line.
import { useCallback, useEffect, useState } from "react";
import { Icon } from "./Icon";
import InvestigationReport from "./InvestigationReport";
import "./knowledge.css";
import {
  answer,
  begin,
  cancel,
  investigation,
  investigations,
  minute,
  watched,
  type Investigation,
} from "./investigations";
import { isAbort, said } from "./net";
import { addressOf } from "./place";

const kindOf = (state: string) =>
  state === "done" ? "served" : state === "failed" || state === "cancelled" ? "inactive" : "pending";
const isOpen = (state: string) => state === "waiting" || state === "running";
const stateNames: Record<string, string> = { asking: "needs your answer" };
const scoreNames: Record<string, string> = {
  confirmed: "What ended it confirms the verdict",
  contradicted: "What ended it contradicts the verdict",
  missed: "The verdict missed what ended it",
};
const kLook = 3000; // ms between two looks at what runs

function One({ id }: { id: string }) {
  const [shown, setShown] = useState<Investigation | null>(null);
  const [status, setStatus] = useState("");
  const [problem, setProblem] = useState("");
  const load = useCallback(async () => setShown(await investigation(id)), [id]);
  const runs = shown !== null && isOpen(shown.state);
  const title = shown?.report?.incident.title || shown?.about;
  useEffect(() => {
    if (title) document.title = `${title} · precedent`;
  }, [title]);
  useEffect(() => {
    load().catch((error: unknown) => setProblem(said(error)));
  }, [load]);
  useEffect(() => {
    if (!runs) return;
    const own = new AbortController();
    const watch = async () => {
      for await (const { name, data } of watched(id, own.signal)) if (name === "status") setStatus(String(data.text));
      await load();
    };
    watch().catch((error: unknown) => !isAbort(error) && setProblem(said(error)));
    return () => own.abort();
  }, [runs, id, load]);
  return (
    <main className="review">
      <a className="quiet" href={addressOf({ view: "investigations", id: "" })}>
        <Icon name="back" /> Investigations
      </a>
      {problem && (
        <p className="failure" role="alert">
          {problem}
        </p>
      )}
      {shown && (
        <>
          <h1>{title}</h1>
          <p className="faint">
            Started {minute(shown.created_at)} by {shown.by}
            {shown.resolved_at && ` · resolved ${minute(shown.resolved_at)}`}
          </p>
          {shown.score && scoreNames[shown.score.outcome] && (
            <p className="faint">
              {scoreNames[shown.score.outcome]}: {shown.score.because}.
            </p>
          )}
          {runs && (
            <div className="row" role="status">
              <span>{status || "Waiting"}…</span>
              <button
                type="button"
                className="quiet danger"
                onClick={() => void cancel(id).catch((error: unknown) => setProblem(said(error)))}
              >
                Stop
              </button>
            </div>
          )}
          {shown.error && <p className="failure">{shown.error}</p>}
          {shown.report && (
            <InvestigationReport
              report={shown.report}
              onAnswer={
                shown.state === "asking"
                  ? (yes) => {
                      setProblem("");
                      answer(id, yes)
                        .then(setShown)
                        .catch((error: unknown) => setProblem(said(error)));
                    }
                  : undefined
              }
            />
          )}
        </>
      )}
    </main>
  );
}

function List() {
  const [items, setItems] = useState<Investigation[] | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    document.title = "Investigations · precedent";
  }, []);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    investigations()
      .then(setItems)
      .catch((error: unknown) => setProblem(said(error)));
  }, [looks]);
  useEffect(() => {
    if (!items?.some((one) => isOpen(one.state))) return;
    const wait = setTimeout(() => setLooks(looks + 1), kLook);
    return () => clearTimeout(wait);
  }, [items, looks]);
  const start = (form: FormData) => {
    const text = (name: string) => String(form.get(name)).trim();
    const order = Object.fromEntries(
      ["incident", "service", "description"].map((name) => [name, text(name)]).filter(([, value]) => value),
    );
    begin({ ...order, ask: true })
      .then(({ id }) => (location.hash = addressOf({ view: "investigations", id })))
      .catch((error: unknown) => setProblem(said(error)));
  };
  return (
    <main className="review">
      <h1>Investigations</h1>
      <form
        className="card golden-form"
        onSubmit={(event) => {
          event.preventDefault();
          start(new FormData(event.currentTarget));
        }}
      >
        <div className="fields-of">
          <label>
            Incident
            <input name="incident" placeholder="PD-12345, or the name of an active alert" maxLength={200} />
          </label>
          <label>
            Service
            <input name="service" placeholder="If the incident does not name it" maxLength={200} />
          </label>
        </div>
        <label>
          What is wrong
          <input name="description" placeholder="In a sentence; error texts help" maxLength={2000} />
        </label>
        <div className="row">
          <button type="submit" className="primary">
            Investigate
          </button>
        </div>
      </form>
      {problem && (
        <p className="failure" role="alert">
          {problem}
        </p>
      )}
      {items?.length === 0 && (
        <p className="faint nothing">No investigations yet. Alerts start them, too, once a webhook is set up.</p>
      )}
      <ul>
        {items?.map((one) => (
          <li key={one.id} className="entry">
            <div className="row">
              <span className="tag" data-state={kindOf(one.state)}>
                {stateNames[one.state] ?? one.state}
              </span>
              <span className="faint">
                {minute(one.created_at)} by {one.by}
              </span>
            </div>
            <a href={addressOf({ view: "investigations", id: one.id })}>{one.about}</a>
            {one.summary && <div className="faint">{one.summary}</div>}
          </li>
        ))}
      </ul>
    </main>
  );
}

export default function Investigations({ id }: { id: string }) {
  return id ? <One key={id} id={id} /> : <List />;
}
