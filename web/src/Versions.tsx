// Versions of the incident data: what a new export would change, the switch to it, and the way back (docs/datasets.md).
import { useCallback, useEffect, useRef, useState } from "react";
import { Icon } from "./Icon";
import "./knowledge.css";
import {
  activate,
  createVersion,
  discard,
  goBackTo,
  guessMapping,
  ingesting,
  kindOfState,
  validate,
  versionOf,
  versions,
  type Difference,
  type Version,
} from "./datasets";
import { forgetUpload, upload } from "./knowledge";
import { said } from "./net";
import { addressOf } from "./place";

const count = (n: number, one: string, several = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : several}`;
const day = (text: string) => text.slice(0, 16).replace("T", " ");
const kFirst = 12; // problems, before one asks for all
const kLastActivations = 3;

/** What somebody does, and what went wrong with it. */
type Act = (work: () => Promise<unknown>) => Promise<void>;

function Create({ act, busy, done }: { act: Act; busy: boolean; done: (version: Version) => void }) {
  const [files, setFiles] = useState<File[]>([]);
  const [mapping, setMapping] = useState("");
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const text = (name: string) => String(form.get(name)).trim();
        void act(async () => {
          const { upload_id } = await upload(files, "incident", "");
          done(
            await createVersion({ upload_id, name: text("name"), notes: text("notes"), mapping }),
          );
        });
      }}
    >
      <h2>A new version</h2>
      <label>
        Exports
        <input
          type="file"
          multiple
          required
          accept=".csv,.tsv,.json,.jsonl,.ndjson"
          onChange={(event) => setFiles(Array.from(event.target.files ?? []))}
        />
      </label>
      <div className="fields-of">
        <label>
          Name
          <input name="name" maxLength={80} placeholder="For example July export" />
        </label>
        <label>
          Notes
          <input name="notes" maxLength={200} />
        </label>
      </div>
      <details>
        <summary>A mapping, where the columns do not say what they are</summary>
        <label>
          Mapping (YAML)
          <textarea
            rows={6}
            spellCheck={false}
            placeholder={"fields:\n  title: Summary\n  opened_at: Opened"}
            value={mapping}
            onChange={(event) => setMapping(event.target.value)}
          />
        </label>
        <button
          type="button"
          className="secondary"
          disabled={busy || files.length === 0}
          onClick={() =>
            void act(async () => {
              const { upload_id } = await upload(files.slice(0, 1), "incident", "");
              setMapping(await guessMapping(upload_id));
              await forgetUpload(upload_id);
            })
          }
        >
          Suggest one from the first file
        </button>
      </details>
      <button type="submit" className="primary" disabled={busy || files.length === 0}>
        {busy ? "Reading…" : "Read and check"}
      </button>
      <span className="faint beside">Answers do not change before you activate it.</span>
    </form>
  );
}

function Ids({ title, ids }: { title: string; ids: string[] }) {
  if (ids.length === 0) return null;
  return (
    <details>
      <summary>
        {count(ids.length, "incident")} {title}
      </summary>
      <p className="ids">
        {ids.slice(0, 200).join(", ")}
        {ids.length > 200 && `, and ${ids.length - 200} more`}
      </p>
    </details>
  );
}

function Problems({ version }: { version: Version }) {
  const [all, setAll] = useState(false);
  const report = version.report;
  if (!report || report.problems.length === 0) return null;
  const shown = all ? report.problems : report.problems.slice(0, kFirst);
  return (
    <div className="wide" tabIndex={0} role="region" aria-label={`Problems of version ${version.version}`}>
      <table className="problems">
        <caption>{count(report.problem_count, "problem")}</caption>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">What is wrong</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((problem, i) => (
            <tr key={i} data-severity={problem.severity}>
              <td>
                {problem.file}
                {problem.line > 0 && `:${problem.line}`}
              </td>
              <td>{problem.field}</td>
              <td>{problem.value}</td>
              <td>
                {problem.message} <span className="faint">({problem.rule.replaceAll("_", " ")})</span>{" "}
                <span className="tag">{problem.severity === "error" ? "record left out" : "loaded all the same"}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {report.problems.length > shown.length && (
        <button type="button" className="quiet" onClick={() => setAll(true)}>
          Show all {report.problems.length}
        </button>
      )}
    </div>
  );
}

function Coverage({ version }: { version: Version }) {
  const report = version.report;
  if (!report || version.records === 0) return null;
  const fields = Object.entries(report.coverage);
  return (
    <details>
      <summary>Which fields are filled</summary>
      <dl className="coverage">
        {fields.map(([field, has]) => (
          <div key={field}>
            <dt>{field.replaceAll("_", " ")}</dt>
            <dd>{Math.round((100 * has) / version.records)} %</dd>
          </div>
        ))}
      </dl>
      {report.unmapped_columns.length > 0 && (
        <p className="faint">Kept under their own names: {report.unmapped_columns.join(", ")}.</p>
      )}
    </details>
  );
}

/** Activation; where a limit of the mapping forbids it, only with a reason. */
function Activate({ version, act }: { version: Version; act: Act }) {
  const [why, setWhy] = useState<string | null>(null);
  const [keep, setKeep] = useState("");
  const go = (more: object) => act(() => activate(version.version, keep === "" ? more : { ...more, keep: Number(keep) }));
  if (why === null)
    return (
      <>
        <button type="button" className="primary small" onClick={() => void go({})}>
          Activate
        </button>
        <button type="button" className="quiet" onClick={() => setWhy("")}>
          Although a limit forbids it…
        </button>
        <label className="faint">
          Keep{" "}
          <input
            type="number"
            min={0}
            max={1000}
            placeholder="5"
            value={keep}
            onChange={(event) => setKeep(event.target.value)}
          />{" "}
          earlier versions
        </label>
      </>
    );
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        void go({ force: true, why });
      }}
    >
      <label>
        Why (it is kept)
        <input value={why} required autoFocus onChange={(event) => setWhy(event.target.value)} />
      </label>
      <button type="submit" className="primary small">
        Activate all the same
      </button>
      <button type="button" className="quiet" onClick={() => setWhy(null)}>
        Cancel
      </button>
    </form>
  );
}

interface CardProps {
  listed: Version;
  open: boolean;
  act: Act;
}

function Card({ listed, open, act }: CardProps) {
  const [shown, setShown] = useState(open);
  const [whole, setWhole] = useState<Version | null>(null);
  const [difference, setDifference] = useState<Difference | null>(null);
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const [limit, setLimit] = useState("");
  const [int8, setInt8] = useState(false);
  const own = useRef<AbortController>(undefined);
  useEffect(() => () => own.current?.abort(), []);
  const { version, state } = listed;
  useEffect(() => {
    if (!shown) return;
    let left = false;
    versionOf(version)
      .then(([found, changes]) => {
        if (left) return;
        setWhole(found);
        setDifference(changes);
      })
      .catch(() => {}); // the list says what is wrong
    return () => {
      left = true;
    };
  }, [shown, version, state]);
  const checkAgain = () =>
    act(async () => {
      const found = await validate(version);
      setWhole(found);
      setLimit(found.refused_by_limit);
      setShown(true);
    });
  const embed = () =>
    act(async () => {
      const control = (own.current = new AbortController());
      setProgress({ done: 0, total: 0 });
      try {
        for await (const { name, data } of ingesting(version, int8, control.signal)) {
          if (name === "progress") setProgress({ done: Number(data.done), total: Number(data.total) });
          if (name === "error") throw new Error(String(data.detail ?? data.title));
        }
      } finally {
        setProgress(null);
      }
    });
  return (
    <li className="card" data-version={version}>
      <div className="row">
        <span className="tag" data-state={kindOfState(state)}>
          {state}
        </span>
        <span className="faint">
          Version {version} · {count(listed.records, "incident")}
          {listed.bad > 0 && ` · ${count(listed.bad, "record")} left out`}
          {listed.bare > 0 && ` · ${listed.bare} with a title alone`} · {day(listed.created_at)} by {listed.created_by}
        </span>
      </div>
      <h3>
        <button type="button" className="link" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {listed.name || listed.sources.map((source) => source.path).join(", ")}
        </button>
      </h3>
      {limit && <p className="note">A limit of the mapping refuses to activate it: {limit}.</p>}
      {listed.notes && <p>{listed.notes}</p>}
      {listed.activations.slice(-kLastActivations).map(({ at, by, back, forced, why }, i) => (
        <p className="faint" key={i}>
          {back ? "Brought back" : "Activated"} {day(at)} by {by}
          {forced && " although a limit forbade it"}
          {why && `: ${why}`}
        </p>
      ))}
      {shown && whole && (
        <>
          {difference && state !== "active" && (
            <>
              <p>
                {difference.from === 0 ? "No version is active yet: " : `Beside version ${difference.from}: `}
                {difference.added.length} added, {difference.changed.length} changed, {difference.vanished.length} vanished
                {whole.report && whole.report.secrets > 0 && `; secrets taken out of ${count(whole.report.secrets, "record")}`}.
              </p>
              <Ids title="added" ids={difference.added} />
              <Ids title="changed" ids={difference.changed} />
              <Ids title="vanished" ids={difference.vanished} />
              <Ids title="replaced outside of versions, which an activation undoes" ids={difference.replaced} />
            </>
          )}
          <Problems version={whole} />
          <Coverage version={whole} />
        </>
      )}
      {progress && (
        <div className="ingesting" role="status">
          <p>Making it searchable…</p>
          <progress max={progress.total || undefined} value={progress.total ? progress.done : undefined} aria-label="Done" />
        </div>
      )}
      {!progress && (
        <div className="row">
          {(state === "validated" || state === "ingesting") && (
            <button type="button" className="primary small" onClick={() => void embed()}>
              {state === "validated" ? "Prepare" : "Continue preparing"}
            </button>
          )}
          {state === "validated" && (
            <label className="faint">
              <input type="checkbox" checked={int8} onChange={(event) => setInt8(event.target.checked)} /> in int8: faster, a little
              less exact
            </label>
          )}
          {(state === "draft" || state === "validated" || state === "failed") && (
            <button type="button" className={state === "draft" ? "primary small" : "quiet"} onClick={() => void checkAgain()}>
              {state === "draft" ? "Read and check" : "Check again"}
            </button>
          )}
          {state === "ready" && <Activate version={listed} act={act} />}
          {state === "superseded" && (
            <button type="button" className="primary small" onClick={() => void act(() => goBackTo(version))}>
              Go back to it
            </button>
          )}
          {state !== "active" && state !== "discarded" && (
            <button type="button" className="quiet danger" onClick={() => void act(() => discard(version))}>
              Discard
            </button>
          )}
        </div>
      )}
    </li>
  );
}

export default function Versions({ mayEdit }: { mayEdit: boolean }) {
  const [items, setItems] = useState<Version[] | null>(null);
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState(0);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const load = useCallback(async () => setItems((await versions()).reverse()), []);
  useEffect(() => {
    if (mayEdit) load().catch((error: unknown) => setProblem(said(error)));
  }, [load, mayEdit]);
  const act: Act = async (work) => {
    setBusy(true);
    setProblem("");
    try {
      await work();
    } catch (error) {
      setProblem(said(error));
    }
    setBusy(false);
    await load().catch((error: unknown) => setProblem(said(error)));
  };
  return (
    <main className="review">
      <a className="quiet" href={addressOf({ view: "documents", filters: {} })}>
        <Icon name="back" /> Knowledge
      </a>
      <header className="head">
        <h1>Versions of the incident data</h1>
      </header>
      {!mayEdit && <p className="note">Only editors change versions. Ask an administrator for that role.</p>}
      {mayEdit && !isNew && (
        <button type="button" className="secondary" onClick={() => setNew(true)}>
          <Icon name="upload" /> New version
        </button>
      )}
      {problem && (
        <p className="failure" role="alert">
          {problem}
        </p>
      )}
      {isNew && (
        <Create
          act={act}
          busy={busy}
          done={(version) => {
            setNew(false);
            setMade(version.version);
          }}
        />
      )}
      {items?.length === 0 && !isNew && (
        <p className="faint nothing">
          There is no version yet. A version is checked before anything changes, and can be gone back to; documents that are
          uploaded or ingested otherwise are in none.
        </p>
      )}
      <ul>
        {items?.map((one) => (
          <Card key={one.version} listed={one} open={one.version === made} act={act} />
        ))}
      </ul>
    </main>
  );
}
