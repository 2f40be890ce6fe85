import type { Page } from "@playwright/test";

/** The Playground with a model of the demo. */
export const PLAYGROUND = "/console/playground?model=demo-chat";

/** Sends a message. */
export async function say(page: Page, message: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(message);
  await page.getByRole("button", { name: "Send" }).click();
}

/** Chooses a model by typing its name. */
export async function chooseModel(page: Page, label: string, model: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(model);
  await page.getByRole("option", { name: new RegExp(`^${model}`) }).click();
}

/** An answer of the model API with this text. */
export async function answerWith(page: Page, content: string): Promise<void> {
  const chunk = { choices: [{ index: 0, delta: { content }, finish_reason: "stop" }] };
  await page.route("**/v1/chat/completions", (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`,
    }),
  );
}
