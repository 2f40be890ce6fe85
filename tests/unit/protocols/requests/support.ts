import { z } from "zod";
import { type GatewayError, isGatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Rendered } from "@/lib/protocols/adapters/rendered";
import { type PrepareContext, prepareRequest } from "@/lib/protocols/prepare-request";
import { profileFor } from "@/lib/protocols/profiles/families";
import type { Profile } from "@/lib/protocols/profiles/profile";
import type { NodeProtocol, Protocol } from "@/lib/protocols/protocol";
import { nodeAdapters, protocols } from "@/lib/protocols/registry";
import { type ValidateOptions, validateRequest } from "@/lib/protocols/validation/validate";

/** A context for `prepareRequest`; the profile is that of `upstreamModel` with `profile` on top. */
export type ContextChoice = Partial<Omit<PrepareContext, "profile" | "client" | "upstream">> & {
  profile?: Partial<Profile>;
  clientProtocol?: Protocol;
  upstreamProtocol?: NodeProtocol;
};

/** Runs a checked body through `prepareRequest` with a plain context. */
export function prepareFor(body: JsonObject, choice: ContextChoice = {}): Rendered {
  const { clientProtocol = "chat", upstreamProtocol = "messages", upstreamModel = "some-model" } = choice;
  return prepareRequest(body, {
    client: protocols[clientProtocol],
    upstream: nodeAdapters[upstreamProtocol],
    alias: "alias-1",
    compatibility: "standard",
    defaultMaxTokens: null,
    affordableOutput: 1_000_000,
    perCall: {},
    contextLeft: 1_000_000,
    maxOutputTokens: null,
    version: "2023-06-01",
    provenanceKey: "test-key",
    openReasoning: () => null,
    headers: {},
    ...choice,
    upstreamModel,
    profile: { ...profileFor(upstreamModel, upstreamProtocol, {}), ...choice.profile },
  });
}

/** Runs a body through `validateRequest` with the standard settings. */
export function validated(
  body: unknown,
  protocol: Protocol,
  options: Partial<ValidateOptions> = {},
): JsonObject {
  const usual = { compatibility: "standard", version: "2023-06-01" } as const;
  return validateRequest(body, protocols[protocol], { ...usual, ...options });
}

/** The top-level fields that the schema of a protocol's requests describes. */
export function schemaFields(protocol: Protocol): string[] {
  const { schema } = protocols[protocol];
  if (!(schema instanceof z.ZodObject)) throw new Error("a body is described as an object");
  return Object.keys(schema.shape);
}

/** A chat tool without parameters. */
export function bareTool(name: string) {
  return { type: "function", function: { name, parameters: { type: "object", properties: {} } } };
}

/** The refusal that `act` throws. Fails when it throws none or something else. */
export function refusalOf(act: () => unknown): GatewayError {
  try {
    act();
  } catch (error) {
    if (isGatewayError(error) && error.code === "INVALID_REQUEST") return error;
    throw error;
  }
  throw new Error("expected a refusal");
}
