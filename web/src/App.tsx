// The page: where it is, who looks at it, and the views: a chat, its steps, what is known, what editors review.
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import type { Opened } from "./AnswerText";
import { Evidence } from "./Evidence";
import { Guard } from "./Guard";
import { Icon } from "./Icon";
import { randomId } from "./ids";
import { call } from "./net";
import { addressOf, placeOf, type Place } from "./place";
import { useSession, signOut, type Person } from "./session";
import { Sidebar, type Named } from "./Sidebar";
import { SignIn } from "./SignIn";
import { ThemeContext, useTheme, type Theme } from "./theme";
import { Thread } from "./Thread";
import { useChat, type ChatEvents, type Chosen } from "./useChat";
import { Welcome } from "./Welcome";

const History = lazy(() => import("./History"));
const Documents = lazy(() => import("./Documents"));
const DocumentView = lazy(() => import("./DocumentView"));
const Upload = lazy(() => import("./Upload"));
const Investigations = lazy(() => import("./Investigations"));
const Versions = lazy(() => import("./Versions"));
const Review = lazy(() => import("./Review"));

const newId = () => `w-${randomId()}`;
const chosenOf = (id: string): Chosen => (id ? { id, isNew: false } : { id: newId(), isNew: true });
const kEverything = { ask: true, edit: true, admin: true };

interface ChatProps {
  chosen: Chosen;
  on: ChatEvents & { named: (named: Named) => void };
  aside: boolean;
  can: Person["can"];
}

function ChatView({ chosen, on, aside, can }: ChatProps) {
  const chat = useChat(chosen, on);
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => {
    document.title = chat.title ? `${chat.title} · precedent` : "precedent";
  }, [chat.title]);
  const named = useRef(on.named);
  named.current = on.named;
  useEffect(() => named.current({ id: chat.id, title: chat.title }), [chat.id, chat.title]);
  const receipts = chat.turns.find((turn) => turn.key === opened?.turn)?.answer?.receipts ?? [];
  return (
    <>
      <main aria-hidden={aside || undefined}>
        <h1 className="unseen">{chat.title || "A new conversation"}</h1>
        <Thread
          chat={chat}
          open={setOpened}
          mayAsk={can.ask}
          welcome={<Welcome ask={chat.ask} mayAsk={can.ask} mayEdit={can.edit} />}
        />
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

interface ChatsProps {
  id: string;
  can: Person["can"];
  isKnown: boolean; // who looks at it
  aside: boolean;
  setAside: (on: boolean) => void;
}

/** The chats, one of them open. Whoever may only read has none. */
function Chats({ id, can, isKnown, aside, setAside }: ChatsProps) {
  const [chosen, setChosen] = useState(() => chosenOf(id));
  const [changes, setChanges] = useState(0);
  const [named, setNamed] = useState<Named>({ id: "", title: "" });
  useEffect(() => setChosen((now) => (now.id === id || (id === "" && now.isNew) ? now : chosenOf(id))), [id]);

  const open = useCallback(
    (chat: string) => {
      setAside(false);
      location.hash = addressOf({ view: "chat", id: chat });
      setChosen({ id: chat, isNew: false });
    },
    [setAside],
  );
  const begin = useCallback(() => {
    setAside(false);
    history.pushState(null, "", location.pathname);
    setChosen({ id: newId(), isNew: true });
  }, [setAside]);
  const on: ChatProps["on"] = {
    begin: () => {
      if (location.hash !== `#${chosen.id}`) history.replaceState(null, "", `#${chosen.id}`);
    },
    change: () => setChanges((n) => n + 1),
    named: setNamed,
    fork: (fork) => {
      history.pushState(null, "", `#${fork.id}`);
      setChosen(fork);
    },
  };
  return (
    <>
      {isKnown && can.ask ? (
        <Sidebar current={chosen.id} named={named} changes={changes} open={open} begin={begin} />
      ) : (
        <nav className="sidebar" aria-label="Conversations">
          {isKnown && <p className="faint">Conversations are there for people who may ask.</p>}
        </nav>
      )}
      <ChatView key={chosen.id} chosen={chosen} on={on} aside={aside} can={can} />
    </>
  );
}

function View({ place, can }: { place: Exclude<Place, { view: "chat" }>; can: Person["can"] }) {
  switch (place.view) {
    case "history":
      return (
        <History key={place.id} id={place.id} mayAsk={can.ask} open={(id) => (location.hash = addressOf({ view: "chat", id }))} />
      );
    case "document":
      return <DocumentView key={place.id} id={place.id} lines={place.lines} mayEdit={can.edit} />;
    case "upload":
      return <Upload mayEdit={can.edit} />;
    case "investigations":
      return <Investigations id={place.id} />;
    case "versions":
      return <Versions mayEdit={can.edit} />;
    case "review":
      return <Review key={place.of} of={place.of} mayEdit={can.edit} />;
    case "documents":
      return <Documents filters={place.filters} mayEdit={can.edit} />;
  }
}

interface TopProps {
  place: Place;
  person: Person | null;
  theme: Theme;
  otherTheme: () => void;
  aside: boolean;
  setAside: (on: boolean) => void;
}

function Top({ place, person, theme, otherTheme, aside, setAside }: TopProps) {
  const inKnowledge = ["documents", "document", "upload", "versions"].includes(place.view);
  const link = (to: Place, isHere: boolean, name: string) => (
    <a href={addressOf(to) || "#"} aria-current={isHere ? "page" : undefined}>
      {name}
    </a>
  );
  return (
    <header className="top">
      {place.view === "chat" && (
        <button
          type="button"
          className="quiet only-narrow"
          aria-expanded={aside}
          aria-label="Conversations"
          onClick={() => setAside(!aside)}
        >
          <Icon name={aside ? "close" : "menu"} />
        </button>
      )}
      <a className="name" href="#" aria-label="precedent: a new conversation">
        <img src="/icon.svg" alt="" width="22" height="22" /> <span>precedent</span>
      </a>
      <nav className="views" aria-label="Views">
        {link({ view: "chat", id: "" }, place.view === "chat" || place.view === "history", "Ask")}
        {link({ view: "documents", filters: {} }, inKnowledge, "Knowledge")}
        {person?.can.ask && link({ view: "investigations", id: "" }, place.view === "investigations", "Investigate")}
        {person?.can.edit && link({ view: "review", of: "feedback" }, place.view === "review", "Review")}
      </nav>
      <div className="row person">
        {person && person.auth !== "none" && (
          <>
            <span className="faint who" title={`Signed in as ${person.name}`}>
              {person.name} · {person.role}
            </span>
            <button type="button" className="quiet sign-out" onClick={signOut} aria-label="Sign out" title="Sign out">
              <span>Sign out</span>
              <Icon name="leave" />
            </button>
          </>
        )}
        <button
          type="button"
          className="quiet"
          onClick={otherTheme}
          aria-label={theme === "light" ? "Dark colours" : "Light colours"}
          title={theme === "light" ? "Dark colours" : "Light colours"}
        >
          <Icon name={theme === "light" ? "moon" : "sun"} />
        </button>
      </div>
    </header>
  );
}

export function App() {
  const session = useSession();
  const [place, setPlace] = useState(() => placeOf(location.hash));
  const [person, setPerson] = useState<Person | null>(null);
  const [aside, setAside] = useState(false); // the conversations, on a phone
  const [theme, otherTheme] = useTheme();

  useEffect(() => {
    const go = () => setPlace(placeOf(location.hash));
    addEventListener("hashchange", go);
    addEventListener("popstate", go);
    return () => {
      removeEventListener("hashchange", go);
      removeEventListener("popstate", go);
    };
  }, []);
  useEffect(() => {
    let left = false;
    setPerson(null);
    if (session.asked) return;
    call<Person>("GET", "/whoami")
      .then((found) => !left && setPerson(found))
      // Who cannot be told is told by each request what is not allowed.
      .catch(() => !left && setPerson({ name: "", role: "admin", auth: "none", can: kEverything }));
    return () => {
      left = true;
    };
  }, [session.token, session.asked]);
  useEffect(() => {
    const titles: Partial<Record<Place["view"], string>> = {
      history: "Steps",
      documents: "Knowledge",
      document: "Document",
      upload: "Upload",
      versions: "Versions",
      review: "Review",
    };
    const title = titles[place.view];
    if (title) document.title = `${title} · precedent`;
  }, [place.view]);

  const can = person?.can ?? { ask: true, edit: false, admin: false };
  return (
    <ThemeContext.Provider value={theme}>
      {session.asked ? (
        <SignIn wrong={session.wrong} />
      ) : (
        <div
          className="page"
          data-view={place.view}
          data-aside={(aside && place.view === "chat") || undefined}
          key={session.token}
        >
          <Top {...{ place, person, theme, otherTheme, aside, setAside }} />
          {place.view === "chat" ? (
            <Guard>
              <Chats id={place.id} can={can} isKnown={person !== null} aside={aside} setAside={setAside} />
            </Guard>
          ) : (
            <Guard key={place.view}>
              <Suspense fallback={<main aria-busy="true" />}>
                <View place={place} can={can} />
              </Suspense>
            </Guard>
          )}
        </div>
      )}
    </ThemeContext.Provider>
  );
}
