import { billableOutput, OutputCap } from "@/lib/gateway/metering";
import { Translator, type TranslatorOptions } from "@/lib/gateway/translator";
import { isGatewayError } from "@/lib/kernel/errors";
import { stopList } from "@/lib/protocols/chat/parse";
import { chatWishes } from "@/lib/protocols/chat/schema";
import { prepareRequest } from "@/lib/protocols/conversion";
import { classifyFailure, vendorCode } from "@/lib/protocols/failures/failure-class";
import { LiteralSecrets, type SecretTexts } from "@/lib/protocols/failures/literal-secrets";
import { ProtocolError } from "@/lib/protocols/failures/protocol-error";
import { sanitise } from "@/lib/protocols/failures/sanitise";
import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import type { Meter } from "@/lib/protocols/generation/meter";
import { type Compatibility, readVersion, withTrueHint } from "@/lib/protocols/generation/problems";
import { signReasoning, tagOpaque } from "@/lib/protocols/passes/reasoning-seal";
import { profileFor } from "@/lib/protocols/profiles/families";
import { mayReason, type Profile } from "@/lib/protocols/profiles/profile";
import { providerOf } from "@/lib/protocols/profiles/provider";
import { otherProvider } from "@/lib/protocols/profiles/providers";
import { protocols } from "@/lib/protocols/registry";
import type { Rendered } from "@/lib/protocols/request-adapter";
import { SseDecoder, type SseFrame, withModelName } from "@/lib/protocols/sse/sse-decoder";
import { validateRequest } from "@/lib/protocols/validation/validate";
import type {
  AnswerInput,
  AnswerOptions,
  JsonObject,
  Protocol,
  RequestInput,
  Setting,
  Upstream,
  Way,
} from "./shapes";

// The only file of the goldens that knows the product's code: what it returns is plain JSON.

const ALIAS = "alias-1";
const KEY = "a fixed provenance key";
const CREATED = 1_700_000_000;

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

/** What is known of an upstream's model. */
export function profileGolden(upstream: Upstream): unknown {
  const profile = profileOf(upstream);
  const { refusedFields, vendorHeaders, ...recorded } = profile;
  // Flags that no family sets are younger than the record.
  const younger = {
    ...(refusedFields.length > 0 && { refusedFields }),
    ...(vendorHeaders && { vendorHeaders }),
  };
  return { ...recorded, ...younger, mayReason: mayReason(profile) };
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
    contextLeft: input.contextLeft ?? 1_000_000,
    maxOutputTokens: input.maxOutputTokens ?? null,
    version,
    provenanceKey: KEY,
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
  return withModelName(text, came.model, String(body.model));
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

/** What a client and the bill get of a node's answer. */
export async function answerGolden(way: Way, input: AnswerInput, options: AnswerOptions): Promise<unknown> {
  const run = new AnswerRun(way, options);
  try {
    if ("pieces" in input) await run.stream(input.pieces);
    else await run.body(input.body);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { ...run.outcome(), broke: error.failure };
  }
  return run.outcome();
}

class AnswerRun {
  readonly #way: Way;
  readonly #options: TranslatorOptions;
  readonly #translator: Translator;
  readonly #cap: OutputCap;
  readonly #wire: string[] = [];
  readonly #sse = new SseDecoder();
  /** The frame at which something is true for the first time. */
  readonly #marks: Record<string, number> = {};
  #frames = 0;
  #ended = false;

  constructor(way: Way, options: AnswerOptions) {
    const { maxTokens = 4_096, choices = 1 } = options;
    this.#way = way;
    this.#options = translatorOptions(way, options);
    this.#translator = new Translator(this.#options);
    this.#cap = new OutputCap(maxTokens, protocols[way.upstream].limitEnding(choices));
  }

  async stream(pieces: readonly Uint8Array[]): Promise<void> {
    for (const piece of pieces) for (const frame of this.#sse.push(piece)) this.#push(frame);
    for (const frame of this.#sse.end()) this.#push(frame);
    this.#add(await this.#translator.end());
  }

  async body(text: string): Promise<void> {
    const body: unknown = JSON.parse(text);
    if (!this.#way.stream) {
      this.#add(await this.#translator.whole(text, body));
      return;
    }
    this.#add(this.#translator.wholeAsStream(body));
    this.#add(await this.#translator.end());
  }

  outcome(): JsonObject {
    const { meter, failure, warnings, meaningful, started } = this.#translator;
    const { usage, missing, odd, implausibleOutput, emitted, toolCalls, finish, ended, counted, sample } =
      meter;
    const told = {
      usage,
      missing,
      odd,
      implausibleOutput,
      emitted,
      toolCalls,
      finish,
      ended,
      counted,
      sample,
    };
    const billed = meter.final(estimate(meter));
    const failed = failure === null ? null : failureOutcome(this.#way, failure);
    return {
      wire: this.#wire,
      ping: protocols[this.#way.client].ping(started),
      told,
      billed,
      marks: this.#marks,
      meaningful,
      warnings: [...warnings],
      ...(failed === null ? {} : { failed }),
    };
  }

  /** A node that goes on beyond its ceiling is cut, as in the gateway's live answer. */
  #push(frame: SseFrame): void {
    if (this.#ended) return;
    this.#frames += 1;
    this.#cap.watch(frame);
    this.#add(this.#translator.push(frame));
    this.#mark();
    if (this.#translator.finishSeen || !this.#cap.isPassed(this.#translator.meter)) return;
    this.#ended = true;
    for (const last of this.#cap.ending()) this.#add(this.#translator.push(last));
  }

  #mark(): void {
    const { started, meaningful, finishSeen, meter, failure } = this.#translator;
    const found = { started, meaningful, finishSeen, counted: meter.counted, failed: failure !== null };
    for (const [name, isTrue] of Object.entries(found)) if (isTrue) this.#marks[name] ??= this.#frames;
  }

  #add(wire: string): void {
    if (wire !== "") this.#wire.push(wire);
  }
}

function translatorOptions(way: Way, options: AnswerOptions): TranslatorOptions {
  const client = protocols[way.client];
  const upstream = protocols[way.upstream];
  return {
    client,
    upstream,
    request: clientRequest(options),
    stream: way.stream,
    choices: options.choices ?? 1,
    hideReasoning: options.excludeReasoning ?? false,
    singleToolCall: options.singleToolCall ?? false,
    toolNames: new Map(options.toolNames ?? []),
    id: client.answerId("own"),
    alias: ALIAS,
    created: CREATED,
    inputEstimate: 7,
    estimateUsage: async (meter) => {
      const { usage, source } = meter.final(estimate(meter));
      const told = source === "upstream" && !meter.odd && meter.implausibleOutput === null;
      return told ? undefined : usage;
    },
    usageCeiling: options.usageCeiling,
    outputCap: billableOutput(options.maxTokens ?? 4_096),
    seal:
      client === upstream
        ? null
        : { sign: (text) => signReasoning(text, ALIAS, KEY), tag: (data) => tagOpaque(data, ALIAS, KEY) },
  };
}

/** The request of a client of either protocol that has these wishes. */
function clientRequest({
  includeUsage = true,
  legacyFunctions,
  stopSequences = [],
}: AnswerOptions): JsonObject {
  return {
    stream_options: { include_usage: includeUsage },
    ...(legacyFunctions ? { functions: [{ name: "f" }] } : {}),
    ...(stopSequences.length > 0 ? { stop: stopSequences, stop_sequences: stopSequences } : {}),
  };
}

/** Stands in for the tokenizer. */
function estimate({ emitted }: Meter): { input: number; output: number } {
  return { input: 11, output: Math.ceil(emitted.ascii / 4) + emitted.other };
}

function failureOutcome({ client }: Way, failure: UpstreamFailure): JsonObject {
  const kind = failure.status === null || failure.status < 300 ? "answer" : "status";
  const { code, reason } = classifyFailure(kind, failure);
  const told = { code, message: failure.message, requestId: "req_1" };
  return {
    failure,
    frame: protocols[client].errors.frame(reason === undefined ? told : { ...told, reason }),
  };
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
