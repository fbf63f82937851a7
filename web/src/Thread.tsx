// The chat: questions, answers, and where to type.
import {
  ActionBarPrimitive,
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  useAuiState,
  useExternalStoreRuntime,
  type AppendMessage,
  type ThreadMessageLike,
} from "@assistant-ui/react";
import { createContext, useContext, useEffect, useMemo, useRef, type ReactNode } from "react";
import { AnswerText, type Opened } from "./AnswerText";
import { Figures } from "./Figures";
import { Icon } from "./Icon";
import { addressOf } from "./place";
import { Thumbs } from "./Thumbs";
import { missingBeside, type Turn } from "./turn";
import type { Chat } from "./useChat";
import { Work } from "./Work";

const textOf = (message: AppendMessage) => message.content.map((part) => (part.type === "text" ? part.text : "")).join("");

const toMessages = (turns: Turn[]): ThreadMessageLike[] =>
  turns.flatMap((turn): ThreadMessageLike[] => [
    { role: "user", id: `${turn.key}?`, content: turn.question, metadata: { custom: { key: turn.key } } },
    {
      role: "assistant",
      id: `${turn.key}!`,
      content: turn.text,
      status: turn.running ? { type: "running" } : { type: "complete", reason: "stop" },
      metadata: { custom: { key: turn.key } },
    },
  ]);

interface Shown {
  chat: string;
  mayAsk: boolean;
  turns: Turn[];
  open: (opened: Opened) => void;
  retry: () => void;
}
const ShownContext = createContext<Shown>({ chat: "", mayAsk: false, turns: [], open: () => {}, retry: () => {} });

function useTurn(): Omit<Shown, "turns"> & { turn: Turn | undefined; isLast: boolean } {
  const key = useAuiState((state) => state.message.metadata.custom.key);
  const { turns, ...rest } = useContext(ShownContext);
  const at = turns.findIndex((turn) => turn.key === key);
  return { turn: turns[at], isLast: at === turns.length - 1, ...rest };
}

function Question() {
  const { turn, mayAsk } = useTurn();
  return (
    <MessagePrimitive.Root className="question" id={turn && `q-${turn.key}`}>
      <h2 className="unseen">You asked</h2>
      <div className="said">
        <MessagePrimitive.Parts />
      </div>
      <ActionBarPrimitive.Root className="actions">
        {turn && mayAsk && !turn.running && (
          <ActionBarPrimitive.Edit className="quiet" title="Ask something else here, in a fork of this conversation">
            Edit
          </ActionBarPrimitive.Edit>
        )}
      </ActionBarPrimitive.Root>
    </MessagePrimitive.Root>
  );
}

function EditQuestion() {
  return (
    <ComposerPrimitive.Root className="composer">
      <ComposerPrimitive.Input aria-label="Your question, changed" autoFocus />
      <ComposerPrimitive.Cancel className="quiet">Cancel</ComposerPrimitive.Cancel>
      <ComposerPrimitive.Send className="primary">Ask in a fork</ComposerPrimitive.Send>
    </ComposerPrimitive.Root>
  );
}

/** A text whose words between backquotes are code. */
const withCode = (text: string) => text.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));

function Notes({ turn }: { turn: Turn }) {
  const { answer } = turn;
  const missing = missingBeside(turn);
  return (
    <>
      {answer?.status === "needs_input" && (
        <p className="note">This is a question back to you. Answer it below, or ask something else.</p>
      )}
      {answer?.status === "refused" && <p className="note">Not answered: see above for why.</p>}
      {missing.length > 0 && (
        <div className="note">
          <strong>What is missing</strong>
          <ul>
            {missing.map((one) => (
              <li key={one}>{withCode(one)}</li>
            ))}
          </ul>
        </div>
      )}
      {turn.error && (
        <p className={turn.stopped ? "note" : "failure"} role="alert">
          {turn.error}
        </p>
      )}
    </>
  );
}

function Proved({ turn }: { turn: Turn }) {
  const grounding = turn.answer?.grounding;
  if (!grounding || grounding.claims === 0) return null;
  const left = [
    grounding.hypothesis > 0 && `${grounding.hypothesis} ${grounding.hypothesis === 1 ? "hypothesis" : "hypotheses"}`,
    grounding.unsupported > 0 && `${grounding.unsupported} unsupported`,
  ].filter(Boolean);
  return (
    <span className="proved">
      {grounding.supported} of {grounding.claims} claims proved{left.length > 0 && `, ${left.join(", ")}`}
    </span>
  );
}

function Reply() {
  const { turn, chat, mayAsk, isLast, open, retry } = useTurn();
  if (!turn) return null;
  return (
    <MessagePrimitive.Root className="answer" data-draft={turn.draft || undefined} aria-busy={turn.running}>
      <h2 className="unseen">precedent</h2>
      <Work turn={turn} open={open} />
      <AnswerText turn={turn} open={open} />
      {turn.draft && <p className="drafting">A draft: each sentence is marked as it is checked.</p>}
      <Figures turn={turn} open={open} />
      <Notes turn={turn} />
      {!turn.running && (
        <div className="actions">
          <Proved turn={turn} />
          {turn.text && (
            <ActionBarPrimitive.Copy className="quiet" copiedDuration={1500} aria-label="Copy the answer" title="Copy">
              <Icon name="copy" />
            </ActionBarPrimitive.Copy>
          )}
          {mayAsk && isLast && (
            <button type="button" className="quiet" onClick={retry} aria-label="Ask again" title="Ask again">
              <Icon name="again" />
            </button>
          )}
          <a
            className="quiet"
            href={addressOf({ view: "history", id: chat })}
            aria-label="Steps of this conversation"
            title="Steps"
          >
            <Icon name="steps" />
          </a>
          {turn.text && !turn.error && <Thumbs chat={chat} turn={turn} isLast={isLast} />}
        </div>
      )}
    </MessagePrimitive.Root>
  );
}

const kComponents = { UserMessage: Question, AssistantMessage: Reply, UserEditComposer: EditQuestion };
const asItIs = (message: ThreadMessageLike) => message;

// An answer is read from its beginning: the question goes to the top when it is asked and when it
// is answered, unless somebody scrolled meanwhile.
function useLastQuestionOnTop(chat: Chat) {
  const last = chat.turns.at(-1);
  const placed = useRef<{ key: string; top: number } | null>(null);
  useEffect(() => {
    if (!last) return;
    const question = document.getElementById(`q-${last.key}`);
    const viewport = question?.closest(".viewport");
    if (!question || !viewport) return;
    if (placed.current?.key === last.key && placed.current.top !== viewport.scrollTop) return;
    question.scrollIntoView({ block: "start" });
    placed.current = { key: last.key, top: viewport.scrollTop };
  }, [last?.key, last?.running, last]);
}

interface Props {
  chat: Chat;
  open: (opened: Opened) => void;
  welcome: ReactNode;
  mayAsk: boolean;
}

export function Thread({ chat, open, welcome, mayAsk }: Props) {
  useLastQuestionOnTop(chat);
  const messages = useMemo(() => toMessages(chat.turns), [chat.turns]);
  const shown = useMemo(
    () => ({ chat: chat.id, mayAsk, turns: chat.turns, open, retry: chat.retry }),
    [chat.id, mayAsk, chat.turns, chat.retry, open],
  );
  const runtime = useExternalStoreRuntime<ThreadMessageLike>({
    messages,
    isRunning: chat.running,
    convertMessage: asItIs,
    onNew: (message) => Promise.resolve(chat.ask(textOf(message))),
    onEdit: (message) => {
      const n = chat.turns.findIndex((turn) => `${turn.key}?` === message.sourceId);
      return chat.askInstead(n < 0 ? chat.turns.length : n, textOf(message));
    },
    onCancel: () => Promise.resolve(chat.stop()),
  });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ShownContext.Provider value={shown}>
        <ThreadPrimitive.Root className="thread">
          <ThreadPrimitive.Viewport
            className="viewport"
            autoScroll={false}
            scrollToBottomOnRunStart={false}
            scrollToBottomOnInitialize={false}
            scrollToBottomOnThreadSwitch={false}
            role="log"
            aria-label="Conversation"
            tabIndex={0}
          >
            {chat.turns.length === 0 && !chat.loading && !chat.problem && welcome}
            {chat.problem && (
              <p className="failure" role="alert">
                {chat.problem}
              </p>
            )}
            <ThreadPrimitive.Messages components={kComponents} />
          </ThreadPrimitive.Viewport>
          {mayAsk ? (
            <ComposerPrimitive.Root className="composer">
              <ComposerPrimitive.Input
                rows={1}
                placeholder="Ask about an incident, a service, a runbook, a metric…"
                aria-label="Your question"
                autoFocus
              />
              {chat.running ? (
                <button type="button" className="primary" onClick={chat.stop}>
                  Stop
                </button>
              ) : (
                <ComposerPrimitive.Send className="primary">Ask</ComposerPrimitive.Send>
              )}
            </ComposerPrimitive.Root>
          ) : (
            <p className="composer faint">You may read here, but not ask. An administrator can change that.</p>
          )}
        </ThreadPrimitive.Root>
      </ShownContext.Provider>
    </AssistantRuntimeProvider>
  );
}
