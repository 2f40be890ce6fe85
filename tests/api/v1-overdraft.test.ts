import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  chatBody,
  type ErrorBody,
  eventually,
  gatewayFor,
  keyMoney,
  logEntry,
  requestIdOf,
} from "../support/gateway-fixtures";
import { forEachServerDatabase } from "../support/server-databases";

const PARALLEL = 1_000;

/** Source: docs/reliability.md#r-3, #r-15. */
await forEachServerDatabase((database) => {
  const gateway = gatewayFor({
    database,
    models: [
      {
        alias: "dear",
        maxOutputTokens: 32_000,
        routes: [["chat", "sim-first-300ms+usage-1-10"]],
        prices: { input: 0, output: 1_000_000 },
      },
      // Many times what the estimate of the prompt covers.
      { alias: "lavish", routes: [["chat", "sim-usage-1000-1"]], prices: { input: 1_000_000, output: 0 } },
    ],
  });

  test(`one cent left, ${PARALLEL} parallel calls of a dear model: one passes, and its cost is all that is charged`, async () => {
    const user = await gateway.server.user({ quota: 1 });
    const body = chatBody("dear", { max_tokens: 32_000 });
    // A machine that is too slow for a thousand at once sheds some of them; clients come back when they are told to.
    const ask = async (): Promise<number> => {
      const answer = await gateway.server.gateway("/v1/chat/completions", user.key, body);
      await answer.arrayBuffer();
      if (answer.status !== 503) return answer.status;
      await sleep(1_000 * Number(answer.headers.get("retry-after")));
      return ask();
    };
    const statuses = await Promise.all(Array.from({ length: PARALLEL }, ask));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 402)).toHaveLength(PARALLEL - 1);
    await eventually(async () => ((await keyMoney(gateway.server, user)).held === 0 ? true : null));
    expect((await keyMoney(gateway.server, user)).usedQuota).toBe(10);
  });

  test("a node that counts many times the estimated input is charged in full and reported; the next call is refused", async () => {
    const user = await gateway.server.user({ quota: 500 });
    const call = () =>
      gateway.server.gateway("/v1/chat/completions", user.key, chatBody("lavish", { max_tokens: 100 }));
    const answer = await call();
    expect([answer.status, (await answer.text()).length > 0]).toEqual([200, true]);
    expect((await keyMoney(gateway.server, user)).usedQuota).toBe(1_000);
    const { receipt } = await logEntry(gateway.server, user, requestIdOf(answer));
    const shown = await gateway.server.gateway("/v1/usage", user.key);
    expect(await shown.json()).toMatchObject({ quota: 500, usedQuota: 1_000, remaining: -500 });
    const refused = await call();
    const { error } = (await refused.json()) as ErrorBody; // asserted below
    expect([refused.status, error.code]).toEqual([402, "QUOTA_EXCEEDED"]);
    expect(error.message).toContain(" -500 cents are left");
    const metrics = await (await fetch(`${gateway.server.url}/metrics`)).text();
    expect(Number(/^tollgate_overrun_cents_total\{model="lavish"\} (\S+)/m.exec(metrics)?.[1])).toBe(
      1_000 - Number(receipt.held),
    );
  });
});
