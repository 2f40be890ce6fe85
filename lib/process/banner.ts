import type { Runtime } from "@/lib/gateway/runtime";
import type { DemoAccount } from "./demo";
import type { FirstAdmin } from "./first-admin";

/** What the banner prints; secrets are shown only once. The first admin's password is shown before. */
export interface BannerFacts {
  url: string;
  /** The admin that this start created; null when there was one. */
  admin: FirstAdmin | null;
  /** The secret of the first key, which this start created; null when there is none to print. */
  firstKey: string | null;
  /** Whether anybody can register an account that has quota for a call. */
  registers: boolean;
  /** Accounts with simulated usage that this start created. */
  seeded: readonly DemoAccount[];
}

/** The text that the server prints when it is ready. Source: docs/contract.md#s1, #b19. */
export function banner(runtime: Runtime, facts: BannerFacts): string {
  const { settings, db, catalog } = runtime;
  const { models } = catalog.current;
  const alias = models.has("demo-chat") ? "demo-chat" : models.keys().next().value;
  const lines = [
    "",
    `  Tollgate is ready at ${facts.url}`,
    `  database   ${db.kind === "postgres" ? "PostgreSQL" : `embedded (evaluation and single-node use), in ${settings.dataDir}`}`,
    `  limits     ${settings.redisUrl === null ? "in memory" : "Redis"}`,
    ...facts.seeded.map(({ username, password }) => `  seeded     ${username}, password ${password}`),
    ...(settings.demoProvider
      ? ["  demo       the simulated provider is on: answers of demo-* aliases are made up"]
      : []),
    "",
    ...firstCallLines(facts, alias ?? "MODEL"),
    "",
  ];
  return lines.join("\n");
}

function firstCallLines({ url, admin, firstKey, registers }: BannerFacts, alias: string): string[] {
  const call = (key: string) => [
    `  curl ${url}/v1/chat/completions -H "authorization: Bearer ${key}" -H 'content-type: application/json' \\`,
    `    -d '{"model":"${alias}","max_tokens":100,"messages":[{"role":"user","content":"Hello"}]}'`,
  ];
  if (firstKey !== null)
    return ["  Your first call, with the admin's first key (shown only now):", "", ...call(firstKey)];
  if (admin !== null || !registers)
    return [`  A first call, with a key that you make at ${url}/console/keys:`, "", ...call("$KEY")];
  return [
    "  A first call, with a new account and key:",
    "",
    `  TOKEN=$(curl -s ${url}/api/user/register -H 'content-type: application/json' \\`,
    `    -d '{"username":"first'$RANDOM'","password":"change-me"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`,
    `  KEY=$(curl -s ${url}/api/user/tokens -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\`,
    `    -d '{"name":"first"}' | sed 's/.*"key":"\\([^"]*\\)".*/\\1/')`,
    ...call("$KEY"),
  ];
}
