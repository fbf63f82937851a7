// Nobody who cannot see or use a mouse is left out: axe in each view, light and dark, wide and narrow.
import { answered, checkAccess, forgive, opened, uploaded } from "./page_lib.mjs";

export async function accessibility() {
  for (const colorScheme of ["light", "dark"]) {
    const page = await opened({ colorScheme, axe: true });
    const check = (where) => checkAccess(page, `${where}, ${colorScheme}`);
    const go = (hash) => page.evaluate((to) => (location.hash = to), hash);
    await page.locator(".suggestions button").first().waitFor();
    await check("welcome");
    await answered(page, "how do I drain a press?");
    await page.getByRole("button", { name: "This answer helped" }).click();
    await page.getByLabel("In your own words").waitFor();
    await check("answer");
    await page.locator(".citation").first().focus();
    await page.locator(".peek").waitFor();
    await check("peek");
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Evidence" }).waitFor();
    await check("evidence");
    await page.setViewportSize({ width: 390, height: 844 });
    await check("phone");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Steps of this conversation" }).click();
    await page.locator(".steps li[data-kind=answered] button").click();
    await check("steps on a phone");
    await page.setViewportSize({ width: 1280, height: 800 });
    await check("steps");
    await go("#/documents");
    await page.locator(".entry").first().waitFor();
    await check("documents");
    await page.locator(".entry a").first().click();
    await page.locator("article h1").waitFor();
    await check("document");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await check("delete");
    await page.keyboard.press("Escape");
    await go("#/upload");
    await uploaded(page, ["some.csv", "Number,Short description,Opened\nINC-2026-01-02-001,Feeder stands still,once\n"]);
    await page.locator(".report").waitFor();
    await check("report");
    await page.getByRole("button", { name: "Choose other files" }).click();
    await check("upload");
    await go("#/feedback");
    await page.getByText("No feedback waits").waitFor();
    await check("feedback");
    await go("#/golden");
    await page.getByRole("button", { name: "Write one" }).click();
    await check("golden");
    await page.context().close();
  }
}

/** The view in which somebody signs in. */
export async function signInAccess() {
  for (const colorScheme of ["light", "dark"]) {
    const page = await opened({ colorScheme, axe: true });
    await page.getByLabel("Token").waitFor();
    await checkAccess(page, `sign-in, ${colorScheme}`);
  }
  forgive("401");
}
