import type { PrepareContext, PreparedRequest } from "@/lib/convert/conversion";
import { prepareRequest } from "@/lib/convert/prepare";
import { type ValidateOptions, validateRequest } from "@/lib/convert/validate";
import { type GatewayError, isGatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json";
import { type Profile, profileFor } from "@/lib/protocols/profiles/profile";
import type { Protocol } from "@/lib/protocols/protocol";

/** A context for `prepareRequest`; the profile is that of `upstreamModel` with `profile` on top. */
export type ContextChoice = Partial<Omit<PrepareContext, "profile">> & { profile?: Partial<Profile> };

/** Runs a checked body through `prepareRequest` with a plain context. */
export function prepareFor(body: JsonObject, choice: ContextChoice = {}): PreparedRequest {
  const upstreamProtocol = choice.upstreamProtocol ?? "messages";
  const upstreamModel = choice.upstreamModel ?? "some-model";
  return prepareRequest(body, {
    clientProtocol: "chat",
    alias: "alias-1",
    compatibility: "standard",
    defaultMaxTokens: null,
    affordableOutput: 1_000_000,
    contextLeft: 1_000_000,
    maxOutputTokens: null,
    version: "2023-06-01",
    provenanceKey: "test-key",
    ...choice,
    upstreamProtocol,
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
  return validateRequest(body, protocol, { compatibility: "standard", version: "2023-06-01", ...options });
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
