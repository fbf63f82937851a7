// Files become documents: choose them, look at what they would be, map columns, ingest.
import { useEffect, useRef, useState } from "react";
import { Icon } from "./Icon";
import "./knowledge.css";
import { forgetUpload, ingest, kindName, remap, upload, type Uploaded } from "./knowledge";
import { Problem, said } from "./net";
import { addressOf } from "./place";
import { UploadReport } from "./UploadReport";

const kinds = [
  "incident",
  "runbook",
  "postmortem",
  "playbook",
  "architecture",
  "adr",
  "known_issue",
  "ownership",
  "environment",
  "faq",
  "doc",
];
const stages: Record<string, string> = {
  reading: "Reading the files",
  embedding: "Making them searchable",
  ingesting: "Making them searchable",
  waiting: "Waiting for another change to finish",
};

interface Done {
  added: number;
  changed: number;
  unchanged: number;
}
type State =
  | { step: "choose" }
  | { step: "check"; uploaded: Uploaded }
  | { step: "ingest"; uploaded: Uploaded; stage: string; done: number; total: number }
  | { step: "done"; done: Done };

// What the server says to programs, in words for whoever looks at this page.
function saidOf(error: unknown): string {
  const status = error instanceof Problem ? error.status : 0;
  if (status === 404) return "The server has forgotten these files: it keeps them for an hour. Choose them again.";
  if (status === 413) return "That is too much at once: an upload may have 20 files and 16 MB. Send it in several parts.";
  return said(error);
}

const stepNames = ["Choose", "Check", "Ingest"];

function Choose({ files, setFiles, busy, send }: ChooseProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const add = (list: FileList | null) => setFiles([...files, ...Array.from(list ?? [])]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        send(String(form.get("kind")), String(form.get("source")).trim());
      }}
    >
      <div
        className="drop"
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          add(event.dataTransfer.files);
        }}
      >
        <Icon name="upload" />
        <p>
          Drop files here, or{" "}
          <button type="button" className="link" onClick={() => input.current!.click()}>
            choose them
          </button>
        </p>
        <p className="faint">CSV, JSON or JSON lines with one record each; Markdown with one document a file</p>
        <input
          ref={input}
          type="file"
          multiple
          className="unseen"
          tabIndex={-1}
          aria-label="Files"
          accept=".csv,.json,.jsonl,.ndjson,.md,.markdown,.txt"
          onChange={(event) => {
            add(event.target.files);
            event.target.value = "";
          }}
        />
      </div>
      {files.length > 0 && (
        <ul className="chosen" aria-label="Chosen files">
          {files.map((file, i) => (
            <li key={i}>
              <span>{file.name}</span>
              <span className="faint">{Math.max(1, Math.round(file.size / 1024)).toLocaleString("en")} kB</span>
              <button
                type="button"
                className="quiet"
                aria-label={`Leave out ${file.name}`}
                onClick={() => setFiles(files.filter((_, at) => at !== i))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="fields-of">
        <label>
          What they are
          <select name="kind" defaultValue="">
            <option value="">Decide by their content</option>
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {kindName(kind)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Where they come from
          <input name="source" placeholder="For example ServiceNow (optional)" maxLength={80} />
        </label>
      </div>
      <button type="submit" className="primary" disabled={busy || files.length === 0}>
        {busy ? "Checking…" : "Check the files"}
      </button>
      <span className="faint beside">Nothing is stored before you have seen what it will become.</span>
    </form>
  );
}
interface ChooseProps {
  files: File[];
  setFiles: (files: File[]) => void;
  busy: boolean;
  send: (kind: string, source: string) => void;
}

export default function Upload({ mayEdit }: { mayEdit: boolean }) {
  const [files, setFiles] = useState<File[]>([]);
  const [state, setState] = useState<State>({ step: "choose" });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const listening = useRef<AbortController>(undefined);
  useEffect(() => () => listening.current?.abort(), []);

  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem("");
    try {
      await work();
    } catch (error) {
      setProblem(saidOf(error));
    } finally {
      setBusy(false);
    }
  };
  const check = (kind: string, source: string) =>
    act(async () => setState({ step: "check", uploaded: await upload(files, kind, source) }));
  const map = (uploaded: Uploaded, fields: Record<string, string>) =>
    act(async () => setState({ step: "check", uploaded: await remap(uploaded.upload_id, fields) }));
  const leave = (uploaded: Uploaded) => {
    void forgetUpload(uploaded.upload_id).catch(() => {}); // it expires by itself
    setState({ step: "choose" });
    setProblem("");
  };
  const begin = (uploaded: Uploaded) =>
    act(async () => {
      setState({ step: "ingest", uploaded, stage: "", done: 0, total: 0 });
      const own = (listening.current = new AbortController());
      try {
        for await (const { name, data } of ingest(uploaded.upload_id, own.signal)) {
          if (name === "progress")
            setState({
              step: "ingest",
              uploaded,
              stage: String(data.stage),
              done: Number(data.done),
              total: Number(data.total),
            });
          else if (name === "error") throw new Problem(Number(data.status ?? 0), String(data.detail ?? data.title));
          else if (name === "complete")
            setState({
              step: "done",
              done: {
                added: Number(data.documents_added),
                changed: Number(data.documents_changed),
                unchanged: Number(data.unchanged),
              },
            });
        }
      } catch (error) {
        if (own.signal.aborted) return;
        setState({ step: "check", uploaded });
        throw error;
      }
    });

  const at = state.step === "choose" ? 0 : state.step === "check" ? 1 : 2;
  return (
    <main className="upload">
      <a className="quiet" href={addressOf({ view: "documents", filters: {} })}>
        <Icon name="back" /> Knowledge
      </a>
      <h1>Upload documents</h1>
      {!mayEdit && <p className="note">Only editors add documents. Ask an administrator for that role.</p>}
      {mayEdit && (
        <>
          <ol className="progress-steps" aria-label="Steps">
            {stepNames.map((name, i) => (
              <li
                key={name}
                aria-current={i === at ? "step" : undefined}
                data-done={i < at || state.step === "done" || undefined}
              >
                {name}
              </li>
            ))}
          </ol>
          {problem && (
            <p className="failure" role="alert">
              {problem}
            </p>
          )}
          {state.step === "choose" && (
            <Choose files={files} setFiles={setFiles} busy={busy} send={(...how) => void check(...how)} />
          )}
          {state.step === "check" && (
            <UploadReport
              key={state.uploaded.upload_id}
              report={state.uploaded.report}
              busy={busy}
              map={(fields) => void map(state.uploaded, fields)}
              ingest={() => void begin(state.uploaded)}
              back={() => leave(state.uploaded)}
            />
          )}
          {state.step === "ingest" && (
            <div className="ingesting" role="status">
              <p>{stages[state.stage] ?? "Storing and indexing"}…</p>
              <progress max={state.total || undefined} value={state.total ? state.done : undefined} aria-label="Ingested" />
              {state.total > 0 && (
                <p className="faint">
                  {state.done.toLocaleString("en")} of {state.total.toLocaleString("en")}
                </p>
              )}
            </div>
          )}
          {state.step === "done" && (
            <div className="done" role="status">
              <h2>Done</h2>
              <p>
                {state.done.added} added, {state.done.changed} changed, {state.done.unchanged} unchanged. They can be asked about
                at once.
              </p>
              <div className="row">
                <a className="primary" href={addressOf({ view: "documents", filters: {} })}>
                  See them
                </a>
                <button
                  type="button"
                  className="secondary"
                  onClick={() => {
                    setFiles([]);
                    setState({ step: "choose" });
                  }}
                >
                  Upload more
                </button>
              </div>
            </div>
          )}
        </>
      )}
    </main>
  );
}
