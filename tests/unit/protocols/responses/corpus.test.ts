import { describe, expect, test } from "vitest";
import { isGatewayError } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import {
  recordedSessions,
  responsesAbsence,
  responsesExchanges,
  responsesPresent,
} from "@/tests/corpus/responses";
import { prepare } from "./support";

interface Recorded {
  name: string;
  body: JsonObject;
}

function clientRequests(): Recorded[] {
  return recordedSessions().flatMap(({ name, requests }) =>
    requests.flatMap(({ body }, at) => (body === null ? [] : [{ name: `${name}#${at}`, body }])),
  );
}

function openRequests(): Recorded[] {
  return responsesExchanges().flatMap(({ id, request: { body, path: at } }) =>
    isObject(body) && "model" in body && !at.endsWith("/compact") ? [{ name: id, body }] : [],
  );
}

/** What no node of another protocol can do; a recorded request may be refused for nothing else. */
const limits: readonly RegExp[] = [
  /^Unsupported parameter: '(?:background|conversation|prompt)'/,
  /^input\[\d+\]\.encrypted_content cannot be read by this model/,
  /\.file_id: files|\.file_url: files are not fetched/,
  /\.file_data must be a PDF or a text file/,
];
/** The gateway itself resolves references before a request is converted. */
const references = /no item with this id is kept/;

function refusals(requests: readonly Recorded[], node: "chat" | "messages"): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, body } of requests) {
    try {
      const rendered = prepare(body, node);
      expect(rendered.body.messages, name).not.toEqual([]);
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      found.set(name, error.message);
    }
  }
  return found;
}

describe.skipIf(!responsesPresent)(`recorded Responses requests${responsesAbsence}`, () => {
  test.each(["chat", "messages"] as const)("of Codex and of SDKs are all accepted for a %s node", (node) => {
    const requests = clientRequests();
    expect(requests.length).toBeGreaterThan(75);
    const told = [...refusals(requests, node)].filter(([, message]) => !references.test(message));
    expect(told).toEqual([]);
  });

  test.each(["chat", "messages"] as const)(
    "are accepted for a %s node, or refused for what it cannot do",
    (node) => {
      const requests = openRequests();
      const found = refusals(requests, node);
      const wrong = [...found].filter(([, message]) => !limits.some((limit) => limit.test(message)));
      expect(wrong).toEqual([]);
      expect(found.size / requests.length).toBeLessThan(0.1);
    },
  );
});
