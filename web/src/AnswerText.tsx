// An answer's Markdown, with the claims marked by their verdicts and the citations to open.
import { lazy, memo, Suspense, useEffect, useMemo, useRef, useState, type ComponentProps, type SyntheticEvent } from "react";
import Markdown, { type Components } from "react-markdown";
import readGfm from "./gfm";
import type { Claim, Proof, Receipt, Source } from "./api";
import { citedBy, marks } from "./marks";
import { Peek, type Peeked } from "./Peek";
import type { Turn } from "./turn";
import { verdictOf } from "./verdict";

const Highlighted = lazy(() => import("./Highlighted"));

/** What the evidence panel shows: a receipt, and what of its text is looked for. */
export interface Opened {
  receipt: Receipt;
  proofs: Proof[];
  claim?: Claim;
  source?: Source;
  words?: string; // the citation's
  within?: string; // the sentence that it stands in
  turn: string; // its key
}

const kNothing: never[] = [];
const kHover = 220; // ms: a pointer that only passes by shows nothing

/** A fenced block: highlighted once its language is known and the code for that is here. */
export function Fenced({ className, children, ...rest }: ComponentProps<"code">) {
  const language = /language-(\w+)/.exec(className ?? "")?.[1];
  if (!language) return <code {...rest}>{children}</code>;
  return (
    <Suspense fallback={<code>{children}</code>}>
      <Highlighted text={String(children)} language={language} />
    </Suspense>
  );
}

/** Blocks that scroll sideways can be scrolled by keys. */
export const kBlocks: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  ),
  code: ({ node: _, ...rest }) => <Fenced {...rest} />,
  pre: ({ children, node: _, ...rest }) => (
    <pre {...rest} tabIndex={0} role="group" aria-label="Code">
      {children}
    </pre>
  ),
  table: ({ children }) => (
    <div className="wide" tabIndex={0} role="region" aria-label="A table">
      <table>{children}</table>
    </div>
  ),
};

interface Marked {
  turn: Turn;
  open: (opened: Opened) => void;
  peek: (peeked: Peeked | null) => void;
}

const MarkedText = memo(function MarkedText({ turn, open, peek }: Marked) {
  const { claims, key } = turn;
  const sources = turn.answer?.sources ?? kNothing;
  const receipts = turn.answer?.receipts ?? kNothing;
  const sections = turn.answer?.sections ?? kNothing;
  const draft = turn.draft;
  const plugin = useMemo(
    () => marks({ text: turn.text, claims, sources, receipts, sections }),
    [turn.text, claims, sources, receipts, sections],
  );
  // The same functions at each token: what stands there already is not built anew.
  const now = useRef({ claims, sources, receipts, draft, key, open, peek });
  now.current = { claims, sources, receipts, draft, key, open, peek };
  const components = useMemo<Components>(() => {
    const claimOf = (number: unknown) => now.current.claims[Number(number)];
    const openClaim = (claim: Claim) => {
      const { receipts, open, key } = now.current;
      const receipt = receipts.find((one) => one.id === claim.proofs[0]?.receipt);
      if (receipt) open({ receipt, proofs: claim.proofs, claim, turn: key });
    };
    const cited = (words: string) => {
      const { sources, receipts } = now.current;
      const found = citedBy(words, sources, receipts);
      return { receipt: receipts.find((one) => one.id === found?.receipt), source: found?.source };
    };
    const show = (what: Omit<Peeked, "at">) => (event: SyntheticEvent<HTMLElement>) => {
      event.stopPropagation();
      now.current.peek({ at: event.currentTarget, ...what });
    };
    const hide = () => now.current.peek(null);
    return {
      ...kBlocks,
      span: ({ children, ...rest }: ComponentProps<"span"> & { "data-claim"?: number }) => {
        const claim = claimOf(rest["data-claim"]);
        if (!claim) return <span>{children}</span>;
        return (
          <span
            className="claim"
            data-verdict={claim.verdict}
            data-opens={claim.proofs.length > 0 || undefined}
            onClick={() => openClaim(claim)}
            onMouseOver={show({ claim })}
            onMouseLeave={hide}
          >
            {children}
          </span>
        );
      },
      mark: (rest: ComponentProps<"mark"> & { "data-proof"?: number }) => {
        const claim = claimOf(rest["data-proof"]);
        if (!claim) return null;
        if (claim.proofs.length === 0)
          return claim.verdict === "unsupported" || claim.verdict === "hypothesis" ? (
            <span className="verdict-mark" data-verdict={claim.verdict}>
              {claim.verdict === "unsupported" ? "not proved" : "hypothesis"}
            </span>
          ) : null;
        return (
          <span className="with-proof">
            <button
              type="button"
              className="proof"
              aria-label={`Evidence for this sentence: ${verdictOf(claim.verdict)}`}
              disabled={now.current.draft}
              onFocus={show({ claim })}
              onBlur={hide}
              onClick={(event) => {
                event.stopPropagation();
                openClaim(claim);
              }}
            />
          </span>
        );
      },
      cite: ({ children, ...rest }: ComponentProps<"cite"> & { "data-cites"?: string; "data-within"?: number }) => {
        const within = claimOf(rest["data-within"])?.text;
        const words = String(rest["data-cites"]);
        const { receipt, source } = cited(words);
        const what = { ...(receipt && { receipt }), ...(source && { source }) };
        return (
          <button
            type="button"
            className="citation"
            aria-label={`Open the evidence: ${words}`}
            onFocus={show(what)}
            onBlur={hide}
            onMouseOver={show(what)}
            onMouseLeave={hide}
            onClick={(event) => {
              event.stopPropagation();
              const { open, key } = now.current;
              if (!receipt) return;
              const cites = { ...(source && { source }), ...(within !== undefined && { within }) };
              open({ receipt, proofs: kNothing, ...cites, words: source?.title ?? words, turn: key });
            }}
          >
            {children}
          </button>
        );
      },
    };
  }, []);
  return (
    <Markdown remarkPlugins={[readGfm]} rehypePlugins={[plugin]} components={components}>
      {turn.text}
    </Markdown>
  );
});

export function AnswerText({ turn, open }: { turn: Turn; open: (opened: Opened) => void }) {
  const [peeked, setPeeked] = useState<Peeked | null>(null);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const still = useRef(false); // what moves below a pointer at rest is not looked at
  const peek = useRef((next: Peeked | null) => {
    clearTimeout(waiting.current);
    if (still.current) return;
    waiting.current = setTimeout(() => setPeeked(next), next ? kHover : 60);
  });
  const opens = useRef(open);
  opens.current = open;
  const openOnce = useRef((opened: Opened) => {
    clearTimeout(waiting.current);
    still.current = true;
    setPeeked(null);
    opens.current(opened);
  });
  useEffect(() => {
    if (!peeked) return;
    const hide = () => setPeeked(null);
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && hide();
    addEventListener("scroll", hide, true);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("scroll", hide, true);
      removeEventListener("keydown", onKey);
    };
  }, [peeked]);
  useEffect(() => {
    const moves = ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) still.current = false;
    };
    addEventListener("pointermove", moves);
    addEventListener("keydown", release);
    return () => {
      removeEventListener("pointermove", moves);
      removeEventListener("keydown", release);
      clearTimeout(waiting.current);
    };
    function release() {
      still.current = false;
    }
  }, []);
  if (!turn.text) return null;
  // While an answer is checked, the calls tell of the receipts that are to come.
  const receipts = turn.answer?.receipts ?? turn.calls.map((call) => ({ ...call, at: "" }));
  return (
    <div className="markdown" data-testid="answer">
      <MarkedText turn={turn} open={openOnce.current} peek={peek.current} />
      {peeked && <Peek peeked={peeked} receipts={receipts} />}
    </div>
  );
}
