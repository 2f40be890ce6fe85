import { expect } from "@playwright/test";
import { axeViolations, smallTargets } from "./support/axe";
import { test } from "./support/member";
import { PLAYGROUND, say } from "./support/playground";

test("tools that are no JSON and a token limit out of range are explained, and nothing is sent", async ({
  page,
  member: _member,
}) => {
  await page.goto(`${PLAYGROUND}&max=999999999`);
  await page.getByLabel("Message").fill("Hello");
  const limit = page.getByLabel("Max. tokens");
  await expect(limit).toHaveValue("999999999");
  await expect(limit).toHaveAccessibleDescription(/^Use a whole number from 1 to [\d,]+/);
  await expect(page.getByText(/^Not sent yet. Max. tokens: Use a whole number/), "beside Send").toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await limit.fill("60");
  await expect(page.getByText("Not sent yet.")).toHaveCount(0);
  await page.getByRole("button", { name: "Example", exact: true }).click();
  await page.getByText("All as JSON").click();
  await expect(page.getByLabel("Tools (JSON)")).toHaveValue(/"name": "get_weather"/);
  await page.getByLabel("Tools (JSON)").fill('[\n  {"name": weather}\n]');
  await expect(page.getByText("“weather” is not expected in line 2, column 12.")).toBeVisible();
  await page.getByLabel("Tools (JSON)").fill('[{"name": "a b"}]');
  await expect(page.getByText("Tool 1 needs a name")).toBeVisible();
  await expect(page.getByText("The tools in the settings have an error"), "beside Send").toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await page.getByLabel("Tools (JSON)").fill('[{"name": "weather"}]');
  const [sent] = await Promise.all([
    page.waitForRequest("**/v1/chat/completions"),
    page.getByLabel("Message").press("Enter"),
  ]);
  expect(sent.postDataJSON().tools).toMatchObject([{ function: { name: "weather" } }]);
});

test("functions are a list, in which each is written, checked and removed", async ({
  page,
  member: _member,
}) => {
  await page.goto(PLAYGROUND);
  const functions = page.getByRole("region", { name: "Functions" });
  const add = functions.getByRole("button", { name: "Add function" });
  await functions.getByRole("button", { name: "Example", exact: true }).click();
  await expect(functions.getByRole("listitem")).toContainText("get_weather");
  await add.click();
  const form = functions.locator("form");
  await form.getByLabel("Name").fill("get_weather");
  await form.getByRole("button", { name: "Add function" }).click();
  await expect(form.getByText("Another function has this name.")).toBeVisible();
  await form.getByLabel("Name").fill("get_time");
  await form.getByLabel("Description").fill("The time of a city.");
  await form.getByLabel("Parameters (JSON schema)").fill("[]");
  await expect(form.getByText("A JSON schema must be an object.")).toBeVisible();
  await form.getByLabel("Parameters (JSON schema)").fill('{"type": "object"}');
  expect([...(await axeViolations(page)), ...(await smallTargets(page))]).toEqual([]);
  await form.getByRole("button", { name: "Add function" }).click();
  await expect(functions.getByRole("listitem")).toHaveCount(2);
  await functions.getByRole("button", { name: "Remove get_weather" }).click();
  await functions.getByRole("button", { name: "Edit get_time" }).click();
  await form.getByLabel("Name").fill("time");
  await page.getByLabel("Message").fill("Not yet");
  await expect(page.getByText(/^Not sent yet. A function .* is not saved/), "beside Send").toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Not sent yet.")).toHaveCount(0);
  await expect(functions.getByRole("listitem")).toHaveText(/time.*The time of a city/);
  const [sent] = await Promise.all([
    page.waitForRequest("**/v1/chat/completions"),
    say(page, "What time is it?"),
  ]);
  expect(sent.postDataJSON().tools).toEqual([
    {
      type: "function",
      function: { name: "time", description: "The time of a city.", parameters: { type: "object" } },
    },
  ]);
});

test("the settings on a phone ask before they close over a function that is not saved", async ({
  page,
  member: _member,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(PLAYGROUND);
  await page.getByRole("button", { name: "Parameters" }).click();
  const sheet = page.getByRole("dialog", { name: "Parameters" });
  await sheet.getByRole("button", { name: "Add function" }).click();
  const name = sheet.locator("form").getByLabel("Name");
  await name.fill("get_time");
  await sheet.getByRole("button", { name: "Close" }).click();
  const question = page.getByRole("alertdialog", { name: "Discard changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(name).toHaveValue("get_time");
  await sheet.locator("form").getByRole("button", { name: "Add function" }).click();
  await expect(sheet.getByRole("listitem").filter({ hasText: "get_time" })).toBeVisible();
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect(sheet).toBeHidden();
});
