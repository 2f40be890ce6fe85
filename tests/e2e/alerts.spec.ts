import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { test } from "./support/people";

test("an admin sets where alerts go, sends a test, sees what came of it and takes the address away", async ({
  page,
}) => {
  let status = 200;
  let said = "";
  const paths: (string | undefined)[] = [];
  const receiver = createServer((request, response) => {
    paths.push(request.url);
    request.resume().on("end", () => response.writeHead(status).end(said));
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`; // a TCP listener has an address object

  await page.goto("/admin/settings");
  const card = page.locator("#alerts");
  const address = card.getByLabel("Webhook address");
  const save = card.getByRole("button", { name: "Save" });
  const send = card.getByRole("button", { name: "Send a test" });
  await expect(send).toBeDisabled();
  await expect(card.getByText("/metrics")).toBeVisible();
  await address.fill("nonsense");
  await save.click();
  await expect(address).toHaveAccessibleDescription(/http or https address/);
  await address.fill(`http://${host}/secret-path`);
  await save.click();
  await expect(page.getByText("The address of alerts is saved.")).toBeVisible();
  await expect(card.getByText(`Set: an address at ${host}.`, { exact: false })).toBeVisible();
  await expect(address).toHaveValue("");

  await send.click();
  await expect(card.getByText("Arrived (status 200)")).toBeVisible();
  expect(paths).toEqual(["/secret-path"]);
  status = 410;
  await send.click();
  await expect(card.getByText("The host answered with status 410.")).toBeVisible();

  // What a relay hands on of a robot that has not taken the message.
  status = 200;
  said = '{"errcode":310000,"errmsg":"keywords not in content"}';
  await send.click();
  await expect(card.getByText("Did not arrive")).toBeVisible();
  await expect(card.getByText("The receiver took the call (status 200), but not the message.")).toBeVisible();
  await expect(card.getByText("It said: keywords not in content")).toBeVisible();

  await card.getByLabel("Remove the address").check();
  await save.click();
  const none = card.getByText("To send a test, save an address first.");
  await expect(none).toBeVisible(); // an address that is still being sent is unsaved input, which stops the reload
  await expect(send).toBeDisabled();
  await page.reload();
  await expect(none).toBeVisible();
  receiver.close();
  receiver.closeAllConnections();
});
