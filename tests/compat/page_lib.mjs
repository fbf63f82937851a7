// What the tests of the page share: the browser, a page in it, and how to ask.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

export const [part, url, executablePath, ...more] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
export const wrong = []; // what the browser's console says
export function forgive(words) {
  wrong.splice(0, wrong.length, ...wrong.filter((text) => !text.includes(words)));
}

/** A page of its own context. `axe`: with checks, which the page's own policy would refuse as a script of somebody else. */
export async function opened({ axe = false, hash = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: axe, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(error.message));
  await page.goto(`${url}/${hash}`);
  return page;
}

export async function checkAccess(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = serious.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((node) => node.html).slice(0, 4).join("\n  ")}`);
  assert.deepEqual(told, [], where);
}

/** Nothing sticks out: the page itself never scrolls. */
export async function fits(page, where) {
  const [width, height] = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth - innerWidth, scrollHeight - innerHeight];
  });
  assert.ok(width <= 0 && height <= 0, `${where}: ${width} × ${height} too large`);
}

export const question = (page) => page.getByLabel("Your question", { exact: true });
export const answer = (page) => page.getByTestId("answer").last();
export async function ask(page, text) {
  await question(page).fill(text);
  await question(page).press("Enter");
}
export const done = (page) => page.getByRole("button", { name: "Ask again", exact: true }).waitFor();
export async function answered(page, text) {
  const before = await page.getByTestId("answer").count();
  await ask(page, text);
  await page.getByTestId("answer").nth(before).waitFor();
  await done(page);
}
/** Sends files by the view for uploads, as far as the report. */
export async function uploaded(page, ...files) {
  await page.locator(".drop").waitFor();
  await page.setInputFiles("input[type=file]", files.map(([name, text]) =>
    ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) })));
  await page.getByRole("button", { name: "Check the files" }).click();
}
