// What a sentence or a citation rests on, shown beside it before anybody clicks.
import { createPortal } from "react-dom";
import { useLayoutEffect, useRef } from "react";
import type { Claim, Receipt, Source } from "./api";
import { proofLines } from "./proof";
import { verdictOf } from "./verdict";

export interface Peeked {
  at: HTMLElement;
  claim?: Claim;
  receipt?: Receipt;
  source?: Source;
}

const kMostLines = 3;
const kMost = 4; // receipts

const plain = (line: string) => line.replace(/\*\*|`|^#+ /g, "").trim();
const note = (receipt: Receipt) => (receipt.note ?? "").replace(`${receipt.id} ${receipt.tool}: `, "");

function Proof({ receipt, claim, source }: { receipt: Receipt; claim?: Claim | undefined; source?: Source | undefined }) {
  const lines = proofLines(receipt, { proofs: claim?.proofs ?? [], ...(claim && { claim }), ...(source && { source }) })
    .filter((line) => line.proves && plain(line.text))
    .slice(0, kMostLines);
  return (
    <div className="peeked">
      <p>
        <b>{receipt.id}</b> {receipt.tool}
      </p>
      {lines.length > 0 ? lines.map((line, i) => <p key={i}>{plain(line.text)}</p>) : <p>{note(receipt)}</p>}
    </div>
  );
}

export function Peek({ peeked, receipts }: { peeked: Peeked; receipts: Receipt[] }) {
  const box = useRef<HTMLDivElement>(null);
  const { claim, source } = peeked;
  useLayoutEffect(() => {
    const own = box.current!;
    // The first line of what may be broken over several.
    const at = peeked.at.getClientRects()[0] ?? peeked.at.getBoundingClientRect();
    const left = Math.max(8, Math.min(at.left, innerWidth - own.offsetWidth - 8));
    const above = at.top - own.offsetHeight - 6;
    own.style.left = `${left}px`;
    own.style.top = `${above > 56 ? above : peeked.at.getBoundingClientRect().bottom + 6}px`;
  }, [peeked]);
  const ids = new Set(peeked.receipt ? [peeked.receipt.id] : claim?.proofs.map((proof) => proof.receipt));
  const proving = receipts.filter((receipt) => ids.has(receipt.id));
  // Everything in it opens by a click or by Enter, too, where a screen reader finds it.
  return createPortal(
    <div className="peek" ref={box} aria-hidden="true" data-verdict={claim?.verdict}>
      {claim && (
        <p className="verdict">
          <b>{verdictOf(claim.verdict)}:</b> {claim.reason}
        </p>
      )}
      {source && (
        <p className="verdict">
          <b>{source.title}</b> {source.path}
          {source.lines && `:${source.lines.begin}`}
        </p>
      )}
      {proving.slice(0, kMost).map((receipt) => (
        <Proof key={receipt.id} receipt={receipt} claim={claim} source={source} />
      ))}
      {proving.length > kMost && <p className="more">and {proving.length - kMost} more</p>}
    </div>,
    document.body,
  );
}
