// One chat as the page holds it: its turns, and how to ask, stop, and go on after a reload.
import { useCallback, useEffect, useRef, useState } from "react";
import { answerTo, ask, follow, fork, kept, stop } from "./api";
import { randomId } from "./ids";
import { isAbort, Problem, said, type StreamEvent } from "./net";
import { after, newTurn, turnsOf, type Turn } from "./turn";

export interface Chat {
  id: string;
  title: string;
  turns: Turn[];
  loading: boolean;
  problem: string;
  running: boolean;
  ask: (question: string) => void;
  stop: () => void;
  retry: () => void;
  /** Asks another question instead of the nth, in a fork; resolves to the fork's id. */
  askInstead: (n: number, question: string) => Promise<void>;
}

const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms));

/** Which chat is meant. */
export interface Chosen {
  id: string;
  isNew: boolean; // nothing is kept of it yet
  first?: string; // a question to ask in it at once
}

export interface ChatEvents {
  begin: () => void; // something is asked: from now on the chat has an address
  change: () => void; // its title or its place in the list may be another
  fork: (chosen: Chosen) => void;
}

export function useChat({ id, isNew, first }: Chosen, on: ChatEvents): Chat {
  const [turns, setTurns] = useState<Turn[]>([]);
  const [title, setTitle] = useState("");
  const [loading, setLoading] = useState(false);
  const [problem, setProblem] = useState("");
  const listening = useRef<AbortController | null>(null);
  const changed = useRef(on.change);
  changed.current = on.change;
  const begun = useRef(on.begin);
  begun.current = on.begin;

  const change = useCallback((key: string, edit: (turn: Turn) => Turn) => {
    setTurns((all) => all.map((turn) => (turn.key === key ? edit(turn) : turn)));
  }, []);

  // Reads a stream to its end; a line that drops is joined again from the last event seen.
  const listen = useCallback(
    async (key: string, begin: (signal: AbortSignal) => AsyncGenerator<StreamEvent>) => {
      listening.current?.abort();
      const own = new AbortController();
      listening.current = own;
      let stream = begin(own.signal);
      let last = "";
      let ended = false;
      for (let tries = 0; !ended;) {
        try {
          for await (const event of stream) {
            last = event.id || last;
            tries = 0;
            ended = event.name === "complete" || event.name === "error";
            if (event.name === "title") setTitle(String(event.data.title));
            if (event.name === "complete") setTitle(String(event.data.title ?? ""));
            change(key, (turn) => after(turn, event));
          }
        } catch (error) {
          if (isAbort(error)) return;
          const refused = error instanceof Problem && error.status !== 0;
          if (refused || !last) {
            change(key, (turn) => ({ ...turn, error: said(error), running: false, status: "" }));
            return;
          }
        }
        if (ended) break;
        if (++tries > 6) {
          change(key, (turn) => ({
            ...turn,
            error: "The connection to the server is lost. Reload the page to continue.",
            running: false,
          }));
          return;
        }
        change(key, (turn) => ({ ...turn, status: "Connection lost; reconnecting…" }));
        await pause(250 * 2 ** tries);
        if (own.signal.aborted) return;
        stream = follow(id, last, own.signal);
      }
      changed.current();
    },
    [change, id],
  );

  const begin = useCallback(
    (question: string) => {
      const key = randomId();
      setTurns((all) => [...all, newTurn(key, question)]);
      void listen(key, (signal) => ask(id, question, signal));
      begun.current();
      setTimeout(() => changed.current(), 300); // by then it is listed
    },
    [id, listen],
  );

  // The evidence of earlier answers, the latest first: they can be read without it.
  const recall = useCallback(
    async (earlier: Turn[], signal: AbortSignal) => {
      for (let n = earlier.length; n > 0; n--) {
        const { key, text } = earlier[n - 1]!;
        if (!text) continue;
        try {
          const data = await answerTo(id, n, signal);
          change(key, (turn) => after(turn, { id: "", name: "complete", data }));
        } catch (error) {
          if (isAbort(error)) return;
          if (!(error instanceof Problem) || error.status !== 404) return; // 404: that of others may be kept
        }
      }
    },
    [change, id],
  );

  useEffect(() => {
    let left = false;
    const recalling = new AbortController();
    const leave = () => {
      left = true;
      recalling.abort();
      listening.current?.abort();
    };
    if (isNew) {
      if (first !== undefined) setTimeout(() => left || begin(first));
      return leave;
    }
    setLoading(true);
    kept(id)
      .then((chat) => {
        if (left) return;
        setTitle(chat.title);
        const all = turnsOf(chat.messages);
        const isLastTold = first === undefined && !(chat.running_turn && all.at(-1)?.text);
        void recall(isLastTold ? all.slice(0, -1) : [...all], recalling.signal);
        if (first !== undefined) {
          setTurns(all);
          begin(first);
          return;
        }
        // A turn that has only begun tells its question itself.
        if (chat.running_turn && (all.length === 0 || all.at(-1)!.text)) all.push(newTurn("running", "…"));
        const last = all.at(-1);
        if (last)
          all[all.length - 1] = { ...last, text: chat.running_turn ? "" : last.text, running: chat.running_turn !== null };
        setTurns(all);
        if (last) void listen(last.key, (signal) => follow(id, "", signal));
      })
      .catch((error: unknown) => !left && setProblem(said(error)))
      .finally(() => setLoading(false));
    return leave;
  }, [id, isNew, first, begin, listen, recall]);

  const running = turns.at(-1)?.running ?? false;
  const question = running ? undefined : turns.at(-1)?.question;
  const retry = useCallback(() => {
    if (question !== undefined) begin(question);
  }, [begin, question]);
  return {
    id,
    title,
    turns,
    loading,
    problem,
    running,
    ask: begin,
    stop: () => void stop(id).catch((error: unknown) => setProblem(said(error))),
    retry,
    askInstead: async (n, question) => {
      try {
        const copy = await fork(id, n);
        on.fork({ id: copy.chat_id, isNew: n === 0, first: question });
      } catch (error) {
        setProblem(said(error));
      }
    },
  };
}
