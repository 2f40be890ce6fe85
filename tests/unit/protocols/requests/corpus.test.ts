import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type GatewayError, isGatewayError } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { extraFields } from "@/lib/protocols/passes/extra-costs";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { type RecordedProtocol, shared } from "@/tests/corpus/corpus";
import { expectAcceptable } from "@/tests/unit/protocols/requests/body-invariants";
import { prepareFor, validated } from "@/tests/unit/protocols/requests/support";

const corpus = path.join(shared, "corpus");
const upstreamModels: Record<Protocol, string> = {
  chat: "gpt-4o",
  messages: "claude-sonnet-4-5",
  responses: "gpt-5.6",
  gemini: "gemini-3-pro",
};

interface Recorded {
  name: string;
  protocol: RecordedProtocol;
  headers: Record<string, string>;
  body: JsonObject;
}

/** What one protocol can say and the other cannot; a recorded request may be refused for nothing else. */
const limitsOfTheProtocols: [RegExp, string][] = [
  [/^model must/, "Azure names the model in the path"],
  [/^n must be 1/, "one choice"],
  [/takes no audio|answers in text only/, "no audio"],
  [/^tools\[0\]\.type: this model cannot run|^tools\[\d\]\.type must be function/, "only server tools"],
  [/state kept by a server/, "server state"],
  [/\.source\.type must be|not fetched/, "file ids and remote documents"],
  [/assistant message prefill/, "no prefill"],
  [/^reasoning_effort must be one of/, "a vendor's own effort word"],
  [/content\[\d\]\.type must be one of/, "a vendor's own kind of part"],
  [/at least one user or assistant message/, "only a system prompt"],
];

function readJson(...parts: string[]): JsonObject {
  return JSON.parse(readFileSync(path.join(corpus, ...parts), "utf8")) as JsonObject;
}

function openRequests(): Recorded[] {
  const files = readdirSync(path.join(corpus, "open")).filter(
    (file) => !/^(?:index|expected)\.json$/.test(file),
  );
  return files.map((name) => {
    const recorded = readJson("open", name) as { provider: string; request: { body: JsonObject } };
    const protocol = recorded.provider === "openai-chat" ? "chat" : "messages";
    return { name, protocol, headers: {}, body: recorded.request.body };
  });
}

interface ClientCall {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: JsonObject;
}

function clientRequests(): Recorded[] {
  return readdirSync(path.join(corpus, "clients")).flatMap((file) => {
    const { requests } = readJson("clients", file) as { requests: ClientCall[] };
    return requests
      .filter((call) => call.method === "POST" && /\/(?:messages|chat\/completions)(?:\?|$)/.test(call.url))
      .map((call, index) => ({
        name: `${file}#${index}`,
        protocol: call.url.includes("messages") ? ("messages" as const) : ("chat" as const),
        headers: call.headers,
        body: call.body,
      }));
  });
}

function prepare(
  recorded: Recorded,
  upstreamProtocol: Protocol,
  compatibility: "standard" | "lenient",
  unpricedExtras: string[] = [],
) {
  const body = validated(recorded.body, recorded.protocol, { compatibility });
  const { protocol: clientProtocol, headers } = recorded;
  const upstreamModel = upstreamModels[upstreamProtocol];
  return prepareFor(body, {
    clientProtocol,
    upstreamProtocol,
    upstreamModel,
    compatibility,
    headers,
    maxOutputTokens: 64_000,
    profile: { unpricedExtras },
  });
}

function refusal(act: () => unknown): GatewayError | null {
  try {
    act();
    return null;
  } catch (error) {
    if (isGatewayError(error)) return error;
    throw error;
  }
}

describe.skipIf(!existsSync(corpus))("recorded requests (skipped where the corpus is absent)", () => {
  for (const upstreamProtocol of protocolIds) {
    it(`of real clients are all accepted for a ${upstreamProtocol} upstream, with what is lost in the warnings`, () => {
      const requests = clientRequests();
      expect(requests.length).toBeGreaterThan(20);
      for (const recorded of requests) {
        const prepared = prepare(recorded, upstreamProtocol, "standard");
        if (recorded.protocol !== upstreamProtocol) expectAcceptable(prepared, upstreamProtocol);
        const lost = prepared.losses.filter((code) => code.startsWith("dropped:"));
        const hint = recorded.protocol !== upstreamProtocol && recorded.body.context_management !== undefined;
        expect(lost.includes("dropped:context_management"), recorded.name).toBe(hint);
      }
    });

    it(`of other people's tests are accepted for a ${upstreamProtocol} upstream, or refused for what it cannot say`, () => {
      const requests = openRequests();
      let refused = 0;
      for (const recorded of requests) {
        const error = refusal(() => {
          const prepared = prepare(recorded, upstreamProtocol, "lenient");
          if (recorded.protocol !== upstreamProtocol) expectAcceptable(prepared, upstreamProtocol);
        });
        if (error === null) continue;
        refused += 1;
        expect(error.details.param, recorded.name).toBeTruthy();
        const reason = limitsOfTheProtocols.find(([pattern]) => pattern.test(error.message));
        expect(reason, `${recorded.name}: ${error.message}`).toBeDefined();
      }
      expect(refused).toBeLessThan(requests.length * 0.07);
    });
  }

  it("keep every field on a same-protocol path but the model and what is reported", () => {
    const whatCostsExtra = extraFields.map(({ field }) => field);
    for (const recorded of [...clientRequests(), ...openRequests()]) {
      if (typeof recorded.body.model !== "string") continue;
      const types = [recorded.body.tools].flat().map((tool) => (isObject(tool) ? String(tool.type) : ""));
      const { body } = prepare(recorded, recorded.protocol, "lenient", [...whatCostsExtra, ...types]);
      const edited = [
        "model",
        "max_tokens",
        "max_completion_tokens",
        "stream_options",
        "messages",
        "system",
        "models",
      ];
      for (const [field, value] of Object.entries(recorded.body)) {
        if (!edited.includes(field)) expect(body[field], `${recorded.name} ${field}`).toEqual(value);
      }
    }
  });
});
