import { describe, expect, test } from "vitest";
import { providerBillReport } from "@/lib/api/schemas/provider-bill";
import { compareBill } from "@/lib/shared/provider-bills/compare-bill";
import { readBills } from "@/lib/shared/provider-bills/read-bill";
import { catalogRig } from "../support/catalog-rig";

const { server, admin, makeNode, makeModel, call } = catalogRig();
const model = "sim-usage-1000-1000";
const today = () => new Date().toISOString().slice(0, 10);

async function read(query: string) {
  const { status, body } = await admin("GET", `provider-bill?${query}`);
  expect(status).toBe(200);
  return providerBillReport.parse(body);
}

/** Source: docs/contract.md#provider-bill. */
describe("what nodes were asked by day", () => {
  test("has attempts, tokens and the cost at the node, and agrees with a bill of the same calls", async () => {
    const user = await server().user({ planId: 3 });
    const [node, other] = [await makeNode(), await makeNode()];
    const cost = { input: 700, output: 2_100 };
    const routes = [{ node: node.name, model, cost }];
    const { alias } = await makeModel(node.name, { routes });
    const uncosted = await makeModel(other.name);
    const from = today();
    for (const name of [alias, alias, uncosted.alias]) expect((await call(user.key, name)).status).toBe(200);
    const query = `from=${from}&to=${today()}`;
    const { rows } = await read(`${query}&nodes=${node.id}`);
    expect(rows).toEqual([
      {
        day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        nodeId: node.id,
        node: node.name,
        model: alias,
        upstreamModels: [model],
        attemptCount: 2,
        failureCount: 0,
        costedCount: 2,
        promptTokens: 2_000,
        completionTokens: 2_000,
        cost: "5.6",
      },
    ]);
    const both = await read(`${query}&nodes=${node.id},${other.id}`);
    expect(both.rows.map((row) => [row.model, row.cost])).toEqual(
      expect.arrayContaining([
        [alias, "5.6"],
        [uncosted.alias, null],
      ]),
    );
    expect(both.rows).toHaveLength(2);

    const file = `date,model,usage,requests,prompt_tokens,completion_tokens\n${from},any/${model},0.008,2,2000,2000`;
    const bill = readBills([file]);
    if ("problem" in bill) throw new Error(bill.problem.kind);
    const compared = compareBill(bill.bill, rows, { rate: "7" });
    expect(compared.rows).toMatchObject([
      {
        model: `any/${model}`,
        aliases: [alias],
        difference: { tokens: 0, cents: "0" },
        cause: { kind: "equal" },
      },
    ]);
  });

  test("without days it is of the last 30, and an unknown node was asked nothing", async () => {
    const none = "00000000-0000-4000-8000-000000000000";
    const { from, to, rows } = await read(`nodes=${none}`);
    expect(rows).toEqual([]);
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
  });

  test("is for admins only", async () => {
    const user = await server().user({ planId: 3 });
    expect((await server().api("GET", "/api/admin/provider-bill", user.token)).status).toBe(403);
    expect((await server().api("GET", "/api/admin/provider-bill")).status).toBe(401);
  });

  test.each([
    "from=2026-01-02&to=2026-01-01",
    "from=2026-01-01",
    "from=2026-01-01&to=2026-12-31",
    "from=yesterday&to=today",
    "nodes=first",
    "tz=Europe/Berlin",
  ])("refuses ?%s", async (query) => expect((await admin("GET", `provider-bill?${query}`)).status).toBe(400));
});
