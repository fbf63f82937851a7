// An answer's Markdown, with the claims marked by their verdicts and the citations to open.
import { memo, useMemo, type ComponentProps } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import type { Claim, Proof, Receipt, Verdict } from "./api";
import { citedBy, marks } from "./marks";
import type { Turn } from "./turn";

/** What the evidence panel shows: a receipt, with the bytes of its text that prove something. */
export interface Opened {
  receipt: Receipt;
  proofs: Proof[];
  claim?: Claim;
  words?: string; // the citation's
  turn: string; // its key
}

const kVerdict: Record<Verdict, string> = {
  supported: "proved",
  hypothesis: "a hypothesis, not proved",
  unsupported: "nothing that was found says so",
  general_knowledge: "general knowledge",
};

export const verdictOf = (verdict: Verdict) => kVerdict[verdict];

function tipOf(claim: Claim, receipts: Receipt[]): string {
  const ids = [...new Set(claim.proofs.map((proof) => proof.receipt))];
  const notes = ids.map((id) => receipts.find((receipt) => receipt.id === id)?.note ?? id);
  return [`${verdictOf(claim.verdict)}: ${claim.reason}`, ...notes].join("\n");
}

const kNothing: never[] = [];

export const AnswerText = memo(function AnswerText({ turn, open }: { turn: Turn; open: (opened: Opened) => void }) {
  const { claims } = turn;
  const sources = turn.answer?.sources ?? kNothing;
  const receipts = turn.answer?.receipts ?? kNothing;
  const sections = turn.answer?.sections ?? kNothing;
  const plugin = useMemo(
    () => marks({ text: turn.text, claims, sources, receipts, sections }),
    [turn.text, claims, sources, receipts, sections],
  );

  const openClaim = (claim: Claim) => {
    const receipt = receipts.find((one) => one.id === claim.proofs[0]?.receipt);
    if (receipt) open({ receipt, proofs: claim.proofs, claim, turn: turn.key });
  };
  const openCited = (words: string) => {
    const cited = citedBy(words, sources, receipts);
    const receipt = receipts.find((one) => one.id === cited?.receipt);
    if (receipt) open({ receipt, proofs: kNothing, words: cited?.source?.title ?? words, turn: turn.key });
  };
  const components: Components = {
    a: ({ href, children }) => (
      <a href={href} target="_blank" rel="noreferrer">
        {children}
      </a>
    ),
    span: ({ children, ...rest }: ComponentProps<"span"> & { "data-claim"?: number }) => {
      const claim = claims[Number(rest["data-claim"])];
      if (!claim) return <span>{children}</span>;
      return (
        <span className="claim" data-verdict={claim.verdict} title={tipOf(claim, receipts)} onClick={() => openClaim(claim)}>
          {children}
        </span>
      );
    },
    mark: (rest: ComponentProps<"mark"> & { "data-proof"?: number }) => {
      const claim = claims[Number(rest["data-proof"])];
      if (!claim || claim.proofs.length === 0) return null;
      return (
        <button
          type="button"
          className="proof"
          aria-label={`Evidence for this sentence, ${verdictOf(claim.verdict)}`}
          onClick={(event) => {
            event.stopPropagation();
            openClaim(claim);
          }}
        />
      );
    },
    cite: ({ children, ...rest }: ComponentProps<"cite"> & { "data-cites"?: string }) => {
      const cited = String(rest["data-cites"]);
      return (
        <button
          type="button"
          className="citation"
          aria-label={`Open the evidence: ${cited}`}
          onClick={(event) => {
            event.stopPropagation();
            openCited(cited);
          }}
        >
          {children}
        </button>
      );
    },
    table: ({ children }) => (
      <div className="wide" tabIndex={0} role="region" aria-label="A table">
        <table>{children}</table>
      </div>
    ),
  };
  if (!turn.text) return null;
  return (
    <div className="markdown" data-testid="answer">
      <Markdown remarkPlugins={[remarkGfm]} rehypePlugins={[plugin]} components={components}>
        {turn.text}
      </Markdown>
    </div>
  );
});
