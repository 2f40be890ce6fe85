import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { certificateSkipReason, makeCertificates, type TestCertificates } from "@/tests/support/certificates";
import { freshName, test } from "./support/people";

/** A node with https, whose certificate no public authority has signed. */
async function startPrivateNode({ key, cert }: TestCertificates) {
  const server = createServer({ key, cert }, (request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: [{ id: "model-of-mine" }] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP listener has an address object
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { host, close };
}

/** Source: docs/contract.md#own-ca. */
test("a node gets CA certificates of its own: what is none is told at the field, what is one is used and shown", async ({
  page,
}) => {
  test.skip(certificateSkipReason !== null, certificateSkipReason ?? "");
  const certificates = makeCertificates();
  const { host, close } = await startPrivateNode(certificates);
  const name = freshName("own-ca-");
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: "Add node" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a node" });
  await sheet.getByLabel("Name", { exact: true }).fill(name);
  await sheet.getByLabel("Base URL").fill(`https://${host}/v1`);
  await sheet.getByLabel("Upstream API key").fill("sk-any-1234");
  const run = sheet.getByRole("button", { name: "Test this node" });
  await run.click();
  await expect(sheet.getByText(`The TLS certificate of ${host} is not valid`)).toBeVisible();

  await sheet.getByText("Limits, proxy, certificates and headers").click();
  const ca = sheet.getByLabel("Own CA certificates");
  const save = sheet.getByRole("button", { name: "Add node" });
  const broken = certificates.ca.replace(/\n.{20}/, `\n${"A".repeat(20)}`);
  for (const [typed, told] of [
    ["My CA", "Use the text of a PEM file, from -----BEGIN CERTIFICATE-----"],
    [certificates.key, "Remove the private key. Only certificates belong here."],
    [broken, "A certificate cannot be read. Copy the whole PEM file."],
  ] as const) {
    await ca.fill(typed);
    await save.click();
    await expect(ca).toHaveAccessibleDescription(new RegExp(told));
    await expect(ca).toBeFocused();
  }

  await ca.fill(`Some text of openssl\n${certificates.ca}`);
  await run.click();
  await expect(sheet.getByText(/^Reachable: first byte after/)).toBeVisible();
  await expect(sheet.getByText("It lists 1 model.")).toBeVisible();
  await save.click();
  await expect(sheet).toBeHidden();
  const show = page.getByRole("button", { name: `Show node ${name}` });
  await show.click();
  const drawer = page.getByRole("dialog", { name, exact: true });
  await expect(drawer.getByText("Only its own certificates")).toBeVisible();
  await drawer.getByRole("button", { name: "Edit" }).click();
  const edit = page.getByRole("dialog", { name: `Edit “${name}”` });
  await edit.getByText("Limits, proxy, certificates and headers").click();
  const stored = edit.getByLabel("Own CA certificates");
  await expect(stored).toHaveValue(certificates.ca);
  await stored.fill("");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toBeHidden();
  await page.goto("/admin/nodes");
  await show.click();
  await expect(drawer.getByText("None; the usual authorities")).toBeVisible();
  close();
  certificates.remove();
});
