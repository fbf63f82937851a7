// A chat: its answers, their evidence, its steps.
import assert from "node:assert/strict";
import { answer, answered, ask, done, forgive, more, opened, url } from "./page_lib.mjs";

export async function evidence() {
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
  // Whoever only points at a sentence sees what it rests on.
  await page.mouse.move(5, 5);
  await page.locator(".claim", { hasText: "Open the valves" }).first().hover();
  await page.locator(".peek", { hasText: "Open the valves" }).waitFor();
  await page.mouse.move(5, 5);
  await page.locator(".peek").waitFor({ state: "detached" });
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
  forgive("404");
}

export async function conversations() {
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
  await done(page);
  assert.match(await answer(page).innerText(), /zero/);
  assert.equal(await page.locator(".question").count(), 1);
  await page.waitForFunction(() => document.querySelectorAll(".sidebar li").length === 2);
  await page.getByLabel("Search conversations").fill("presses");
  await page.waitForFunction(() => document.querySelectorAll(".sidebar li").length === 1);
  await entries.first().locator("a").first().click();
  await page.locator(".question", { hasText: "how do I drain a press?" }).waitFor();
  await menu("Archive");
  await page.getByText("No conversation holds that.").waitFor();
}

/** The steps of a conversation, replayed, and its last lookups done again in a copy. */
export async function steps() {
  const page = await opened();
  await answered(page, "how do I drain a press?");
  await page.getByRole("link", { name: "Steps of this conversation" }).click();
  const steps = page.locator(".steps li");
  await steps.first().waitFor();
  assert.match(await steps.first().innerText(), /how do I drain a press/);
  const count = await steps.count();
  assert.ok(count >= 4, `${count} steps`);
  await page.getByRole("heading", { level: 2 }).first().waitFor();
  await page.getByRole("button", { name: "Replay" }).click();
  await page.locator(".steps li:first-child [aria-current=step]").waitFor();
  await page.locator(".steps li:nth-child(2) [aria-current=step]").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.locator(".steps li[data-kind=answered] button").click();
  assert.match(await page.locator(".state").innerText(), /Open the valves/);
  await page.locator(".steps li[data-kind=checked] button").click();
  await page.getByRole("button", { name: "Ask again from here" }).click();
  await page.locator(".question", { hasText: "how do I drain a press?" }).waitFor();
  await done(page);
  assert.match(await answer(page).innerText(), /Open the valves/);
  await page.waitForFunction(() => document.querySelectorAll(".sidebar li").length === 2);
}

// In these the model waits in the middle of its answer; MORE: the address that lets it go on.
const goOn = () => fetch(more[0]);

/** Sentences of a draft are marked as they come. */
export async function draft() {
  const page = await opened();
  await ask(page, "who drained the press?");
  await page.locator(".answer[data-draft] .claim", { hasText: "was drained by nobody" }).waitFor();
  await page.getByText("A draft: each sentence is marked").waitFor();
  await goOn();
  await done(page);
  assert.equal(await page.locator(".answer[data-draft]").count(), 0);
}

export async function reload() {
  const page = await opened();
  await ask(page, "who drained the press?");
  await answer(page).filter({ hasText: "was drained" }).waitFor();
  await page.reload();
  await page.locator(".question", { hasText: "who drained the press?" }).waitFor();
  await answer(page).filter({ hasText: "was drained" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor(); // it is still being answered
  await goOn();
  await done(page);
  assert.equal(await page.locator(".question").count(), 1);
}

export async function stop() {
  const page = await opened();
  await ask(page, "who drained the press?");
  await answer(page).filter({ hasText: "was drained" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("alert").waitFor();
  await done(page);
  assert.equal(await page.getByRole("button", { name: "Stop" }).count(), 0);
}
