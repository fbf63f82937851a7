// What an empty conversation shows: three good questions, or how to begin.
import { useEffect, useState } from "react";
import { call, readiness, type Readiness } from "./api";

export function Welcome({ ask }: { ask: (question: string) => void }) {
  const [questions, setQuestions] = useState<string[] | null>(null);
  const [ready, setReady] = useState<Readiness | null>(null);
  useEffect(() => {
    let left = false;
    call<{ questions: string[] }>("GET", "/suggestions")
      .then((found) => !left && setQuestions(found.questions))
      .catch(() => !left && setQuestions([]));
    readiness()
      .then((found) => !left && setReady(found))
      .catch(() => {});
    return () => {
      left = true;
    };
  }, []);
  const unready = ready?.parts.filter((part) => !part.ready) ?? [];
  return (
    <section className="welcome">
      <h2>What is going on?</h2>
      <p>Ask as you would ask a colleague. Every claim of an answer opens what proves it.</p>
      {unready.map((part) => (
        <p key={part.name} className="failure" role="alert">
          {part.name}: {part.detail}
        </p>
      ))}
      {questions !== null && questions.length === 0 && unready.length === 0 && (
        <div className="note">
          <p>There is nothing to ask about yet. Give it your incidents and runbooks, or the sample company:</p>
          <pre>precedent ingest YOUR-FOLDER{"\n"}make demo</pre>
        </div>
      )}
      <div className="suggestions">
        {questions?.map((question) => (
          <button type="button" key={question} onClick={() => ask(question)}>
            {question}
          </button>
        ))}
      </div>
    </section>
  );
}
