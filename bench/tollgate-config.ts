import { PRICES } from "./oracle";
import { type Payload, upstreamModel } from "./payloads";

/** Limits far above every load, so that each request is counted but none is refused. */
const LIMITS = { qps: 1_000_000, rpm: 60_000_000, tpm: 2_000_000_000 };
const QUOTA_CENTS = 100_000_000_000;

/** The alias of a payload that is passed through to a Chat Completions node. */
export function sameProtocolAlias(payload: string): string {
  return `${payload.toLowerCase()}-same`;
}

/** The alias of a payload that is converted for a Messages node. */
export function convertedAlias(payload: string): string {
  return `${payload.toLowerCase()}-converted`;
}

/** The configuration file of a gateway under test: two nodes, two aliases for each payload, a plan with limits. */
export function tollgateConfig(mockUrl: string, payloads: readonly Payload[]): string {
  return JSON.stringify({
    nodes: [
      { name: "mock-chat", protocol: "chat", baseUrl: `${mockUrl}/v1`, apiKey: "mock" },
      { name: "mock-messages", protocol: "messages", baseUrl: mockUrl, apiKey: "mock" },
    ],
    models: payloads.flatMap((payload) => [
      alias(sameProtocolAlias(payload.name), "mock-chat", payload),
      alias(convertedAlias(payload.name), "mock-messages", payload),
    ]),
    plans: [{ id: 1, name: "Bench", ...LIMITS, keyQuotaCents: QUOTA_CENTS, selfService: true }],
  });
}

/** Settings of a gateway under test, besides its database. */
export function tollgateEnvironment(
  dataDir: string,
  configFile: string,
  password: string,
): Record<string, string> {
  return {
    PORT: "0",
    DATA_DIR: dataDir,
    CONFIG_FILE: configFile,
    LOG_LEVEL: "warn",
    SIGNUP_QUOTA_CENTS: String(QUOTA_CENTS),
    INIT_ADMIN_PASSWORD: password,
  };
}

function alias(name: string, node: string, payload: Payload): object {
  return { alias: name, prices: PRICES, routes: [{ node, model: upstreamModel(payload) }] };
}
