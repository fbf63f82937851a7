import { expect, test } from "vitest";
import { sentence } from "./net";

test("what the server says in half a sentence is shown as a whole one", () => {
  expect(sentence("there is no chat 'a'; GET /chat/ lists those there are")).toBe(
    "There is no chat 'a'; GET /chat/ lists those there are.",
  );
  expect(sentence("'map': there is no column 'Nope'")).toBe("'map': there is no column 'Nope'.");
  expect(sentence("It is one already.")).toBe("It is one already.");
  expect(sentence("")).toBe("");
});
