import { expect } from "@playwright/test";
import { ask, callModel, makeKey, test } from "./support/member";

test("the receipt multiplies tokens by the prices that the models page shows", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  const { requestId } = await callModel(request, secret);
  const { data } = await ask<{ data: Array<{ id: string; prices: { input: number; output: number } }> }>(
    request,
    member,
    "/api/user/models",
  );
  const prices = data.find((model) => model.id === "demo-chat")?.prices;
  const yuan = (cents = 0) => `¥${(cents / 100).toFixed(2)}`;
  await page.goto("/console/models");
  const row = page.getByRole("row", { name: /demo-chat/ });
  await expect(row).toContainText(yuan(prices?.input));
  await expect(row).toContainText(yuan(prices?.output));
  await row.getByRole("button", { name: "demo-chat", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "demo-chat" })).toContainText(/chatconverted: .*messages/);
  await page.goto(`/console/logs?request=${requestId}`);
  const receipt = page.getByRole("table", { name: "Tokens and cost" });
  await expect(receipt.getByRole("row", { name: /^Input/ })).toContainText(`× ${yuan(prices?.input)} per 1M`);
  await expect(receipt.getByRole("row", { name: /^Output/ })).toContainText(
    `× ${yuan(prices?.output)} per 1M`,
  );
});

test("the receipt has a line for each tool that the provider ran", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  const answer = await request.post("/v1/responses", {
    data: {
      model: "demo-responses",
      input: "Search the web for tollgates.",
      tools: [{ type: "web_search" }],
      max_output_tokens: 200,
    },
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(answer.status()).toBe(200);
  await page.goto(`/console/logs?request=${answer.headers()["x-request-id"]}`);
  const receipt = page.getByRole("table", { name: "Tokens and cost" });
  await expect(receipt.getByRole("row", { name: /^Web search/ })).toContainText("1 × ¥0.01 per call");
  await expect(receipt.getByRole("row", { name: /^Web search/ })).toContainText(/¥0\.010000$/);
});

test("an address with an unknown request tells its id, not that of the search for it", async ({
  page,
  member: _member,
}) => {
  const wanted = "00000000-0000-4000-8000-00000000d00d";
  await page.goto(`/console/logs?request=${wanted}`);
  const drawer = page.getByRole("dialog", { name: "Request" });
  await expect(drawer).toContainText(wanted);
  await expect(drawer).not.toContainText("Request id");
});

test("the receipt of a request that met no model names neither prices nor token counts", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  const { requestId } = await callModel(request, secret, { model: "no-such-model" });
  await page.goto(`/console/logs?request=${requestId}`);
  const drawer = page.getByRole("dialog", { name: "Request" });
  await expect(drawer.getByText("Reserved up front: ¥0.00", { exact: true })).toBeVisible();
  await expect(drawer).not.toContainText("Price version");
  await expect(drawer).not.toContainText("Token counts");
});
