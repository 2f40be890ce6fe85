import { expect, type Page } from "@playwright/test";
import { sendJson, startScriptedUpstream } from "@/tests/support/scripted-upstream";
import { freshName, test } from "./support/people";

const SECRET = "canary+secret+of+forty+characters+abcdef";
const KEY_ID = "AKIAIOSFODNN7EXAMPLE";
const bedrock = "https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1";

/** The form of a new node. */
async function newNode(page: Page) {
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: "Add node" }).click();
  return page.getByRole("dialog", { name: "Add a node" });
}

/** Source: docs/clouds.md#kinds. */
test("keys of AWS are entered, shown without their secret, changed and removed", async ({ page }) => {
  const name = freshName("aws-");
  const sheet = await newNode(page);
  await expect(sheet.getByLabel("Signs in with")).toHaveValue("key");
  await sheet.getByLabel("Name", { exact: true }).fill(name);
  await sheet.getByLabel("Base URL").fill(bedrock);
  await expect(sheet.getByText("start the server with CLOUD_CREDENTIALS_AMBIENT=1")).toBeVisible();
  const offered = await sheet.getByLabel("Signs in with").locator("option").allTextContents();
  expect(offered).toEqual(["API key", "AWS: access key", "AWS: role"]);
  await sheet.getByLabel("Signs in with").selectOption("aws_static");
  await sheet.getByRole("button", { name: "Add node" }).click();
  await expect(sheet.getByText("Fill in this field.").first()).toBeVisible();
  await sheet.getByLabel("Access key ID").fill("nothing");
  await expect(sheet.getByText("An access key begins with AKIA or ASIA.")).toBeVisible();
  await sheet.getByLabel("Access key ID").fill(`${KEY_ID}|${SECRET}|eu-west-1`);
  await expect(sheet.getByLabel("Access key ID")).toHaveValue(KEY_ID);
  await expect(sheet.getByLabel("Secret access key")).toHaveValue(SECRET);
  await sheet.getByText("Region and session").click();
  await expect(sheet.getByLabel("Region", { exact: true })).toHaveValue("eu-west-1");
  await sheet.getByRole("button", { name: "Add node" }).click();
  await expect(sheet).toBeHidden();

  await page.getByRole("button", { name: `Show node ${name}` }).click();
  const drawer = page.getByRole("dialog", { name, exact: true });
  await expect(drawer).toContainText(`AWS: access key: ${KEY_ID}`);
  await drawer.getByRole("button", { name: "Edit" }).click();
  const edit = page.getByRole("dialog", { name: `Edit “${name}”` });
  await expect(edit.getByLabel("Access key ID")).toHaveValue(KEY_ID);
  await expect(edit.getByLabel("Secret access key")).toHaveValue("");
  await expect(edit.getByText("Set. Enter it again to change the credential.")).toBeVisible();
  expect(await page.content()).not.toContain(SECRET);
  await edit.getByText("Region and session").click();
  await edit.getByLabel("Region", { exact: true }).fill("us-west-2");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit.getByText("Fill in this field.").first()).toBeVisible();
  await edit.getByLabel("Secret access key").fill(SECRET);
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toBeHidden();
  const { data } = await (await page.request.get("/api/admin/nodes")).json();
  const stored = () => data.find((node: { name: string }) => node.name === name).credential;
  expect(stored()).toMatchObject({ kind: "aws_static", region: "us-west-2", principal: KEY_ID });
});

test("a pasted line of keys in the field of a key becomes keys of AWS", async ({ page }) => {
  const sheet = await newNode(page);
  await sheet.getByLabel("Base URL").fill(bedrock);
  await sheet.getByLabel("Upstream API key").fill(`${KEY_ID}|${SECRET}`);
  await expect(sheet.getByLabel("Signs in with")).toHaveValue("aws_static");
  await expect(sheet.getByLabel("Access key ID")).toHaveValue(KEY_ID);
});

test("a test says who signs in, and what the node says to that", async ({ page }) => {
  const upstream = await startScriptedUpstream((response, { headers }) => {
    const isKnown = headers.authorization?.includes(KEY_ID) === true;
    if (isKnown) sendJson(response, 200, { data: [{ id: "m" }] });
    else sendJson(response, 403, { __type: "UnrecognizedClientException", message: "Who is this?" });
  });
  const sheet = await newNode(page);
  await sheet.getByLabel("Provider").selectOption("other");
  await sheet.getByLabel("Base URL").fill(`${upstream.url}/v1`);
  await sheet.getByLabel("Signs in with").selectOption("aws_static");
  const enter = async (id: string) => {
    await sheet.getByLabel("Access key ID").fill(`${id}|${SECRET}|us-east-1`);
    await sheet.getByRole("button", { name: "Test this node" }).click();
  };
  await enter(KEY_ID);
  await expect(sheet.getByText(`It signs in as ${KEY_ID}.`)).toBeVisible();
  await expect(sheet.getByText("The node lets it in.")).toBeVisible();
  await enter("AKIAIOSFODNN7FOREIGN");
  await expect(sheet.getByText("It signs in as AKIAIOSFODNN7FOREIGN.")).toBeVisible();
  await expect(sheet.getByText("The node does not let it in.")).toBeVisible();
  await upstream.close();
});
