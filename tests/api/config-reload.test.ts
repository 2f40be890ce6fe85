import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "@/tools/simulator/server";
import { chatBody, eventually } from "../support/gateway-fixtures";
import { discardServer, startServer, type TestServer, type TestUser } from "../support/server";
import { forEachServerDatabase } from "../support/server-databases";

const ALIASES = 1_000;
const CALLERS = 4;

/** A catalogue of a thousand aliases with two routes each, and what one call costs by it. Units: cents. */
interface Edition {
  price: number;
  promptTokens: number;
  cost: string;
}
const first: Edition = { price: 100, promptTokens: 1_000, cost: "0.11" };
const second: Edition = { price: 200, promptTokens: 3_000, cost: "0.62" };

await forEachServerDatabase(
  (database) => {
    /** Source: docs/contract.md#s3, #b15. */
    describe("applying the file again", () => {
      let upstream: Simulator;
      let server: TestServer;
      let user: TestUser;
      beforeAll(async () => {
        upstream = await startSimulator({ port: 0 });
        server = await startServer({
          database,
          config: fileOf(first),
          env: { SIGNUP_QUOTA_CENTS: "1000000000" },
        });
        user = await server.user();
      });
      afterAll(async () => {
        await discardServer(server);
        await upstream.close();
      });

      function fileOf({ price, promptTokens }: Edition): string {
        const model = `sim-usage-${promptTokens}-100`;
        return JSON.stringify({
          plans: [
            { id: 1, name: "Open", qps: null, rpm: null, tpm: null, keyQuotaCents: 1e9, selfService: true },
          ],
          nodes: ["a", "b"].map((name) => ({ name, protocol: "chat", baseUrl: `${upstream.url}/v1` })),
          models: Array.from({ length: ALIASES }, (_, index) => ({
            alias: `model-${index}`,
            displayName: `costs ${price}`,
            prices: { input: price, output: price },
            routes: [
              { node: "a", model },
              { node: "b", model, priority: 1 },
            ],
          })),
        });
      }

      function apply(text: string): void {
        writeFileSync(server.env.CONFIG_FILE ?? "", text);
        process.kill(server.pid, "SIGHUP");
      }

      interface Called {
        status: number;
        cost: string | null;
        tookMs: number;
      }

      let turn = 0;
      async function call(): Promise<Called> {
        const alias = `model-${(turn++ * 37) % ALIASES}`;
        const begun = performance.now();
        const answer = await server.gateway("/v1/chat/completions", user.key, chatBody(alias));
        await answer.arrayBuffer();
        const cost = answer.headers.get("x-tollgate-cost");
        return { status: answer.status, cost, tookMs: performance.now() - begun };
      }

      /** Calls on and on until told. */
      async function callUntil(isOver: (latest: Called) => boolean): Promise<Called[]> {
        const calls: Called[] = [];
        let over = false;
        const caller = async () => {
          while (!over) {
            const latest = await call();
            calls.push(latest);
            over ||= isOver(latest);
          }
        };
        await Promise.all(Array.from({ length: CALLERS }, caller));
        return calls;
      }

      const slowest = (calls: readonly Called[]) => Math.max(...calls.map(({ tookMs }) => tookMs));

      test(`with ${ALIASES} aliases that are all other: every call is served, by the old file or the new one whole, and none waits for it`, async () => {
        let before = 0;
        const calm = await callUntil(() => ++before >= 400);
        const begun = performance.now();
        apply(fileOf(second));
        const during = await callUntil(({ cost }) => cost === second.cost);
        const tookMs = performance.now() - begun;
        expect(new Set([...calm, ...during].map(({ status }) => status))).toEqual(new Set([200]));
        expect(during.length).toBeGreaterThan(CALLERS);
        for (const { cost } of during) expect([first.cost, second.cost]).toContain(cost);
        process.stdout.write(
          `${database}: applied in ${tookMs.toFixed(0)} ms beside ${during.length} calls; the slowest took ${slowest(during).toFixed(0)} ms, ${slowest(calm).toFixed(0)} ms before\n`,
        );
        expect(slowest(during)).toBeLessThan(Math.max(250, 4 * slowest(calm)));
        const after = await Promise.all(Array.from({ length: 50 }, call));
        expect(new Set(after.map(({ cost }) => cost))).toEqual(new Set([second.cost]));
      });

      test("with an error in it leaves the catalogue of before in force, and the next right one is applied", async () => {
        const said = (words: string) =>
          eventually(async () => (server.output.includes(words) ? true : null), 20_000);
        apply(fileOf(first).replace('"node":"b"', '"node":"c"'));
        await said('names node \\"c\\"');
        apply("models: [");
        await said("tollgate.yaml:1:");
        const calls = await Promise.all(Array.from({ length: 50 }, call));
        expect(new Set(calls.map(({ status, cost }) => `${status} ${cost}`))).toEqual(
          new Set([`200 ${second.cost}`]),
        );
        apply(fileOf(first));
        const during = await callUntil(({ cost }) => cost === first.cost);
        expect(new Set(during.map(({ status }) => status))).toEqual(new Set([200]));
      });
    });
  },
  { shortly: true },
);
