import { isDeepStrictEqual } from "node:util";
import { isGatewayError } from "@/lib/kernel/errors";
import { renamedBytes } from "@/lib/kernel/model-name";
import { readJson } from "@/lib/kernel/read-json";
import type { Rendered } from "@/lib/protocols/adapters/rendered";
import { stopList } from "@/lib/protocols/chat/client/parse";
import { chatWishes } from "@/lib/protocols/chat/client/wishes";
import { classifyFailure } from "@/lib/protocols/failures/failure-class";
import { LiteralSecrets, type SecretTexts } from "@/lib/protocols/failures/literal-secrets";
import { sanitise } from "@/lib/protocols/failures/sanitise";
import { vendorCode } from "@/lib/protocols/failures/vendor-code";
import { type Compatibility, withTrueHint } from "@/lib/protocols/generation/compatibility";
import { readVersion } from "@/lib/protocols/generation/version";
import { prepareRequest } from "@/lib/protocols/prepare-request";
import { profileFor } from "@/lib/protocols/profiles/families";
import { mayReason, type Profile, unknownModel } from "@/lib/protocols/profiles/profile";
import { providerOf } from "@/lib/protocols/profiles/provider";
import { otherProvider } from "@/lib/protocols/profiles/providers";
import { protocols } from "@/lib/protocols/registry";
import { validateRequest } from "@/lib/protocols/validation/validate";
import type { JsonObject, Protocol, RequestInput, Setting, Upstream } from "./shapes";

// With subject-answers.ts the only file of the goldens that knows the product's code: what it returns is plain JSON.

/** The alias and the key of every golden. */
export const ALIAS = "alias-1";
export const KEY = "a fixed provenance key";

const profiles = new Map<string, Profile>();

function profileOf({ protocol, model, profile = {} }: Upstream, baseUrl?: string): Profile {
  const { facts = [], id } = baseUrl === undefined ? otherProvider : providerOf({ provider: null, baseUrl });
  const name = `${protocol} ${model} ${id} ${JSON.stringify(profile)}`;
  const known = profiles.get(name);
  if (known) return known;
  const made = profileFor(model, protocol, profile, facts);
  profiles.set(name, made);
  return made;
}

/** What sets an upstream's model apart from one that nobody knows. */
export function profileGolden(upstream: Upstream): unknown {
  const profile = profileOf(upstream);
  const usual: JsonObject = unknownModel[upstream.protocol];
  const special = Object.entries(profile).filter(([flag, value]) => !isDeepStrictEqual(value, usual[flag]));
  return { ...Object.fromEntries(special), ...(mayReason(profile) && { mayReason: true }) };
}

/** The protocol version that a client's headers ask for, or the refusal. */
export function versionGolden(headers: Record<string, string | undefined>): unknown {
  return orRefusal(() => readVersion(headers));
}

/** The request that a node would get, its body to the byte on a line of its own, or the refusal that the caller gets. */
export function requestGolden(input: RequestInput, upstream: Upstream, setting: Setting): unknown {
  return orRefusal(() => withTrueHint(setting, (tried) => prepared(input, upstream, tried)));
}

function prepared(input: RequestInput, upstream: Upstream, compatibility: Compatibility): string {
  const { client, text, version = "2023-06-01", headers = {}, countTokens = false } = input;
  const came = validateRequest(JSON.parse(text), protocols[client], { compatibility, version, countTokens });
  const rendered = prepareRequest(came, {
    client: protocols[client],
    upstream: protocols[upstream.protocol],
    alias: ALIAS,
    upstreamModel: upstream.model,
    profile: profileOf(upstream, input.baseUrl),
    compatibility,
    defaultMaxTokens: input.defaultMaxTokens ?? null,
    affordableOutput: input.affordableOutput ?? 1_000_000,
    perCall: {},
    contextLeft: input.contextLeft ?? 1_000_000,
    maxOutputTokens: input.maxOutputTokens ?? null,
    version,
    provenanceKey: KEY,
    openReasoning: () => null,
    headers,
  });
  const { body } = rendered;
  const sent = client === upstream.protocol ? sentText(text, came, body) : null;
  return `${JSON.stringify(recorded(came, rendered, client, upstream.protocol))}\n  ${sent ?? JSON.stringify(body)}`;
}

/** What the answer's path knows, in the order and under the names of the record. */
function recorded(came: JsonObject, rendered: Rendered, client: Protocol, node: Protocol) {
  const chat = client === "chat" ? chatWishes(came) : { includeUsage: false, legacyFunctions: false };
  const stops =
    client === "chat" ? stopList(came.stop as string | string[] | null | undefined) : came.stop_sequences; // both have passed the schema
  return {
    headers: rendered.headers,
    warnings: rendered.losses,
    stream: rendered.clientStream,
    upstreamStream: rendered.stream,
    includeUsage: chat.includeUsage,
    legacyFunctions: client !== node && chat.legacyFunctions,
    excludeReasoning: rendered.hideReasoning,
    singleToolCall: rendered.singleToolCall,
    toolNames: [...rendered.toolNames],
    choices: rendered.choices,
    maxTokens: rendered.maxTokens,
    limitChosen: rendered.limitChosen,
    stopSequences: stops ?? [],
  };
}

/** The caller's own text where only the model changes, as the gateway's plan sends it. */
function sentText(text: string, came: JsonObject, body: JsonObject): string | null {
  const names = Object.keys(body);
  if (names.length !== Object.keys(came).length) return null;
  if (!names.every((name) => name === "model" || body[name] === came[name])) return null;
  const { bytes, model } = readJson(Buffer.from(text));
  return model && renamedBytes({ bytes, model }, String(body.model)).toString();
}

function orRefusal(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (!isGatewayError(error))
      return { malfunction: error instanceof Error ? error.message : String(error) };
    const { cause: _cause, ...details } = error.details;
    return { refused: error.code, status: error.status, message: error.message, details };
  }
}

/** What a refusal of a node means, and what the caller may see of it. */
export function refusalGolden(status: number, body: string, secrets: SecretTexts): unknown {
  return (["chat", "messages"] as const).map((protocol) => {
    const failure = protocols[protocol].readFailure(status, body);
    const found = classifyFailure("status", failure);
    const cleaning = {
      alias: ALIAS,
      upstreamModel: "vendor/big-model",
      secrets: new LiteralSecrets(secrets),
    };
    const aboutRequest = found.clientStatus < 500;
    const shown = failure.ours ? failure.message : sanitise(failure.message, { ...cleaning, aboutRequest });
    return { failure, found, shown, vendorCode: vendorCode(failure) };
  });
}

/** What a failure without any answer means. */
export function silenceGolden(kind: "connect" | "timeout" | "answer"): unknown {
  return classifyFailure(kind, null);
}

/** A text of a node without what nobody may see. */
export function cleanedGolden(text: string, secrets: SecretTexts, aboutRequest: boolean): string {
  const cleaning = { alias: ALIAS, upstreamModel: "vendor/big-model", secrets: new LiteralSecrets(secrets) };
  return sanitise(text, { ...cleaning, aboutRequest });
}
