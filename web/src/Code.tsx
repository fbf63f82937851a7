// An excerpt of code, with its path and the numbers of its lines; some of them may be marked.
import { useEffect, useRef } from "react";
import { highlighted, languageOf } from "./highlight";
import type { Lines } from "./place";

interface Props {
  path: string;
  text: string;
  begin: number;
  marked?: Lines | undefined;
  language?: string | undefined; // instead of what the path's ending says
}

export default function Code({ path, text, begin, marked, language }: Props) {
  const known = languageOf(language ?? path.slice(path.lastIndexOf(".") + 1));
  const shown = text.replace(/\n$/, "");
  const lines = shown.split("\n").length;
  const first = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    first.current?.scrollIntoView({ block: "center" });
  }, [marked]);
  const isMarked = (line: number) => marked !== undefined && marked.begin <= line && line <= marked.end;
  return (
    <figure className="code">
      <figcaption>
        {path}:{begin}-{begin + lines - 1}
      </figcaption>
      <pre tabIndex={0} role="group" aria-label={`${path} from line ${begin}`}>
        <span className="numbers" aria-hidden="true">
          {Array.from({ length: lines }, (_, i) => (
            <span key={i} data-marked={isMarked(begin + i) || undefined} ref={begin + i === marked?.begin ? first : null}>
              {`${begin + i}\n`}
            </span>
          ))}
        </span>
        {known ? <code dangerouslySetInnerHTML={{ __html: highlighted(shown, known) }} /> : <code>{shown}</code>}
      </pre>
    </figure>
  );
}
