import { afterEach, expect, test, vi } from "vitest";
import { randomId } from "./ids";

afterEach(() => vi.unstubAllGlobals());

test("ids differ, also where the page is served over plain HTTP", () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  vi.stubGlobal("crypto", { getRandomValues });
  expect(randomId()).toMatch(/^[0-9a-f]{16}$/);
  expect(randomId()).not.toBe(randomId());
});
