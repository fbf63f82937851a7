// The report of an investigation: the verdict, what to do, what is still possible, and the evidence behind each line.
import Markdown from "react-markdown";
import { branchesOf, minute, rootsOf } from "./investigations";
import type { Hypothesis, Report, Test } from "./investigations";
import { addressOf } from "./place";

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

function Branches({ all, report }: { all: Hypothesis[]; report: Report }) {
  if (all.length === 0) return null;
  return (
    <ul>
      {all.map((one) => (
        <li key={one.id}>
          {one.statement} <span className="faint">confidence {one.confidence.toFixed(2)}</span>
          <Branches all={branchesOf(report, one.id)} report={report} />
        </li>
      ))}
    </ul>
  );
}

function Tree({ report }: { report: Report }) {
  const roots = rootsOf(report);
  if (roots.length === 0) return null;
  return (
    <section>
      <h2>Where the cause lies, as far as can be told</h2>
      <Branches all={roots} report={report} />
    </section>
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
      {report.wider?.some(({ id }) => id === cause.id) && (
        <>
          <p>One of these:</p>
          <Branches all={branchesOf(report, cause.id)} report={report} />
        </>
      )}
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

/** The remedy with its risk, and the steps of the runbook that fits. */
function ToDo({ report: { advice, remedy, runbook, knowledge } }: { report: Report }) {
  if (!advice && !runbook) return null;
  // Where the steps are not numbered, the passage as it stands.
  const procedure = knowledge.found.find(({ id }) => id === runbook?.document)?.procedure;
  return (
    <section>
      <h2>What to do</h2>
      {advice && <p>{advice}</p>}
      {remedy && (
        <ul>
          <li>Risk: {remedy.risk}</li>
          <li>To take it back: {remedy.rollback}</li>
        </ul>
      )}
      {runbook && (
        <>
          <p>
            <a href={addressOf({ view: "document", id: runbook.document })}>{runbook.title}</a> says{" "}
            <span className="faint">({runbook.place})</span>:
          </p>
          {runbook.steps.length === 0 && <Markdown>{procedure}</Markdown>}
          <ol hidden={runbook.steps.length === 0}>
            {runbook.steps.map((step) => (
              <li key={step.place} title={step.place}>
                <Markdown>{step.text}</Markdown>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

/** What a configured model added; no part of the verdict. */
function ModelSaid({ report: { model, hypotheses } }: { report: Report }) {
  if (!model || (!model.summary && model.order.length === 0)) return null;
  return (
    <section>
      <h2>Written by the model {model.name}; each sentence is proved by receipts</h2>
      {model.summary && <p>{model.summary}</p>}
      <ol>
        {model.order.map(({ hypothesis, why }) => (
          <li key={hypothesis}>
            {hypotheses.find((one) => one.id === hypothesis)?.statement ?? hypothesis}
            {why && `: ${why}`}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A time that stands before the text is not said again in it. */
const withoutTime = ({ at, what }: { at: string; what: string }) => what.replace(` at ${at}`, "");

export default function InvestigationReport({ report, onAnswer }: { report: Report; onAnswer?: ((yes: boolean) => void) | undefined }) {
  const causes = [...report.hypotheses, ...(report.wider ?? [])].filter((one) => report.causes.includes(one.id));
  const others = report.alternatives.flatMap(({ hypothesis, why_not }) => {
    const found = report.hypotheses.find((one) => one.id === hypothesis);
    return found ? [{ ...found, why_not }] : [];
  });
  return (
    <article className="investigated">
      <p className="summary">{report.summary}</p>
      {report.incident.severity && (
        <p>
          Severity: <b>{report.incident.severity}</b>
        </p>
      )}
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
      <ToDo report={report} />
      <People report={report} />
      {report.knowledge.found.length > 0 && (
        <section>
          <h2>What is known</h2>
          <ul>
            {report.knowledge.found.map((one) => (
              <li key={one.id}>
                <a href={addressOf({ view: "document", id: one.id })}>{one.title || one.id}</a>{" "}
                <span className="faint">{one.kind.replaceAll("_", " ")}</span>
                {one.fixed_by && <div className="faint">What fixed it: {one.fixed_by}</div>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Others title="Probably not the cause" all={others.filter((one) => one.status !== "open")} />
      <Tree report={report} />
      <ModelSaid report={report} />
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
