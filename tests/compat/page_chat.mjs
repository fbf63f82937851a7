// A chat: its answers, their evidence, its steps.
import assert from "node:assert/strict";
import { answer, answered, ask, done, fits, forgive, more, opened, uploaded, url } from "./page_lib.mjs";

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
  // By keys one is back at it afterwards.
  await page.keyboard.press("Escape");
  await page.locator(".citation").first().focus();
  await page.keyboard.press("Enter");
  await evidence.locator("h2:focus").waitFor();
  await page.keyboard.press("Escape");
  await evidence.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.querySelector(".citation") === document.activeElement);
  // The answer stands there again after a reload, with its evidence.
  await page.reload();
  await page.locator(".claim", { hasText: "Open the valves" }).first().waitFor();
  assert.match(await page.title(), /precedent$/);
  // So does an answer before it.
  await answered(page, "what does the gauge show?");
  await page.reload();
  const first = page.getByTestId("answer").first();
  await first.locator(".claim", { hasText: "Open the valves" }).first().click();
  assert.match(await evidence.locator("mark").first().innerText(), /Open the valves/);
  await page.keyboard.press("Escape");
  // A citation opens what its sentence quotes.
  await first.locator("blockquote .citation, li .citation, p .citation").first().click();
  assert.match(await evidence.locator("h2").innerText(), /^R\d+ /);
  await page.keyboard.press("Escape");
  // What the address names and is not there is said.
  await page.goto(`${url}/#nothing-here`);
  await page.reload();
  await page.getByRole("alert").filter({ hasText: "no chat 'nothing-here'" }).waitFor();
  forgive("404");
}

/** A document that a source brought is opened where it lives: the address is more[0], and says "The forge shows it". */
export async function sourceLink() {
  const page = await opened();
  await answered(page, "how do I bleed a boiler?");
  await page.locator(".citation", { hasText: "boiler.md" }).first().click();
  const link = page.getByRole("complementary", { name: "Evidence" }).getByRole("link", { name: "Open it where it lives" });
  assert.equal(await link.getAttribute("href"), more[0]);
  const [forge] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await forge.getByText("The forge shows it").waitFor();
  assert.equal(forge.url(), more[0]);
  assert.equal(await forge.evaluate(() => globalThis.opener), null);
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
  // A menu closes by Esc, and by a click elsewhere.
  const open = page.locator(".menu[open]");
  await entries.first().locator(".menu summary").click();
  await page.keyboard.press("Escape");
  await open.waitFor({ state: "detached" });
  await entries.first().locator(".menu summary").click();
  await open.waitFor();
  await page.locator(".answer").first().click({ position: { x: 2, y: 2 } });
  await open.waitFor({ state: "detached" });
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
  await page.getByText("No conversation matches.").waitFor();
  await page.getByLabel("Search conversations").fill("");
  await page.waitForFunction(() => document.querySelectorAll(".sidebar li").length === 1);
  await menu("Fork");
  await page.waitForFunction(() => document.querySelectorAll(".sidebar li").length === 2);
  // Asked again, it is another turn. However many there are, the page itself never scrolls.
  await page.locator(".question", { hasText: "what does the gauge show?" }).waitFor();
  for (let turns = 2; turns <= 4; turns++) {
    const before = await page.getByTestId("answer").count();
    await page.getByRole("button", { name: "Ask again", exact: true }).click();
    await page.locator(".question").nth(turns - 1).waitFor();
    await page.getByTestId("answer").nth(before).waitFor();
    await done(page);
  }
  await fits(page, "four turns");
  // What is missing is listed, but not if the answer says just that.
  await answered(page, "Who owns the flux-capacitor service?");
  assert.match(await answer(page).innerText(), /flux-capacitor/);
  assert.equal(await page.locator(".answer").last().getByText("What is missing").count(), 0);
}

/** On a phone nothing sticks out, and the evidence can be closed wherever it is scrolled to. */
export async function phone() {
  const page = await opened({ viewport: { width: 390, height: 700 } });
  await answered(page, "how do I drain a press?");
  const chat = new URL(page.url()).hash.slice(1);
  for (const hash of [chat, `/history/${chat}`, "/documents", "/upload", "/versions", "/investigations", "/feedback", "/golden"]) {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.locator(hash === chat ? ".answer" : "main h1").first().waitFor();
    await fits(page, `${hash} on a phone`);
    await page.getByRole("button", { name: "Dark colours" }).click({ trial: true });
  }
  await page.evaluate((to) => (location.hash = to), chat);
  await page.locator(".citation").first().click();
  const evidence = page.getByRole("complementary", { name: "Evidence" });
  await evidence.waitFor();
  await page.setViewportSize({ width: 390, height: 300 });
  await evidence.evaluate((panel) => (panel.scrollTop = panel.scrollHeight));
  const { y } = await evidence.getByRole("button", { name: "Close" }).boundingBox();
  assert.ok(y >= 0 && y < 60, `the close button is at ${y}`);
  await evidence.getByRole("button", { name: "Close" }).click();
  await evidence.waitFor({ state: "detached" });
}

/** Nothing is known, until somebody adds something elsewhere. */
export async function firstRun() {
  const page = await opened();
  await page.getByText("Nothing to answer from yet").waitFor();
  await page.getByText("precedent ingest examples").waitFor();
  const other = await opened({ hash: "#/upload" });
  const incident = "Number,Short description,Service,Opened\nINC-2026-01-02-001,The feeder stands still,feeder,2026-01-02T08:00:00Z\n";
  await uploaded(other, ["feeder.csv", incident], ["press.md", "---\ntype: runbook\n---\n\n# Drain a press\n\n## Steps\n\n1. Open the valves.\n"]);
  await other.getByRole("button", { name: "Ingest 2 documents" }).click();
  await other.getByRole("heading", { name: "Done" }).waitFor();
  const questions = page.locator(".suggestions button");
  await questions.nth(2).waitFor();
  await questions.filter({ hasText: "steps" }).click();
  await done(page);
  assert.match(await answer(page).innerText(), /Open the valves/);
}

/** The sample company's story: its plan, its charts, its code, its incidents, and what is only a hypothesis. */
export async function story() {
  const page = await opened();
  await answered(page, "Latency on /api/search has been spiky since yesterday's deploy. What's going on?");
  await page.locator(".work summary").click();
  const metrics = page.locator(".calls li", { hasText: "metrics_query" }).first();
  assert.match(await metrics.innerText(), /done:[^]*metrics_query[^]*\d+ ms[^]*what it does now[^]*query: metric=p95_latency[^]*rose at/);
  await page.getByText("Understood as: something is wrong, about /api/search").waitFor();
  assert.ok((await page.locator(".claim[data-verdict=hypothesis]").count()) > 0);
  // The chart names what is drawn into it.
  await page.locator(".figures .u-over").waitFor();
  const caption = await page.locator(".figures figcaption").innerText();
  for (const words of [/its level changed/, /Deploy of search-service 2\.31\.0/, /alerts: SearchLatencyHigh/]) assert.match(caption, words);
  // Code, highlighted, at its line.
  await page.locator(".citation", { hasText: "search_service.py:93" }).first().click();
  const code = page.locator(".evidence .code", { has: page.locator("[data-marked]") });
  await code.first().waitFor();
  assert.match(await code.first().locator("figcaption").innerText(), /search-service\/search_service\.py:\d+-\d+/);
  assert.equal(await code.first().locator("[data-marked]").first().innerText(), "93\n");
  assert.ok((await code.first().locator(".hljs-keyword").count()) > 0);
  await page.keyboard.press("Escape");
  // An incident as a card, with its times.
  await page.locator(".citation", { hasText: "INC-2026-11-18-001" }).first().click();
  const card = page.locator(".incident", { hasText: "INC-2026-11-18-001" });
  assert.match(await card.locator(".timeline").innerText(), /opened 2026-11-18/);
  await fits(page, "the story");
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
  const claim = page.locator(".answer[data-draft] .claim[data-verdict=unsupported]", { hasText: "was drained by nobody" });
  await claim.waitFor();
  assert.match(await claim.evaluate((span) => getComputedStyle(span).textDecorationStyle), /wavy/);
  // The title does not wait for the answer.
  await page.locator(".sidebar li a[aria-current]", { hasText: "A title" }).waitFor();
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
  await page.getByRole("alert").filter({ hasText: "The answer was cancelled" }).waitFor();
  await done(page);
  assert.equal(await page.getByRole("button", { name: "Stop" }).count(), 0);
  assert.equal(await page.locator(".failure").count(), 0, "who stops an answer is not told of a failure");
}
