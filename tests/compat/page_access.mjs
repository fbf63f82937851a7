// Nobody who cannot see or use a mouse is left out: axe in each view, light and dark, wide and narrow.
import { answered, checkAccess, forgive, more, opened, uploaded } from "./page_lib.mjs";

const [colorScheme] = more;
const check = (page, where) => checkAccess(page, `${where}, ${colorScheme}`);
const go = (page, hash) => page.evaluate((to) => (location.hash = to), hash);

/** MORE: light or dark; so for the next one. */
export async function chatAccess() {
  const page = await opened({ colorScheme, axe: true });
  await page.locator(".suggestions button").first().waitFor();
  await check(page, "welcome");
  await answered(page, "how do I drain a press?");
  await page.getByRole("button", { name: "This answer helped" }).click();
  await page.getByLabel("In your own words").waitFor();
  await check(page, "answer");
  await page.locator(".citation").first().focus();
  await page.locator(".peek").waitFor();
  await check(page, "peek");
  await page.keyboard.press("Enter");
  await page.getByRole("complementary", { name: "Evidence" }).waitFor();
  await check(page, "evidence");
  await page.setViewportSize({ width: 390, height: 844 });
  await check(page, "evidence on a phone");
  await page.keyboard.press("Escape");
  await check(page, "answer on a phone");
  await page.getByRole("link", { name: "Steps of this conversation" }).click();
  await page.locator(".steps li[data-kind=answered] button").click();
  await check(page, "steps on a phone");
}

export async function knowledgeAccess() {
  const page = await opened({ colorScheme, axe: true, hash: "#/documents" });
  await page.locator(".entry").first().waitFor();
  await check(page, "documents");
  await page.locator(".entry a").first().click();
  await page.locator("article h1").waitFor();
  await check(page, "document");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await check(page, "delete");
  await page.keyboard.press("Escape");
  await go(page, "#/upload");
  await uploaded(page, ["some.csv", "Number,Short description,Opened\nINC-2026-01-02-001,Feeder stands still,once\n"]);
  await page.locator(".report").waitFor();
  await check(page, "report");
  await page.getByRole("button", { name: "Choose other files" }).click();
  await check(page, "upload");
  await go(page, "#/versions");
  await page.getByRole("button", { name: "New version" }).click();
  await check(page, "versions");
  await go(page, "#/investigations");
  await page.getByLabel("What is wrong").fill("The press stands still");
  await check(page, "investigations");
  await page.getByRole("button", { name: "Investigate" }).click();
  await page.locator(".investigated .summary").waitFor();
  await check(page, "investigation");
  await go(page, "#/feedback");
  await page.getByText("No feedback to review").waitFor();
  await check(page, "feedback");
  await go(page, "#/golden");
  await page.getByRole("button", { name: "Write one" }).click();
  await check(page, "golden");
}

/** The view in which somebody signs in. */
export async function signInAccess() {
  const page = await opened({ colorScheme, axe: true });
  await page.getByLabel("Token").waitFor();
  await check(page, "sign-in");
  forgive("401");
}
