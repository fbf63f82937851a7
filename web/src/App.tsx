// The page: conversations at the left, the chat, and the evidence at the right.
import { useCallback, useEffect, useState } from "react";
import type { Opened } from "./AnswerText";
import { Evidence } from "./Evidence";
import { Sidebar } from "./Sidebar";
import { ThemeContext, useTheme } from "./theme";
import { Thread } from "./Thread";
import { useChat, type ChatEvents, type Place } from "./useChat";
import { Welcome } from "./Welcome";

const newId = () => `w-${crypto.randomUUID().slice(0, 13)}`;

function placeOf(hash: string): Place {
  const id = decodeURIComponent(hash.replace(/^#/, ""));
  return id ? { id, isNew: false } : { id: newId(), isNew: true };
}

function ChatView({ place, on, aside }: { place: Place; on: ChatEvents; aside: boolean }) {
  const chat = useChat(place, on);
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => {
    document.title = chat.title ? `${chat.title} · precedent` : "precedent";
  }, [chat.title]);
  const receipts = chat.turns.find((turn) => turn.key === opened?.turn)?.answer?.receipts ?? [];
  return (
    <>
      <main aria-hidden={aside || undefined}>
        <h1 className="unseen">{chat.title || "A new conversation"}</h1>
        <Thread chat={chat} open={setOpened} welcome={<Welcome ask={chat.ask} />} />
      </main>
      {opened && (
        <Evidence
          opened={opened}
          receipts={receipts}
          close={() => setOpened(null)}
          choose={(receipt) => setOpened({ ...opened, receipt })}
        />
      )}
    </>
  );
}

export function App() {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  const [changes, setChanges] = useState(0);
  const [aside, setAside] = useState(false); // the conversations, on a phone
  const [theme, otherTheme] = useTheme();

  useEffect(() => {
    const go = () => {
      const id = decodeURIComponent(location.hash.replace(/^#/, ""));
      setPlace((now) => (now.id === id ? now : placeOf(location.hash)));
    };
    addEventListener("hashchange", go);
    return () => removeEventListener("hashchange", go);
  }, []);

  const open = useCallback((id: string) => {
    setAside(false);
    location.hash = id;
    setPlace({ id, isNew: false });
  }, []);
  const begin = useCallback(() => {
    setAside(false);
    history.pushState(null, "", location.pathname);
    setPlace({ id: newId(), isNew: true });
  }, []);
  const on: ChatEvents = {
    begin: () => {
      if (location.hash !== `#${place.id}`) history.replaceState(null, "", `#${place.id}`);
    },
    change: () => setChanges((n) => n + 1),
    fork: (fork) => {
      history.pushState(null, "", `#${fork.id}`);
      setPlace(fork);
    },
  };

  return (
    <ThemeContext.Provider value={theme}>
      <div className="page" data-aside={aside || undefined}>
        <header className="top">
          <button type="button" className="quiet only-narrow" aria-expanded={aside} onClick={() => setAside(!aside)}>
            Conversations
          </button>
          <a
            className="name"
            href="/"
            onClick={(event) => {
              event.preventDefault();
              begin();
            }}
          >
            <img src="/icon.svg" alt="" width="22" height="22" /> precedent
          </a>
          <button
            type="button"
            className="quiet"
            onClick={otherTheme}
            aria-label={theme === "light" ? "Dark colours" : "Light colours"}
          >
            {theme === "light" ? "Dark" : "Light"}
          </button>
        </header>
        <Sidebar current={place.id} changes={changes} open={open} begin={begin} />
        <ChatView key={place.id} place={place} on={on} aside={aside} />
      </div>
    </ThemeContext.Provider>
  );
}
