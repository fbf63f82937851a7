// What an empty conversation shows: three good questions, or how to begin.
import { useEffect, useState } from "react";
import { readiness, type Readiness } from "./api";
import { Icon } from "./Icon";
import { documents } from "./knowledge";
import { call } from "./net";

const kLook = 3000; // ms

function FirstSteps({ mayEdit }: { mayEdit: boolean }) {
  if (!mayEdit)
    return <p className="note">You have access to no documents here yet. Ask whoever runs this server to add some.</p>;
  return (
    <>
      <div className="first-steps">
        <section>
          <h3>See it work</h3>
          <p>There is a sample company, with incidents and runbooks to ask about. Run this in precedent's source folder:</p>
          <pre tabIndex={0} aria-label="Command for the sample company">
            precedent ingest examples
          </pre>
        </section>
        <section>
          <h3>Use your own</h3>
          <p>Give it a folder of incidents, runbooks and post-mortems:</p>
          <pre tabIndex={0} aria-label="Command for your own folder">
            precedent ingest YOUR-FOLDER
          </pre>
          <p>
            Or{" "}
            <a href="#/upload">
              <Icon name="upload" /> upload files
            </a>{" "}
            here: JSON, CSV or Markdown.
          </p>
        </section>
      </div>
      <p>
        If this server was started with <code>--data-dir</code>, add the same to the command. Questions to begin with appear here
        as soon as it has finished.
      </p>
    </>
  );
}

export function Welcome({ ask, mayAsk, mayEdit }: { ask: (question: string) => void; mayAsk: boolean; mayEdit: boolean }) {
  const [questions, setQuestions] = useState<string[]>([]);
  const [ready, setReady] = useState<Readiness | null>(null);
  const [isEmpty, setEmpty] = useState(false);
  // Documents are added elsewhere: until there are some, it is looked again.
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    if (!isEmpty) return;
    const wait = setTimeout(() => setLooks(looks + 1), kLook);
    return () => clearTimeout(wait);
  }, [isEmpty, looks]);
  useEffect(() => {
    let left = false;
    call<{ questions: string[] }>("GET", "/suggestions")
      .then((found) => !left && setQuestions(found.questions))
      .catch(() => {}); // the question's own answer will say what is wrong
    documents({ limit: 1 })
      .then((found) => !left && setEmpty(found.total === 0))
      .catch(() => {});
    readiness()
      .then((found) => !left && setReady(found))
      .catch(() => {});
    return () => {
      left = true;
    };
  }, [looks]);
  const unready = isEmpty ? [] : (ready?.parts.filter((part) => !part.ready) ?? []);
  const known = ready?.parts.find((part) => part.name === "store")?.detail;
  return (
    <section className="welcome">
      <h2>{isEmpty ? "Nothing to answer from yet" : mayAsk ? "What is going on?" : "What is written down"}</h2>
      <p>
        {isEmpty ? (
          "precedent answers from what your company wrote down, and proves every sentence."
        ) : mayAsk ? (
          "Ask as you would ask a colleague. Every sentence of an answer opens what proves it."
        ) : (
          <>
            Read and search what you have access to under <a href="#/documents">Knowledge</a>.
          </>
        )}
      </p>
      {unready.map((part) => (
        <p key={part.name} className="failure" role="alert">
          {part.name}: {part.detail}
        </p>
      ))}
      {isEmpty && <FirstSteps mayEdit={mayEdit} />}
      {!isEmpty && mayAsk && (
        <div className="suggestions">
          {questions.map((question) => (
            <button type="button" key={question} onClick={() => ask(question)}>
              {question}
            </button>
          ))}
        </div>
      )}
      {!isEmpty && known && (
        <p className="known">
          <a href="#/documents">{known}</a> to answer from
        </p>
      )}
    </section>
  );
}
