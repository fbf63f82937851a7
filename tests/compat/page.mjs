// usage: node page.mjs PART URL CHROMIUM [SCREENSHOTS]
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const [part, url, executablePath] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
const wrong = []; // what the browser's console says
async function opened(options = {}) {
  // axe is put into the page as a script of the test's, which the page's own policy would refuse.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: part === "accessibility", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(error.message));
  await page.goto(url);
  return page;
}

const question = (page) => page.getByLabel("Your question", { exact: true });
const answer = (page) => page.getByTestId("answer").last();
async function ask(page, text) {
  await question(page).fill(text);
  await question(page).press("Enter");
}
async function answered(page, text) {
  const before = await page.getByTestId("answer").count();
  await ask(page, text);
  await page.getByTestId("answer").nth(before).waitFor();
  await page.getByRole("button", { name: "Ask again" }).waitFor();
}

const parts = {
  async evidence() {
    const page = await opened();
    await page.locator(".suggestions button").first().waitFor();
    await answered(page, "how do I drain a press?");
    assert.match(await answer(page).innerText(), /Open the valves/);
    await page.locator(".work summary").click();
    await page.locator(".calls li[data-status=ok]").first().waitFor();
    // From a sentence to the line that proves it.
    await page.locator(".claim", { hasText: "Open the valves" }).first().click();
    const evidence = page.getByRole("complementary", { name: "Evidence" });
    await evidence.waitFor();
    assert.match(await evidence.locator("mark").first().innerText(), /Open the valves/);
    await page.keyboard.press("Escape");
    await evidence.waitFor({ state: "detached" });
    // From a citation to its receipt.
    await page.locator(".citation").first().click();
    assert.match(await evidence.locator("h2").innerText(), /^R\d+ /);
    // The answer stands there again after a reload, with its evidence.
    await page.reload();
    await page.locator(".claim", { hasText: "Open the valves" }).first().waitFor();
    assert.match(await page.title(), /precedent$/);
    // What the address names and is not there is said.
    await page.goto(`${url}/#nothing-here`);
    await page.reload();
    await page.getByRole("alert").filter({ hasText: "no chat 'nothing-here'" }).waitFor();
    wrong.splice(0, wrong.length, ...wrong.filter((text) => !text.includes("404")));
  },

  async conversations() {
    const page = await opened();
    await answered(page, "how do I drain a press?");
    const entries = page.locator(".sidebar li");
    await entries.first().waitFor();
    const menu = async (name) => {
      await entries.first().locator(".menu summary").click();
      await entries.first().getByRole("button", { name }).click();
    };
    await menu("Rename");
    await page.getByLabel("The conversation's title").fill("Presses");
    await page.keyboard.press("Enter");
    await entries.filter({ hasText: "Presses" }).waitFor();
    // Another question instead of the first: a fork, and the old one stays.
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Your question, changed").fill("what does the gauge show?");
    await page.getByRole("button", { name: "Ask in a fork" }).click();
    await page.locator(".question", { hasText: "what does the gauge show?" }).waitFor();
    await page.getByRole("button", { name: "Ask again" }).waitFor();
    assert.match(await answer(page).innerText(), /zero/);
    assert.equal(await page.locator(".question").count(), 1);
    await page.waitForFunction(() => document.querySelectorAll(".sidebar li").length === 2);
    await page.getByLabel("Search conversations").fill("presses");
    await page.waitForFunction(() => document.querySelectorAll(".sidebar li").length === 1);
    await entries.first().locator("a").click();
    await page.locator(".question", { hasText: "how do I drain a press?" }).waitFor();
    await menu("Archive");
    await page.getByText("No conversation holds that.").waitFor();
  },

  async accessibility() {
    for (const colorScheme of ["light", "dark"]) {
      const page = await opened({ colorScheme });
      await page.locator(".suggestions button").first().waitFor();
      await checkAccess(page, `welcome, ${colorScheme}`);
      await answered(page, "how do I drain a press?");
      await checkAccess(page, `answer, ${colorScheme}`);
      await page.locator(".citation").first().focus();
      await page.keyboard.press("Enter");
      await page.getByRole("complementary", { name: "Evidence" }).waitFor();
      await checkAccess(page, `evidence, ${colorScheme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await checkAccess(page, `phone, ${colorScheme}`);
      await page.context().close();
    }
  },

  async reload() {
    const page = await opened();
    await ask(page, "who drained the press?");
    await answer(page).filter({ hasText: "was drained" }).waitFor();
    await page.reload();
    await page.locator(".question", { hasText: "who drained the press?" }).waitFor();
    await answer(page).filter({ hasText: "was drained" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor(); // it is still being answered
    await page.getByRole("button", { name: "Ask again" }).waitFor();
    assert.equal(await page.locator(".question").count(), 1);
  },

  async stop() {
    const page = await opened();
    await ask(page, "who drained the press?");
    await answer(page).filter({ hasText: "was drained" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Ask again" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Stop" }).count(), 0);
  },
};

async function checkAccess(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = serious.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((node) => node.html).slice(0, 4).join("\n  ")}`);
  assert.deepEqual(told, [], where);
}

try {
  await parts[part]();
  assert.deepEqual(wrong, [], "what the browser's console says");
} finally {
  await browser.close();
}
