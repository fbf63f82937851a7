// One document: what is known of it and its text, opened at a line.
import { useEffect, useMemo, useRef, useState } from "react";
import Markdown from "react-markdown";
import readGfm from "./gfm";
import { kBlocks } from "./AnswerText";
import Code from "./Code";
import { Icon } from "./Icon";
import "./knowledge.css";
import { documentOf, kindName, range, removeDocument, type KnownDocument } from "./knowledge";
import { lineMarks } from "./lineMarks";
import { Problem, said } from "./net";
import { addressOf, type Lines } from "./place";

// Told above the text already, or in it.
const kTold = new Set([
  "title",
  "description",
  "services",
  "severity",
  "status",
  "path",
  "incident_id",
  "impacted_application",
  "extra",
]);

const kLong = 60; // letters: more have a row of their own

function shownOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(shownOf).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value !== null && typeof value === "object") return JSON.stringify(value);
  const text = String(value ?? "");
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? `${text.slice(0, 16).replace("T", " ")} UTC` : text;
}

function Fields({ document }: { document: KnownDocument }) {
  const extra = document.fields.extra;
  const all = { ...document.fields, ...(extra && typeof extra === "object" ? (extra as Record<string, unknown>) : {}) };
  const rows = Object.entries(all).filter(
    ([name, value]) => !kTold.has(name) && value !== "" && value !== null && shownOf(value) !== "",
  );
  if (rows.length === 0) return null;
  const isLong = ([, value]: [string, unknown]) => shownOf(value).length > kLong;
  const inOrder = [...rows.filter((row) => !isLong(row)), ...rows.filter(isLong)];
  return (
    <dl className="fields">
      {inOrder.map(([name, value]) => (
        <div key={name} data-long={isLong([name, value]) || undefined}>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd>{shownOf(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Text({ document, lines }: { document: KnownDocument; lines?: Lines | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  const begin = range(document.lines)?.begin ?? 1;
  const isCode = document.kind === "code";
  const [asItIs, setAsItIs] = useState(false);
  const plugin = useMemo(
    () => lineMarks(lines && { begin: lines.begin - begin + 1, end: lines.end - begin + 1 }),
    [lines, begin],
  );
  useEffect(() => {
    box.current?.querySelector("[data-marked]")?.scrollIntoView({ block: "center" });
  }, [document, lines, asItIs]);
  if (!document.text) return null;
  return (
    <div ref={box}>
      {!isCode && (
        <div className="row text-as">
          <button type="button" className="chip" aria-pressed={!asItIs} onClick={() => setAsItIs(false)}>
            Read
          </button>
          <button type="button" className="chip" aria-pressed={asItIs} onClick={() => setAsItIs(true)}>
            Source with lines
          </button>
        </div>
      )}
      {isCode || asItIs ? (
        <Code
          path={document.path || document.id}
          text={document.text}
          begin={begin}
          marked={lines}
          {...(!isCode && { language: "text" })}
        />
      ) : (
        <div className="markdown text">
          <Markdown remarkPlugins={[readGfm]} rehypePlugins={[plugin]} components={kBlocks}>
            {document.text}
          </Markdown>
        </div>
      )}
    </div>
  );
}

function Delete({ document, gone }: { document: KnownDocument; gone: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  return (
    <>
      <button type="button" className="quiet danger" onClick={() => dialog.current!.showModal()}>
        Delete
      </button>
      <dialog ref={dialog} aria-labelledby="delete-title">
        <h2 id="delete-title">Delete this document?</h2>
        <p>“{document.title}” will no longer be found or cited. Answers that cite it stay as they are.</p>
        {problem && (
          <p className="failure" role="alert">
            {problem}
          </p>
        )}
        <div className="row">
          <button
            type="button"
            className="primary danger"
            disabled={busy}
            onClick={() => {
              setBusy(true);
              removeDocument(document.id)
                .then(gone)
                .catch((error: unknown) => {
                  setProblem(said(error));
                  setBusy(false);
                });
            }}
          >
            Delete it
          </button>
          <button type="button" className="secondary" onClick={() => dialog.current!.close()}>
            Keep it
          </button>
        </div>
      </dialog>
    </>
  );
}

const saidOf = (error: unknown, id: string) =>
  error instanceof Problem && error.status === 404
    ? `Nothing is known as “${id}”. It may have been deleted, or you may not see it.`
    : said(error);

interface Props {
  id: string;
  lines?: Lines | undefined;
  mayEdit: boolean;
}

export default function DocumentView({ id, lines, mayEdit }: Props) {
  const [document_, setDocument] = useState<KnownDocument | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let left = false;
    documentOf(id)
      .then((found) => {
        if (left) return;
        setDocument(found);
        document.title = `${found.title} · precedent`;
      })
      .catch((error: unknown) => !left && setProblem(saidOf(error, id)));
    return () => {
      left = true;
    };
  }, [id]);
  return (
    <main className="document">
      <div className="row above">
        <a className="quiet" href={addressOf({ view: "documents", filters: {} })}>
          <Icon name="back" /> Knowledge
        </a>
        {document_ && mayEdit && (
          <Delete document={document_} gone={() => (location.hash = addressOf({ view: "documents", filters: {} }))} />
        )}
      </div>
      {problem && (
        <>
          <h1>This document cannot be shown</h1>
          <p className="failure" role="alert">
            {problem}
          </p>
        </>
      )}
      {document_ && (
        <article>
          <header>
            <div className="row">
              <span className="tag">{kindName(document_.kind)}</span>
              {document_.severity && <span className="tag">{document_.severity}</span>}
              {document_.status && <span className="tag">{document_.status}</span>}
            </div>
            <h1>{document_.title || document_.id}</h1>
            <p className="faint">
              {[document_.id, document_.path, document_.opened_at && shownOf(document_.opened_at), document_.services.join(", ")]
                .filter(Boolean)
                .join(" · ")}
            </p>
          </header>
          <Fields document={document_} />
          <Text document={document_} lines={lines} />
        </article>
      )}
    </main>
  );
}
