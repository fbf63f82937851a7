// Who is signed in. The token is kept for this tab only, until it is closed.
import { useSyncExternalStore } from "react";

export interface Person {
  name: string;
  role: "reader" | "user" | "editor" | "admin";
  auth: "none" | "token" | "oidc";
  can: { ask: boolean; edit: boolean; admin: boolean };
}
export interface Session {
  token: string;
  asked: boolean; // the server wants to know who asks
  wrong: boolean; // the token that was given is not known there
}

const kKept = "token";
let session: Session = { token: globalThis.sessionStorage?.getItem(kKept) ?? "", asked: false, wrong: false };
const listeners = new Set<() => void>();

function become(next: Session) {
  if (next.token) globalThis.sessionStorage?.setItem(kKept, next.token);
  else globalThis.sessionStorage?.removeItem(kKept);
  session = next;
  for (const tell of listeners) tell();
}

export const tokenNow = () => session.token;
export const signIn = (token: string) => become({ token, asked: false, wrong: false });
export const signOut = () => become({ token: "", asked: true, wrong: false });
/** A request with this token was answered 401. Late answers to an earlier token say nothing of the present one. */
export function refused(token: string) {
  if (token === session.token && !session.asked) become({ token: "", asked: true, wrong: token !== "" });
}

export const useSession = () =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => session,
  );
