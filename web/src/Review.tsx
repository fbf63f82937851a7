// For editors: feedback that waits, and golden examples.
import { useCallback, useEffect, useState } from "react";
import Markdown from "react-markdown";
import readGfm from "./gfm";
import { kBlocks } from "./AnswerText";
import {
  activateGolden,
  addGolden,
  close,
  editGolden,
  feedback,
  golden,
  removeGolden,
  reviewGolden,
  type Draft,
  type Feedback,
  type Golden,
} from "./desk";
import { Icon } from "./Icon";
import "./knowledge.css";
import { said } from "./net";
import { addressOf } from "./place";

type Act = (work: () => Promise<unknown>) => Promise<void>;

function Text({ text }: { text: string }) {
  return (
    <div className="markdown">
      <Markdown remarkPlugins={[readGfm]} components={kBlocks}>
        {text}
      </Markdown>
    </div>
  );
}

function FeedbackCard({ one, act }: { one: Feedback; act: Act }) {
  const [writes, setWrites] = useState(false);
  const [answer, setAnswer] = useState(one.answer);
  const isOpen = one.state === "pending";
  const isDown = one.verdict === "down";
  return (
    <li className="card">
      <div className="row">
        <span className="thumb" data-verdict={one.verdict}>
          <Icon name={one.verdict} />
          <span>{isDown ? "Did not help" : "Helped"}</span>
        </span>
        <span className="faint">
          {one.id} · {one.created_at.slice(0, 10)}
        </span>
        {!isOpen && <span className="tag">{one.golden ? `became ${one.golden}` : one.state}</span>}
      </div>
      <h3>{one.question}</h3>
      {one.reason && <p className="said-why">“{one.reason}”</p>}
      <details>
        <summary>The answer</summary>
        <Text text={one.answer} />
      </details>
      {writes && (
        <label className="writes">
          {isDown ? "The answer as it should be" : "The answer, as others will see it"}
          <textarea rows={8} value={answer} onChange={(event) => setAnswer(event.target.value)} />
        </label>
      )}
      {isOpen && (
        <div className="row">
          {writes ? (
            <>
              <button
                type="button"
                className="primary small"
                disabled={!answer.trim() || (isDown && answer.trim() === one.answer.trim())}
                onClick={() => void act(() => close(one.id, "golden", answer))}
              >
                Make it a golden example
              </button>
              <button type="button" className="quiet" onClick={() => setWrites(false)}>
                Cancel
              </button>
              {isDown && answer.trim() === one.answer.trim() && (
                <span className="faint">Correct the answer first: it did not help.</span>
              )}
            </>
          ) : (
            <>
              <button type="button" className="secondary" onClick={() => setWrites(true)}>
                Make a golden example
              </button>
              <button type="button" className="quiet" onClick={() => void act(() => close(one.id, "dismissed"))}>
                Dismiss
              </button>
            </>
          )}
        </div>
      )}
    </li>
  );
}

const listOf = (text: string) =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);

function GoldenForm({ start, save, cancel }: { start: Draft; save: (draft: Draft) => void; cancel: () => void }) {
  return (
    <form
      className="golden-form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        save({
          question: String(form.get("question")).trim(),
          answer: String(form.get("answer")).trim(),
          sources: listOf(String(form.get("sources"))),
          tags: listOf(String(form.get("tags"))),
        });
      }}
    >
      <label>
        Question
        <input name="question" required defaultValue={start.question} autoFocus />
      </label>
      <label>
        Answer
        <textarea name="answer" required rows={8} defaultValue={start.answer} />
      </label>
      <div className="fields-of">
        <label>
          Sources (ids, with commas between)
          <input name="sources" defaultValue={start.sources.join(", ")} placeholder="INC-2026-11-18-001, kb-2f15abbfd1cf" />
        </label>
        <label>
          Tags
          <input name="tags" defaultValue={start.tags.join(", ")} />
        </label>
      </div>
      <div className="row">
        <button type="submit" className="primary small">
          Save
        </button>
        <button type="button" className="quiet" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

const stateNames = { served: "in use", pending: "waits for review", inactive: "switched off" };
const stateOf = (one: Golden) => (one.served ? "served" : one.active ? "pending" : "inactive");
const isOutdated = (one: Golden) => (one.outdated_sources ?? []).length > 0;

function GoldenCard({ one, act }: { one: Golden; act: Act }) {
  const [edits, setEdits] = useState(false);
  const [deletes, setDeletes] = useState(false);
  if (edits)
    return (
      <li className="card">
        <GoldenForm start={one} cancel={() => setEdits(false)} save={(draft) => void act(() => editGolden(one.id, draft))} />
      </li>
    );
  return (
    <li className="card">
      <div className="row">
        <span className="tag" data-state={stateOf(one)}>
          {stateNames[stateOf(one)]}
        </span>
        <span className="faint">
          {one.id}
          {one.reviewed_by && ` · reviewed by ${one.reviewed_by}`}
        </span>
      </div>
      <h3>{one.question}</h3>
      {isOutdated(one) && (
        <p className="note">
          Not in use: {one.outdated_sources!.join(", ")} changed since it was reviewed. Read the answer again, then mark it.
        </p>
      )}
      <details>
        <summary>The answer</summary>
        <Text text={one.answer} />
        {one.rejected_answer && (
          <>
            <p className="faint">Instead of this one, which did not help:</p>
            <Text text={one.rejected_answer} />
          </>
        )}
      </details>
      {one.sources.length > 0 && (
        <p className="faint">
          Rests on{" "}
          {one.sources.map((id, i) => (
            <span key={id}>
              {i > 0 && ", "}
              <a href={addressOf({ view: "document", id })}>{id}</a>
            </span>
          ))}
        </p>
      )}
      <div className="row">
        {(!one.reviewed || isOutdated(one)) && (
          <button type="button" className="primary small" onClick={() => void act(() => reviewGolden(one.id))}>
            Mark as reviewed
          </button>
        )}
        <button type="button" className="secondary" onClick={() => setEdits(true)}>
          Edit
        </button>
        <button type="button" className="quiet" onClick={() => void act(() => activateGolden(one.id, !one.active))}>
          {one.active ? "Switch off" : "Switch on"}
        </button>
        {deletes ? (
          <>
            <span>Delete it for good?</span>
            <button type="button" className="quiet danger" autoFocus onClick={() => void act(() => removeGolden(one.id))}>
              Delete it
            </button>
            <button type="button" className="quiet" onClick={() => setDeletes(false)}>
              Keep it
            </button>
          </>
        ) : (
          <button type="button" className="quiet danger" onClick={() => setDeletes(true)}>
            Delete
          </button>
        )}
      </div>
    </li>
  );
}

const choices = {
  feedback: [
    ["pending", "Waiting"],
    ["all", "All"],
  ],
  golden: [
    ["all", "All"],
    ["pending", "Waiting for review"],
    ["served", "In use"],
    ["inactive", "Switched off"],
  ],
} as const;

const nothing = {
  feedback: "No feedback to review. Thumbs under an answer come here.",
  golden: "No golden example matches. A good answer becomes one, and later answers to such questions follow it.",
};

export default function Review({ of, mayEdit }: { of: "feedback" | "golden"; mayEdit: boolean }) {
  const [state, setState] = useState<string>(choices[of][0][0]);
  const [items, setItems] = useState<(Feedback | Golden)[] | null>(null);
  const [problem, setProblem] = useState("");
  const [isNew, setNew] = useState(false);

  const load = useCallback(async () => {
    setItems(of === "feedback" ? await feedback(state === "pending") : await golden(state));
  }, [of, state]);
  useEffect(() => {
    if (mayEdit) load().catch((error: unknown) => setProblem(said(error)));
  }, [load, mayEdit]);
  const act: Act = async (work) => {
    setProblem("");
    try {
      await work();
      setNew(false);
      await load();
    } catch (error) {
      setProblem(said(error));
    }
  };
  const tab = (to: "feedback" | "golden", name: string) => (
    <a href={addressOf({ view: "review", of: to })} aria-current={of === to ? "page" : undefined}>
      {name}
    </a>
  );
  return (
    <main className="review">
      <header className="head">
        <h1>Review</h1>
        <nav className="tabs" aria-label="What to review">
          {tab("feedback", "Feedback")}
          {tab("golden", "Golden examples")}
        </nav>
      </header>
      {!mayEdit && <p className="note">Only editors review. Ask an administrator for that role.</p>}
      {mayEdit && (
        <div className="row choices">
          <div className="row" role="group" aria-label="Which">
            {choices[of].map(([value, name]) => (
              <button key={value} type="button" className="chip" aria-pressed={state === value} onClick={() => setState(value)}>
                {name}
              </button>
            ))}
          </div>
          {of === "golden" && !isNew && (
            <button type="button" className="secondary" onClick={() => setNew(true)}>
              Write one
            </button>
          )}
        </div>
      )}
      {problem && (
        <p className="failure" role="alert">
          {problem}
        </p>
      )}
      {isNew && (
        <div className="card">
          <GoldenForm
            start={{ question: "", answer: "", sources: [], tags: [] }}
            cancel={() => setNew(false)}
            save={(draft) => void act(() => addGolden(draft))}
          />
        </div>
      )}
      {items?.length === 0 && !isNew && <p className="faint nothing">{nothing[of]}</p>}
      <ul>
        {items?.map((one) =>
          "verdict" in one ? (
            <FeedbackCard key={`${one.id}${one.state}`} one={one} act={act} />
          ) : (
            <GoldenCard key={`${one.id}${one.updated_at}${stateOf(one)}`} one={one} act={act} />
          ),
        )}
      </ul>
    </main>
  );
}
