// usage: node page.mjs PART URL CHROMIUM [MORE]     one test of the page (page_test.py starts the server)
import assert from "node:assert/strict";
import * as access from "./page_access.mjs";
import * as chat from "./page_chat.mjs";
import * as knowledge from "./page_knowledge.mjs";
import { browser, part, wrong } from "./page_lib.mjs";
import * as pictures from "./page_pictures.mjs";
import * as signIn from "./page_sign_in.mjs";

try {
  await { ...chat, ...knowledge, ...signIn, ...access, ...pictures }[part]();
  assert.deepEqual(wrong, [], "what the browser's console says");
} finally {
  await browser.close();
}
