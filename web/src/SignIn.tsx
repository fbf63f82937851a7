// Where the server wants to know who asks.
import { useState } from "react";
import { signIn } from "./session";

export function SignIn({ wrong }: { wrong: boolean }) {
  const [token, setToken] = useState("");
  return (
    <main className="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim()) signIn(token.trim());
        }}
      >
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>Sign in to precedent</h1>
        <p>This server answers people it knows. Paste the token that was made for you.</p>
        <label htmlFor="token">Token</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={token}
          autoFocus
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? "token-wrong" : "token-help"}
          onChange={(event) => setToken(event.target.value)}
        />
        {wrong && (
          <p className="failure" role="alert" id="token-wrong">
            The server does not accept this token. It may have expired or been revoked; ask for a new one.
          </p>
        )}
        <button type="submit" className="primary" disabled={!token.trim()}>
          Sign in
        </button>
        <p className="faint" id="token-help">
          No token yet? An administrator makes one with <code>precedent tokens create</code>. It stays in this tab and is
          forgotten when you close it.
        </p>
      </form>
    </main>
  );
}
