// Investigations: those that were asked for or that an alarm began, and the report of one with the evidence behind each line.
import { useCallback, useEffect, useState } from "react";
import { Icon } from "./Icon";
import "./knowledge.css";
import {
  answer,
  begin,
  cancel,
  investigation,
  investigations,
  watched,
  type Hypothesis,
  type Investigation,
  type Report,
  type Test,
} from "./investigations";
import { isAbort, said } from "./net";
import { addressOf } from "./place";

const minute = (text: string) => text.slice(0, 16).replace("T", " ");
const kindOf = (state: string) =>
  state === "done" ? "served" : state === "failed" || state === "cancelled" ? "inactive" : "pending";
const isOpen = (state: string) => state === "waiting" || state === "running";
const stateNames: Record<string, string> = { asking: "needs your answer" };
const kLook = 3000; // ms between two looks at what runs

/** What a line rests on, opened in its place. */
function Receipt({ id, report }: { id?: string | undefined; report: Report }) {
  const receipt = report.receipts.find((one) => one.id === id);
  if (!receipt) return null;
  return (
    <details className="receipt-of">
      <summary>{receipt.id}</summary>
      <p>
        {receipt.tool}: {receipt.text}
      </p>
    </details>
  );
}

function Tests({ tests, report }: { tests: Test[]; report: Report }) {
  return (
    <ul className="tests">
      {tests.map((test, i) => (
        <li key={i}>
          {test.what}
          {test.what.endsWith("?") ? " " : ": "}
          {test.holds >= 0.95 ? "yes" : test.holds <= 0.05 ? "no" : `${Math.round(100 * test.holds)} %`}
          {test.because && `, ${test.because}`} <Receipt id={test.receipt} report={report} />
        </li>
      ))}
    </ul>
  );
}

function Cause({ cause, report }: { cause: Hypothesis; report: Report }) {
  return (
    <section>
      <h2>Cause</h2>
      <p>
        {cause.statement} <span className="tag">{cause.category.replaceAll("_", " ")}</span>{" "}
        <span className="faint">confidence {cause.confidence.toFixed(2)}</span>
      </p>
      <Tests tests={[...cause.needs, ...(cause.predictions ?? [])]} report={report} />
      {cause.path.length > 0 && (
        <>
          <h3>How it spread</h3>
          <ul className="tests">
            {cause.path.map((step, i) => (
              <li key={i}>
                {step.from} → {step.to}: {step.why} {step.proved ? <Receipt id={step.receipt} report={report} /> : "(unproved)"}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Whom to page, and who depends on what fails. */
function People({ report }: { report: Report }) {
  return (
    <>
      {report.owners?.length > 0 && (
        <section>
          <h2>Whom to page</h2>
          <ul className="tests">
            {report.owners.map((one, i) => (
              <li key={i}>
                <a href={addressOf({ view: "document", id: one.document })}>{one.title || one.document}</a>: {one.says}{" "}
                <Receipt id={one.receipt} report={report} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {report.downstream?.length > 0 && (
        <section>
          <h2>Downstream</h2>
          <ul className="tests">
            {report.downstream.map((one, i) => (
              <li key={i}>
                {one.service}
                {one.fails && " (failing, too)"}: {one.why} <Receipt id={one.receipt} report={report} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Hypotheses with what speaks against each. */
function Others({ title, all }: { title: string; all: (Hypothesis & { why_not: string })[] }) {
  if (all.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {all.map((one) => (
          <li key={one.id}>
            {one.statement} <span className="faint">confidence {one.confidence.toFixed(2)}</span>
            {one.why_not && <div className="faint">Against it: {one.why_not}</div>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A time that stands before the text is not said again in it. */
export const withoutTime = ({ at, what }: { at: string; what: string }) => what.replace(` at ${at}`, "");

function ReportView({ report, onAnswer }: { report: Report; onAnswer?: ((yes: boolean) => void) | undefined }) {
  const causes = [...report.hypotheses, ...(report.wider ?? [])].filter((one) => report.causes.includes(one.id));
  const others = report.alternatives.flatMap(({ hypothesis, why_not }) => {
    const found = report.hypotheses.find((one) => one.id === hypothesis);
    return found ? [{ ...found, why_not }] : [];
  });
  return (
    <article className="investigated">
      <p className="summary">{report.summary}</p>
      {report.first_failing_service && (
        <p>
          Failing service: <b>{report.first_failing_service}</b>
          {report.blast_radius.length > 0 && `; then ${report.blast_radius.join(", ")}`}.
        </p>
      )}
      {causes.map((cause) => (
        <Cause key={cause.id} cause={cause} report={report} />
      ))}
      <Others
        title={causes.length > 0 ? "Also possible" : "Possible causes"}
        all={others.filter((one) => one.status === "open")}
      />
      {report.deciding_question && (
        <section>
          <h2>The deciding question</h2>
          <p>{report.deciding_question.question}</p>
          <ul>
            <li>Yes: {report.deciding_question.if_yes}</li>
            <li>No: {report.deciding_question.if_no}</li>
          </ul>
          {onAnswer && (
            <div className="row">
              <button type="button" className="primary" onClick={() => onAnswer(true)}>
                Yes
              </button>
              <button type="button" className="primary" onClick={() => onAnswer(false)}>
                No
              </button>
            </div>
          )}
        </section>
      )}
      {report.answers && (
        <section>
          <h2>Answered</h2>
          <ul>
            {report.answers.map((one, i) => (
              <li key={i}>
                {one.question} <b>{one.answer === "yes" ? "Yes." : "No."}</b> <Receipt id={one.receipt} report={report} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {report.advice && (
        <section>
          <h2>What to do</h2>
          <p>{report.advice}</p>
        </section>
      )}
      <People report={report} />
      {report.knowledge.found.length > 0 && (
        <section>
          <h2>What is known</h2>
          <ul>
            {report.knowledge.found.map((one) => (
              <li key={one.id}>
                <a href={addressOf({ view: "document", id: one.id })}>{one.title || one.id}</a>{" "}
                <span className="faint">{one.kind.replaceAll("_", " ")}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Others title="Probably not the cause" all={others.filter((one) => one.status !== "open")} />
      {report.timeline.length > 0 && (
        <section>
          <h2>Timeline</h2>
          <ol className="timeline-of">
            {report.timeline.map((entry, i) => (
              <li key={i}>
                <time dateTime={entry.at}>{minute(entry.at)}</time> {withoutTime(entry)}{" "}
                <Receipt id={entry.receipt} report={report} />
              </li>
            ))}
          </ol>
        </section>
      )}
      {report.missing.length > 0 && (
        <section>
          <h2>What is missing</h2>
          <ul>
            {report.missing.map((one, i) => (
              <li key={i}>{one}</li>
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}

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
          {shown.score && shown.score.outcome !== "unknown" && (
            <p className="faint">
              By what ended it, the verdict is {shown.score.outcome}: {shown.score.because}.
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
            <ReportView
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
          </li>
        ))}
      </ul>
    </main>
  );
}

export default function Investigations({ id }: { id: string }) {
  return id ? <One key={id} id={id} /> : <List />;
}
