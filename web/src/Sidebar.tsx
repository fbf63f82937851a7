// The conversations: to search, open, rename, fork and put away.
import { useEffect, useRef, useState } from "react";
import { archive, chats, fork, rename, type ChatSummary } from "./api";
import { said } from "./net";
import { addressOf } from "./place";

/** The title of the chat that is open; the list has it once its turn has ended. */
export interface Named {
  id: string;
  title: string;
}

interface Props {
  current: string;
  named: Named;
  changes: number; // one more whenever a chat has changed
  open: (id: string) => void;
  begin: () => void;
}

function when(time: string): string {
  const days = Math.floor((Date.now() - Date.parse(time)) / 86_400_000);
  if (days < 1) return "today";
  return days < 2 ? "yesterday" : time.slice(0, 10);
}

function Entry({
  chat,
  props,
  changed,
  failed,
}: {
  chat: ChatSummary;
  props: Props;
  changed: () => void;
  failed: (error: unknown) => void;
}) {
  const [renaming, setRenaming] = useState(false);
  const title = chat.title || (props.named.id === chat.chat_id ? props.named.title : "");
  const menu = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    const close = () => setOpen(false);
    const leave = (event: Event) => menu.current?.contains(event.target as Node) || close();
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      close();
      menu.current?.querySelector("summary")?.focus();
    };
    addEventListener("pointerdown", leave);
    addEventListener("focusin", leave);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("pointerdown", leave);
      removeEventListener("focusin", leave);
      removeEventListener("keydown", onKey);
    };
  }, [isOpen]);
  const act = (work: () => Promise<unknown>) => {
    setOpen(false);
    work().then(changed).catch(failed);
  };
  if (renaming)
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const title = String(new FormData(event.currentTarget).get("title"));
          setRenaming(false);
          act(() => rename(chat.chat_id, title));
        }}
      >
        <input
          name="title"
          aria-label="The conversation's title"
          defaultValue={chat.title}
          autoFocus
          onBlur={() => setRenaming(false)}
          onKeyDown={(event) => event.key === "Escape" && setRenaming(false)}
        />
      </form>
    );
  return (
    <>
      <a
        href={`#${chat.chat_id}`}
        aria-current={chat.chat_id === props.current ? "page" : undefined}
        onClick={(event) => {
          event.preventDefault();
          props.open(chat.chat_id);
        }}
      >
        <span className="title">{title || "Untitled"}</span>
        <span className="when">{when(chat.updated)}</span>
      </a>
      <details className="menu" ref={menu} open={isOpen}>
        {/* The state alone opens it: the browser's own toggle tells a moment later, and an Esc between is lost. */}
        <summary
          aria-label={`What to do with ${title || "this conversation"}`}
          onClick={(event) => {
            event.preventDefault();
            setOpen(!isOpen);
          }}
        >
          ⋯
        </summary>
        <div>
          <button
            type="button"
            onClick={() => {
              setOpen(false);
              setRenaming(true);
            }}
          >
            Rename
          </button>
          <a href={addressOf({ view: "history", id: chat.chat_id })}>Steps</a>
          <button type="button" onClick={() => act(async () => props.open((await fork(chat.chat_id)).chat_id))}>
            Fork
          </button>
          <button
            type="button"
            onClick={() =>
              act(async () => {
                await archive(chat.chat_id);
                if (chat.chat_id === props.current) props.begin();
              })
            }
          >
            Archive
          </button>
        </div>
      </details>
    </>
  );
}

export function Sidebar(props: Props) {
  const [search, setSearch] = useState("");
  const [found, setFound] = useState<ChatSummary[]>([]);
  const [next, setNext] = useState<number | null>(null);
  const [problem, setProblem] = useState("");
  const [own, setOwn] = useState(0);
  const failed = (error: unknown) => setProblem(said(error));

  useEffect(() => {
    let left = false;
    const wait = setTimeout(
      () =>
        void chats(search, 0)
          .then((page) => {
            if (left) return;
            setProblem("");
            setFound(page.chats);
            setNext(page.next_offset);
          })
          .catch((error: unknown) => !left && failed(error)),
      search ? 200 : 0,
    );
    return () => {
      left = true;
      clearTimeout(wait);
    };
  }, [search, props.changes, own]);

  return (
    <nav className="sidebar" aria-label="Conversations">
      <button type="button" className="primary" onClick={props.begin}>
        New conversation
      </button>
      <input
        type="search"
        placeholder="Search"
        aria-label="Search conversations"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {problem && (
        <p className="failure" role="alert">
          {problem}
        </p>
      )}
      <ul>
        {found.map((chat) => (
          <li key={chat.chat_id}>
            <Entry chat={chat} props={props} changed={() => setOwn((n) => n + 1)} failed={failed} />
          </li>
        ))}
      </ul>
      {found.length === 0 && !problem && <p className="faint">{search ? "No conversation matches." : "No conversations yet."}</p>}
      {next !== null && (
        <button
          type="button"
          className="quiet"
          onClick={() =>
            void chats(search, next)
              .then((page) => {
                setFound((all) => [...all, ...page.chats]);
                setNext(page.next_offset);
              })
              .catch(failed)
          }
        >
          Older conversations
        </button>
      )}
    </nav>
  );
}
