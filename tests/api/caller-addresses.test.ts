import { expect, test } from "vitest";
import { accountServer, freshName, signUp } from "../support/account-server";

const server = accountServer({ env: { TRUST_PROXY: "1", LOGIN_PER_IP_PER_MINUTE: "3" } });

const call = (path: string, from: string, init: RequestInit = {}) =>
  fetch(server().url + path, {
    ...init,
    headers: { "content-type": "application/json", "x-forwarded-for": from, ...init.headers },
  });

const signIn = (from: string, username = freshName(), password = "wrong-one") =>
  call("/api/user/login", from, { method: "POST", body: JSON.stringify({ username, password }) });

async function statuses(from: readonly string[]): Promise<number[]> {
  const found = [];
  for (const address of from) found.push((await signIn(address)).status);
  return found;
}

/** Source: docs/reliability.md#s3-4, docs/contract.md#client-address. */
test("sign-ins are counted by the address, whatever port it has, and by the /64 network of an IPv6 address", async () => {
  const v4 = ["203.0.113.9:4000", "203.0.113.9:4001", '"203.0.113.9:4002"', "::ffff:203.0.113.9"];
  expect(await statuses(v4)).toEqual([401, 401, 401, 429]);
  const v6 = ["[2001:db8:1:2::1]:1", "[2001:DB8:1:2::2]:2", "2001:db8:1:2::3", "2001:db8:1:2:ffff::4%eth0"];
  expect(await statuses(v6)).toEqual([401, 401, 401, 429]);
  expect(await statuses(["203.0.113.10:4000", "2001:db8:1:3::1"])).toEqual([401, 401]);
});

/** Source: docs/contract.md#client-address. */
test("the list of sign-ins and the audit log show the address without its port", async () => {
  const { username, password } = await signUp(server());
  const entered = await signIn("[2001:db8:5::1]:4711", username, password);
  const { token } = (await entered.json()) as { token: string };
  const listed = await server().api<{ data: { ip: string }[] }>("GET", "/api/user/logins", token);
  expect(listed.body.data.map(({ ip }) => ip)).toContain("2001:db8:5::1");
  const plan = await call("/api/admin/plans", "198.51.100.7:4711", {
    method: "POST",
    headers: { authorization: `Bearer ${await server().adminToken()}` },
    body: JSON.stringify({ name: freshName(), qps: 1, rpm: 1, tpm: 1, keyQuotaCents: 1, selfService: false }),
  });
  expect(plan.status).toBe(201);
  const audit = await server().api<{ data: { ip: string }[] }>(
    "GET",
    "/api/admin/audit",
    await server().adminToken(),
  );
  expect(audit.body.data.map(({ ip }) => ip)).toContain("198.51.100.7");
});

/** Source: docs/reliability.md#s2-8. */
test("invalid keys are counted by the address, whatever port it has", async () => {
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, at) => call("/v1/models", `203.0.113.77:${1000 + at}`)),
  );
  expect(answers.map(({ status }) => status)).toContain(429);
});
