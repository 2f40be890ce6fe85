import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type ApiError, accountServer, type Body } from "../support/account-server";
import { eventually } from "../support/gateway-fixtures";

const FILE = {
  nodes: [{ name: "declared", protocol: "chat", baseUrl: "http://127.0.0.1:1/v1" }],
  models: [
    { alias: "declared", prices: { input: 1, output: 1 }, routes: [{ node: "declared", model: "m" }] },
  ],
  plans: [{ id: 1, name: "Declared", qps: 1, rpm: 1, tpm: 1, selfService: true }],
};
const server = accountServer({ config: JSON.stringify(FILE) });
const admin = async <T = Body>(method: string, path: string, body?: unknown) =>
  server().api<T>(method, `/api/admin/${path}`, await server().adminToken(), body);

describe("what the configuration file declares", () => {
  test.each(["nodes", "models", "plans"])("is shown as such and cannot be changed here: %s", async (path) => {
    const { body } = await admin<{ data: { id: string; managedByFile: boolean }[] }>("GET", path);
    const [record] = body.data;
    expect(record?.managedByFile).toBe(true);
    for (const method of ["PATCH", "DELETE"]) {
      const change = method === "PATCH" ? { enabled: false } : undefined;
      const wanted = path === "plans" && change ? { name: "Other" } : change;
      const refused = await admin<ApiError>(method, `${path}/${record?.id}`, wanted);
      expect([refused.status, refused.body.error.code]).toEqual([409, "CONFLICT"]);
    }
  });

  test("has its prices from there only", async () => {
    const refused = await admin("POST", "prices", { model: "declared", input: 1, output: 2 });
    expect(refused.status).toBe(409);
  });
});

describe("base URLs typed here", () => {
  test.each([
    "http://api.example.com",
    "https://127.1/v1",
    "https://169.254.169.254/",
    "https://[::ffff:10.0.0.1]/",
  ])("do not point inside or travel in clear: %s", async (baseUrl) => {
    const { status, body } = await admin<ApiError>("POST", "nodes", {
      name: "inside",
      protocol: "chat",
      baseUrl,
    });
    expect([status, Object.keys(body.error.fields ?? {})]).toEqual([400, ["baseUrl"]]);
  });
});

test("what the file no longer declares is the admin's: the log says so once, and the list of models until one is saved", async () => {
  const plansAre = async (name: string, id = 1) => {
    const [plan] = FILE.plans;
    const applied = { nodes: [], models: [], plans: [{ ...plan, id, name }] };
    writeFileSync(server().env.CONFIG_FILE ?? "", JSON.stringify(applied));
    process.kill(server().pid, "SIGHUP");
    await eventually(async () =>
      JSON.stringify((await admin("GET", "plans")).body).includes(name) ? true : null,
    );
  };
  await plansAre("First");
  const { body } = await admin<{ data: Body[] }>("GET", "nodes");
  expect(body.data.find(({ name }) => name === "declared")).toMatchObject({ managedByFile: false });
  const modelOf = async () =>
    (await admin<{ data: Body[] }>("GET", "models")).body.data.find(({ alias }) => alias === "declared");
  const left = await modelOf();
  expect(left).toMatchObject({ managedByFile: false, enabled: true, leftFileAt: expect.any(String) });
  expect((await admin("PATCH", `models/${left?.id}`, { displayName: "Kept" })).status).toBe(200);
  expect(await modelOf()).toMatchObject({ displayName: "Kept", leftFileAt: null });
  await plansAre("Second");
  await plansAre("Third", 2);
  // The plan is seen as soon as it is committed; its line is written after that.
  const said = await eventually(async () => {
    const lines = server()
      .output.split("\n")
      .filter((line) => line.includes("no longer in the configuration file"));
    return lines.length >= 3 ? lines : null;
  });
  expect(said).toEqual([
    expect.stringMatching(/"node":"declared".*ALLOW_PRIVATE_UPSTREAMS=1/),
    expect.stringMatching(/"model":"declared".*it goes on/),
    expect.stringMatching(/"plan":"Second".*it stays/),
  ]);
});
