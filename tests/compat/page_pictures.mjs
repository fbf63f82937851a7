// Pictures of the views for docs/page.md, of a server with the sample company. MORE: the folder they go to.
import { writeFileSync } from "node:fs";
import { answered, forgive, more, opened, uploaded } from "./page_lib.mjs";
import { small } from "./page_png.mjs";

const kStory = "Latency on /api/search has been spiky since yesterday's deploy. What's going on?";
const kPhone = { width: 390, height: 844 };
const kTickets =
  "Number,Colour,Opened\nINC-2026-01-02-001,The feeder stands still,2026-01-02T08:00:00Z\nINC-2026-01-03-001,Too fast,once\n" +
  '"INC-2026-01-04-001,Too slow,2026-01-04T08:00:00Z\n';

async function picture(page, name) {
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(2, 2);
  writeFileSync(`${more[0]}/${name}.png`, small(await page.screenshot()));
}

/** The view as it is: light, dark and on a phone. `show`: brings what it is about into sight. */
async function picturesOf(page, name, show = async () => {}) {
  await show();
  await picture(page, name);
  await page.getByRole("button", { name: "Dark colours" }).click();
  await picture(page, `${name}-dark`);
  await page.getByRole("button", { name: "Light colours" }).click();
  const wide = page.viewportSize();
  await page.setViewportSize(kPhone);
  await show();
  await picture(page, `${name}-phone`);
  await page.setViewportSize(wide);
}

async function signInPictures() {
  for (const [name, options] of [["sign-in", {}], ["sign-in-dark", { colorScheme: "dark" }], ["sign-in-phone", { viewport: kPhone }]]) {
    const page = await opened({ colorScheme: "light", ...options });
    await page.route("**/whoami", (route) => route.fulfill({ status: 401, contentType: "application/json", body: "{}" }));
    await page.reload();
    await page.getByLabel("Token").waitFor();
    await picture(page, name);
  }
  forgive("401"); // which is what was wanted
}

export async function pictures() {
  const page = await opened({ colorScheme: "light" });
  const go = async (hash, ready) => {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.locator(ready).first().waitFor();
  };
  await page.locator(".suggestions button").first().waitFor();
  await picturesOf(page, "welcome");
  await answered(page, kStory);
  const chat = new URL(page.url()).hash;
  await page.locator(".figures .u-over").waitFor();
  await picturesOf(page, "answer");
  await picturesOf(page, "chart", () => page.locator(".figures").evaluate((figures) => figures.scrollIntoView({ block: "end" })));
  await page.locator(".citation", { hasText: "search_service.py:93" }).first().click();
  await page.locator(".evidence .code").first().waitFor();
  await picturesOf(page, "evidence");
  await page.keyboard.press("Escape");
  await go(`#/history/${chat.slice(1)}`, ".steps li");
  await page.locator(".steps li[data-kind=looked] button").first().click();
  await picturesOf(page, "steps");
  await go("#/documents", ".entry");
  await picturesOf(page, "knowledge");
  await go("#/documents?search=search+latency", ".snippet");
  await page.locator(".entry a", { hasText: "Search latency" }).first().click();
  await page.locator("article h1").waitFor();
  await picturesOf(page, "document");
  await go("#/upload", ".drop");
  await uploaded(page, ["tickets.csv", kTickets]);
  await page.locator(".report").waitFor();
  await picturesOf(page, "upload");
  await go("#/versions", "main h1");
  await picturesOf(page, "versions");
  await go("#/feedback", ".review h1");
  await picturesOf(page, "feedback");
  await go("#/golden", ".review h1");
  await page.getByRole("button", { name: "Write one" }).click();
  await picturesOf(page, "review");
  await signInPictures();
}

/** Of a server that knows nothing yet. */
export async function firstRunPictures() {
  const page = await opened({ colorScheme: "light" });
  await page.getByText("precedent ingest").first().waitFor();
  await picturesOf(page, "first-run");
}

/** Of a server with two changes that may be the cause. */
export async function investigationPictures() {
  const page = await opened({ colorScheme: "light", hash: "#/investigations" });
  await page.getByLabel("Incident").fill("LabelErrors");
  await page.getByRole("button", { name: "Investigate" }).click();
  const no = page.getByRole("button", { name: "No", exact: true });
  await no.waitFor();
  await picturesOf(page, "investigation");
  await no.click();
  await page.getByRole("heading", { name: "Answered" }).waitFor();
  await picturesOf(page, "investigation-answered");
}
