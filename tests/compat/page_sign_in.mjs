// Who asks: a token, and what its owner may see.
import assert from "node:assert/strict";
import { forgive, more, opened, url } from "./page_lib.mjs";

async function signedIn(token, hash = "") {
  const page = await opened({ hash });
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  return page;
}

/** MORE: the tokens of a reader who may see runbooks only, and of an editor. */
export async function signIn() {
  const [reader, editor] = more;
  const page = await signedIn("not-a-token");
  await page.getByRole("alert").filter({ hasText: "does not accept this token" }).waitFor();
  await page.getByLabel("Token").fill(reader);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("You may read here, but not ask").waitFor();
  assert.equal(await page.getByRole("link", { name: "Review" }).count(), 0);
  // What the reader may not see is neither listed, nor counted, nor opened by its id.
  await page.locator(".welcome").getByRole("link", { name: "Knowledge" }).click();
  await page.locator(".entry", { hasText: "Drain a press" }).waitFor();
  assert.equal(await page.locator(".entry").count(), 1);
  assert.match(await page.getByRole("status").innerText(), /^1 document$/);
  assert.equal(await page.getByRole("link", { name: "Upload" }).count(), 0);
  await page.goto(`${url}/#/document?id=INC-2026-05-02-002`);
  await page.getByRole("alert").filter({ hasText: "Nothing is known as" }).waitFor();
  assert.doesNotMatch(await page.locator("body").innerText(), /sealed/);
  // The token is in this tab only, and gone when its owner leaves.
  assert.equal(await page.evaluate(() => localStorage.length + document.cookie.length), 0);
  await page.reload();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Token").waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem("token")), null);
  // An editor sees it.
  const other = await signedIn(editor, "#/document?id=INC-2026-05-02-002");
  await other.getByRole("heading", { name: "Vault sealed" }).waitFor();
  await other.getByRole("link", { name: "Review" }).waitFor();
  // On a phone, too, each view can be seen.
  await other.setViewportSize({ width: 390, height: 700 });
  for (const hash of ["#/documents", "#"]) {
    await other.goto(`${url}/${hash}`);
    await other.locator(hash === "#" ? ".welcome" : ".entry").first().waitFor();
    const hidden = await other.locator(".views").evaluate((views) => views.scrollWidth - views.clientWidth);
    assert.ok(hidden <= 0, `${hidden} pixels of the views are cut off at ${hash}`);
  }
  forgive("401");
  forgive("404");
}
