// What is known: found, read, uploaded, deleted; what is thought of answers, and reviewed.
import assert from "node:assert/strict";
import { answer, answered, checkAccess, forgive, opened, uploaded } from "./page_lib.mjs";

export async function documents() {
  const page = await opened({ hash: "#/documents" });
  const entries = page.locator(".entry");
  await entries.filter({ hasText: "Drain a press" }).waitFor();
  assert.equal(await entries.count(), 2);
  // A filter and a search, in the address, too.
  await page.getByRole("checkbox", { name: /^runbook/ }).check();
  await page.waitForFunction(() => document.querySelectorAll(".entry").length === 1);
  assert.match(page.url(), /kind=runbook/);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".entry").length === 2);
  await page.getByLabel("Search the documents").fill("gauge");
  await page.locator(".snippet", { hasText: "gauge" }).first().waitFor();
  assert.match(page.url(), /search=gauge/);
  // Opened at the line that was found.
  await entries.filter({ hasText: "Drain a press" }).locator("a").click();
  await page.getByRole("heading", { level: 1, name: "Drain a press" }).waitFor();
  await page.locator("[data-marked]", { hasText: "gauge" }).first().waitFor();
  await page.getByRole("button", { name: "Source with lines" }).click();
  await page.locator(".numbers [data-marked]").first().waitFor();
  // Deleted only by whoever means it.
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".entry").length === 1);
}

const kGood = "Number,Short description,Opened\nINC-2026-01-02-001,Feeder stands still,2026-01-02T08:00:00Z\n" +
  "INC-2026-01-03-001,Feeder is too fast,2026-01-03T08:00:00Z\n";
// Nothing says what happened, and one time is none.
const kBad = "Number,Colour,Opened\nINC-2026-01-02-001,The feeder stands still,2026-01-02T08:00:00Z\nINC-2026-01-03-001,Too fast,once\n";

export async function uploads() {
  const page = await opened({ hash: "#/upload" });
  // A file that is not what it says.
  await uploaded(page, ["broken.json", '[{"title": "a"}, {"title": ]']);
  await page.getByRole("alert").waitFor();
  assert.match(await page.locator("main").innerText(), /broken\.json/);
  assert.equal(await page.getByRole("button", { name: /^Ingest/ }).isEnabled(), false);
  await page.getByRole("button", { name: "Choose other files" }).click();
  await page.getByRole("button", { name: "Leave out broken.json" }).click();
  // One that lacks what its records need, until somebody says which column has it.
  await uploaded(page, ["colours.csv", kBad]);
  await page.getByRole("alert").waitFor();
  const missing = page.locator(".missing-field");
  await missing.first().waitFor();
  while ((await missing.locator("select").evaluateAll((all) => all.filter((one) => !one.value).length)) > 0)
    await missing.locator("select").first().selectOption("Colour");
  await page.getByRole("button", { name: "Check again" }).click();
  await page.locator(".problems", { hasText: "colours.csv:3" }).waitFor();
  await page.getByRole("button", { name: "Choose other files" }).click();
  await page.getByRole("button", { name: "Leave out colours.csv" }).click();
  // And a good one.
  await uploaded(page, ["feeder.csv", kGood]);
  assert.equal(await page.getByLabel("Short description is taken as").inputValue(), "title");
  await page.getByRole("button", { name: "Ingest 2 documents" }).click();
  await page.getByRole("heading", { name: "Done" }).waitFor();
  assert.match(await page.locator(".done").innerText(), /2 added/);
  await page.getByRole("link", { name: "See them" }).click();
  await page.locator(".entry", { hasText: "Feeder stands still" }).waitFor();
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await answered(page, "INC-2026-01-03-001");
  assert.match(await answer(page).innerText(), /too fast/);
}

const kMapping = "fields:\n  title: Short description\nlimits: {max_vanished: 20%}\n";

/** A version of the incident data: read, prepared, activated; a worse one is refused, forced, and gone back from. */
export async function versions() {
  const page = await opened({ hash: "#/documents" });
  await page.getByRole("link", { name: "Versions" }).click();
  await page.getByText("There is no version yet").waitFor();
  assert.match(await page.title(), /^Versions/);
  const create = async (name, text) => {
    await page.getByRole("button", { name: "New version" }).click();
    await page.getByLabel("Exports").setInputFiles([{ name: `${name}.csv`, mimeType: "text/csv", buffer: Buffer.from(text) }]);
    await page.getByLabel("Name").fill(name);
    await page.getByText("A mapping, where").click();
    await page.getByRole("button", { name: "Suggest one" }).click();
    await page.waitForFunction(() => document.querySelector("textarea").value.includes("fields:\n  incident_id:"));
    await page.getByLabel("Mapping (YAML)").fill(kMapping);
    await page.getByRole("button", { name: "Read and check" }).click();
    const card = page.locator(".card", { hasText: name });
    await card.getByRole("button", { name: "Prepare" }).waitFor();
    return card;
  };
  const july = await create("July", `${kGood}INC-2026-01-04-001,Ink is dry,never\n`);
  await july.getByText("3 added, 0 changed, 0 vanished").waitFor();
  const problem = july.locator(".problems tr", { hasText: "never" });
  assert.match(await problem.innerText(), /July\.csv:4\s+Opened\s+never[^]*\(unread field\)/);
  await july.getByLabel("in int8").check();
  await july.getByRole("button", { name: "Prepare" }).click();
  await july.getByRole("button", { name: "Activate" }).click();
  await july.getByText("active", { exact: true }).waitFor();
  // The limit of its mapping refuses what looks like an accident, unless somebody says why.
  const worse = await create("August", kGood.split("\n").slice(0, 2).join("\n"));
  await worse.getByText("0 added, 0 changed, 2 vanished").waitFor();
  await worse.getByRole("button", { name: "Check again" }).click();
  await worse.getByText("A limit of the mapping refuses to activate it").waitFor();
  await worse.getByRole("button", { name: "Prepare" }).click();
  await worse.getByLabel("earlier versions").fill("1");
  await worse.getByRole("button", { name: "Activate" }).click();
  await page.getByRole("alert").filter({ hasText: "would vanish" }).waitFor();
  forgive("409");
  await worse.getByRole("button", { name: /Although a limit/ }).click();
  await worse.getByLabel("Why").fill("the others were drills");
  await worse.getByRole("button", { name: "Activate all the same" }).click();
  await worse.getByText("the others were drills").waitFor();
  await july.getByText("superseded", { exact: true }).waitFor();
  await july.getByRole("button", { name: "Go back to it" }).click();
  await july.getByText("active", { exact: true }).waitFor();
  await worse.getByRole("button", { name: "Discard" }).click();
  await worse.waitFor({ state: "detached" });
}

/** Nothing is configured to be looked at: the report says so, asks what decides, and is found again. */
export async function investigations() {
  const page = await opened();
  await page.getByRole("link", { name: "Investigate" }).click();
  await page.getByText("No investigations yet").waitFor();
  assert.match(await page.title(), /^Investigations/);
  await page.getByRole("button", { name: "Investigate" }).click();
  await page.getByRole("alert").filter({ hasText: "nothing to investigate" }).waitFor();
  forgive("400");
  await page.getByLabel("Service").fill("press");
  await page.getByLabel("What is wrong").fill("The press stands still");
  await page.getByRole("button", { name: "Investigate" }).click();
  await page.getByRole("heading", { level: 1, name: "The press stands still" }).waitFor();
  await page.locator(".investigated .summary").waitFor();
  await page.getByRole("heading", { name: "What is missing" }).waitFor();
  assert.match(await page.title(), /^The press stands still/);
  await page.getByRole("heading", { name: "The deciding question" }).waitFor();
  await page.getByRole("button", { name: "No", exact: true }).click();
  await page.getByRole("link", { name: "Drain a press" }).first().waitFor();
  await page.getByRole("link", { name: "Investigations" }).click();
  await page.locator(".entry", { hasText: "The press stands still" }).getByText("done").waitFor();
}

/** Two changes may be the cause: the deciding question is asked and answered. */
export async function decidingQuestion() {
  const page = await opened({ hash: "#/investigations", axe: true });
  await page.getByLabel("Incident").fill("LabelErrors");
  await page.getByRole("button", { name: "Investigate" }).click();
  const section = (name) => page.locator("section", { has: page.getByRole("heading", { name, exact: true }) });
  const question = section("The deciding question");
  const id = /[0-9a-f]{10}/.exec(await question.locator("p").innerText())[0];
  // What is asked about is still possible.
  assert.match(await section("Possible causes").innerText(), new RegExp(id));
  assert.doesNotMatch(await section("Probably not the cause").innerText(), new RegExp(id));
  assert.match(await page.locator(".investigated").innerText(), /Severity: critical/);
  await checkAccess(page, "a deciding question");
  await page.getByRole("link", { name: "Investigations" }).click();
  await page.locator(".entry", { hasText: "LabelErrors" }).getByText("needs your answer").waitFor();
  await page.locator(".entry", { hasText: "LabelErrors" }).getByText("No cause is proved").waitFor();
  await page.locator(".entry a", { hasText: "LabelErrors" }).click();
  await question.getByRole("button", { name: "No", exact: true }).click();
  await section("Answered").waitFor();
  assert.match(await section("What to do").innerText(), /LabelErrors says[^]*Restart printd\.\s*Send a label/);
  assert.match(await section("Answered").innerText(), new RegExp(`${id}.* No\\. R\\d`));
  assert.match(await section("Probably not the cause").innerText(), new RegExp(id));
  assert.equal(await page.getByRole("button", { name: "Yes", exact: true }).count(), 0);
  // Whom it concerns, each with its receipt.
  await section("Whom to page").getByText(/^R\d+$/).click();
  await section("Whom to page").locator(".receipt-of p", { hasText: "Oncall: parcels-primary" }).waitFor();
  assert.match(await section("Downstream").innerText(), /web \(failing, too\)[^]*courier/);
  assert.match(await section("Timeline").innerText(), /15:15 http_errors_ratio of label rose from \S+ to \S+ R\d/);
  await section("Whom to page").getByRole("link", { name: "Team Parcels" }).click();
  await page.getByRole("heading", { level: 1, name: "Team Parcels" }).waitFor();
}

export async function review() {
  const page = await opened();
  await answered(page, "how do I drain a press?");
  await page.getByRole("button", { name: "This answer did not help" }).click();
  await page.getByLabel("Something is missing").check();
  await page.getByLabel("In your own words").fill("say how long it takes");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Thank you").waitFor();
  // The editor corrects the answer, and it becomes an example.
  await page.getByRole("link", { name: "Review" }).click();
  const card = page.locator(".card");
  await card.filter({ hasText: "say how long it takes" }).waitFor();
  await card.getByRole("button", { name: "Make a golden example" }).click();
  assert.equal(await card.getByRole("button", { name: "Make it a golden example" }).isEnabled(), false);
  await card.getByLabel("The answer as it should be").fill("Stop the feeder, then open the valves. It takes five minutes. [docs/press.md]");
  await card.getByRole("button", { name: "Make it a golden example" }).click();
  await page.getByText("No feedback to review").waitFor();
  await page.getByRole("link", { name: "Golden examples" }).click();
  await card.filter({ hasText: "how do I drain a press?" }).waitFor();
  await card.getByText("in use").waitFor();
  await card.getByRole("button", { name: "Switch off" }).click();
  await card.getByText("switched off").waitFor();
  await card.getByRole("button", { name: "Switch on" }).click();
  await card.getByText("in use").waitFor();
  // One that somebody writes waits for its review.
  await page.getByRole("button", { name: "Write one" }).click();
  await page.getByLabel("Question").fill("Who owns the press?");
  await page.getByLabel("Answer", { exact: true }).fill("The printers do.");
  await page.getByRole("button", { name: "Save" }).click();
  const own = card.filter({ hasText: "Who owns the press?" });
  await own.getByRole("button", { name: "Mark as reviewed" }).click();
  await own.getByText("in use").waitFor();
  await own.getByRole("button", { name: "Delete", exact: true }).click();
  await own.getByRole("button", { name: "Delete it" }).click();
  await own.waitFor({ state: "detached" });
}
