import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { certificateSkipReason } from "../support/certificates";
import { CloudVendors, cloudCredentials, hosts } from "../support/cloud-vendors";
import { chatBody, eventually, gatewayFor } from "../support/gateway-fixtures";

/** A token is renewed because of a refusal when it is older than ten seconds. */
const OLD_MS = 11_000;

const { role, entra, google } = cloudCredentials;
const nodes = [
  { name: "role", baseUrl: `https://${hosts.bedrock}/openai/v1`, credential: role, tokensOf: hosts.sts },
  { name: "entra", baseUrl: `https://${hosts.azure}/openai/v1`, credential: entra, tokensOf: hosts.entra },
  {
    name: "google",
    baseUrl: `https://${hosts.vertex}/v1beta1/projects/p/locations/us-central1/endpoints/openapi`,
    credential: google,
    tokensOf: hosts.google,
  },
];

let vendors: CloudVendors;
const without = certificateSkipReason !== null;
beforeAll(async () => {
  if (without) return;
  vendors = new CloudVendors(() => gateway.upstream.url);
  vendors.aheadMs = null;
  await vendors.start();
});
afterAll(() => vendors?.close());

const gateway = gatewayFor({
  nodes: () => (without ? [] : nodes.map(({ tokensOf: _, ...node }) => node)),
  models: without
    ? []
    : nodes.map(({ name }) => ({ alias: name, routes: [[name, "m"]] as [string, string][] })),
  get env() {
    return { ...vendors?.environment };
  },
});

/** The server's own time. */
async function serverTime(): Promise<number> {
  const answer = await fetch(`${gateway.server.url}/healthz`);
  await answer.arrayBuffer();
  return Date.parse(answer.headers.get("date") ?? "");
}

async function call(name: string, key: string, stream = false): Promise<number> {
  const body = chatBody(name, { stream });
  const answer = await gateway.server.gateway("/v1/chat/completions", key, body);
  await answer.text();
  return answer.status;
}

/** Source: docs/clouds.md#refresh. */
describe.skipIf(without)("tokens that vendors take back", () => {
  let key = "";
  beforeAll(async () => {
    if (without) return;
    key = (await gateway.key()).key;
    for (const { name } of nodes) expect([name, await call(name, key)]).toEqual([name, 200]);
    const gotAt = await serverTime();
    await eventually(async () => (await serverTime()) - gotAt > OLD_MS || null, 60_000);
    vendors.revoke();
  });

  test.each(nodes)(
    "are renewed once for many calls, which all succeed, and not again while they are young ($name)",
    async ({ name, tokensOf }) => {
      expect(vendors.countOf(tokensOf)).toBe(1);
      const streamed = [false, true, false, true, false];
      const statuses = await Promise.all(streamed.map((stream) => call(name, key, stream)));
      expect(statuses).toEqual([200, 200, 200, 200, 200]);
      expect(vendors.countOf(tokensOf)).toBe(2);
      vendors.revoke();
      expect(await call(name, key)).toBe(502);
      expect(vendors.countOf(tokensOf)).toBe(2);
    },
  );
});
