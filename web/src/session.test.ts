import { expect, test } from "vitest";
import { refused, signIn, signOut, tokenNow } from "./session";

test("a refused token is forgotten, but not by a late answer to another one", () => {
  signIn("new");
  refused("old");
  expect(tokenNow()).toBe("new");
  refused("new");
  expect(tokenNow()).toBe("");
});

test("who signs out leaves nothing behind", () => {
  signIn("mine");
  signOut();
  expect(tokenNow()).toBe("");
});
