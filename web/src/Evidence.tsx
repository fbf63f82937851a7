// The evidence panel: a receipt as the tool returned it, opened at the lines that prove a claim.
import { lazy, Suspense, useEffect, useMemo, useRef } from "react";
import Markdown from "react-markdown";
import type { Opened } from "./AnswerText";
import type { Receipt } from "./api";
import { IncidentCards } from "./IncidentCards";
import { hasCourse } from "./course";
import { Icon } from "./Icon";
import { addressOf, type Lines } from "./place";
import { proofLines } from "./proof";
import { verdictOf } from "./verdict";

const Chart = lazy(() => import("./Chart"));
const Code = lazy(() => import("./Code"));

interface Excerpt {
  path: string;
  text: string;
  begin: number;
}

const kMostExcerpts = 6;
// What code and documents call the text that they show.
const isCode = (receipt: Receipt) => receipt.tool.startsWith("repo_");

/** Code that a receipt holds, with its path and first line. */
function excerptsOf({ receipt }: Opened): Excerpt[] {
  const files = receipt.result?.results ?? receipt.result?.files;
  if (!isCode(receipt) || !Array.isArray(files)) return [];
  return (files as Record<string, unknown>[]).flatMap((file) => {
    const lines = file.lines as { begin?: number } | undefined;
    const text = file.excerpt ?? file.snippet;
    return typeof text === "string" ? [{ path: String(file.path ?? ""), text, begin: lines?.begin ?? 1 }] : [];
  });
}

const isDocument = (id: string) => /^(kb-|INC-)/i.test(id);

/** Where the cited document can be read as a whole. */
function documentOf(opened: Opened): string | undefined {
  const { source } = opened;
  if (!source || !isDocument(source.id)) return undefined;
  const lines: Lines | undefined = source.type === "incident" ? undefined : source.lines;
  return addressOf({ view: "document", id: source.id, ...(lines && { lines }) });
}

/** The lines of an excerpt that are cited. */
function citedIn(excerpt: Excerpt, { source }: Opened): Lines | undefined {
  const last = excerpt.begin + excerpt.text.split("\n").length - 1;
  const { lines } = source ?? {};
  const fits = lines && source?.path === excerpt.path && lines.begin <= last && excerpt.begin <= lines.end;
  return fits ? lines : undefined;
}

interface Props {
  opened: Opened;
  receipts: Receipt[]; // of the turn
  close: () => void;
  choose: (receipt: Receipt) => void;
}

export function Evidence({ opened, receipts, close, choose }: Props) {
  const { receipt, claim } = opened;
  const proving = receipts.filter((one) => opened.proofs.some((proof) => proof.receipt === one.id));
  const lines = useMemo(() => proofLines(receipt, opened), [receipt, opened]);
  const whole = documentOf(opened);
  const excerpts = useMemo(() => excerptsOf(opened), [opened]);
  const first = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Whoever closes it by keys is back where they were.
  const opener = useRef(document.activeElement);
  const goBack = () => {
    close();
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  };
  useEffect(() => {
    heading.current?.focus();
    // An excerpt that is cited shows itself.
    if (!excerpts.some((excerpt) => citedIn(excerpt, opened))) first.current?.scrollIntoView({ block: "center" });
  }, [opened, excerpts]);
  const firstProof = lines.findIndex((line) => line.proves);
  return (
    <aside className="evidence" aria-label="Evidence" onKeyDown={(event) => event.key === "Escape" && goBack()}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {receipt.id} {receipt.tool}
        </h2>
        <button
          type="button"
          className="quiet"
          onClick={(event) => (event.detail === 0 ? goBack() : close())}
          aria-label="Close"
          title="Close (Esc)"
        >
          <Icon name="close" />
        </button>
      </header>
      {claim && (
        <blockquote data-verdict={claim.verdict}>
          <Markdown>{claim.text}</Markdown>
          <footer>
            {verdictOf(claim.verdict)}: {claim.reason}
          </footer>
        </blockquote>
      )}
      {opened.words && (
        <p className="cited">
          Cited: {opened.words}
          {whole && (
            <>
              {" · "}
              <a href={whole}>Read the whole document</a>
            </>
          )}
          {opened.source?.link && (
            <>
              {" · "}
              <a href={opened.source.link} target="_blank" rel="noreferrer">
                Open it where it lives
              </a>
            </>
          )}
        </p>
      )}
      {proving.length > 1 && (
        <p className="others">
          Proved by{" "}
          {proving.map((one) => (
            <button
              key={one.id}
              type="button"
              className="citation"
              aria-pressed={one.id === receipt.id}
              onClick={() => choose(one)}
            >
              {one.id}
            </button>
          ))}
        </p>
      )}
      <dl>
        {Object.entries(receipt.args).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
        {receipt.at && (
          <div>
            <dt>called at</dt>
            <dd>
              <time dateTime={receipt.at}>{receipt.at.slice(0, 19).replace("T", " ")} UTC</time>
            </dd>
          </div>
        )}
        {receipt.status !== "ok" && (
          <div>
            <dt>status</dt>
            <dd>{receipt.status}</dd>
          </div>
        )}
      </dl>
      {hasCourse(receipt) && (
        <Suspense fallback={<p className="status">Drawing…</p>}>
          <Chart receipt={receipt} others={receipts} />
        </Suspense>
      )}
      <IncidentCards receipt={receipt} />
      {excerpts.slice(0, kMostExcerpts).map((excerpt) => (
        <Suspense key={`${excerpt.path}:${excerpt.begin}`} fallback={<pre>{excerpt.text}</pre>}>
          <Code {...excerpt} marked={citedIn(excerpt, opened)} />
        </Suspense>
      ))}
      <h3>What the tool returned</h3>
      <pre className="receipt" tabIndex={0} role="group" aria-label="What the tool returned, word for word">
        {lines.map((line, i) =>
          line.proves ? (
            <mark key={i} ref={i === firstProof ? first : null}>
              {line.text}
              {"\n"}
            </mark>
          ) : (
            <span key={i}>
              {line.text}
              {"\n"}
            </span>
          ),
        )}
      </pre>
    </aside>
  );
}
