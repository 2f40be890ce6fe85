import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { Translator } from "@/lib/gateway/translator";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { prepareRequest } from "@/lib/protocols/prepare-request";
import { type Profile, unknownModel } from "@/lib/protocols/profiles/profile";
import type { Protocol } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import { type CallableNode, callNode } from "@/lib/upstream/call-node";
import { Cancellation } from "@/lib/upstream/cancellation";
import { Pools } from "@/lib/upstream/pools";
import { bytesOf, framesFrom, optionsFor } from "./pipeline";

/** What a node got. */
interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

/** What a client gets of a node, and what the gateway knows of it. */
interface Served {
  wire: string;
  translator: Translator;
}

/** A node of a protocol that clients do not speak, behind a real connection. `answer`: what it answers to the next call. */
export class NodeOnly {
  received: Received | null = null;
  answer: (received: Received) => string = () => "";
  readonly #pools = new Pools({ https: null, http: null, noProxy: "" });
  readonly #server: Server;

  constructor(
    readonly adapter: NodeAdapter,
    readonly model: string,
    readonly profile: Profile = unknownModel.chat,
  ) {
    this.#server = createServer(async (request, response) => {
      const { url = "", headers } = request;
      this.received = { url, headers, body: JSON.parse(await textOf(request)) };
      response.end(this.answer(this.received));
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async close(): Promise<void> {
    await this.#pools.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** One request of a client, to the text that the client gets. */
  async serve(client: Protocol, body: JsonObject, stream: boolean): Promise<Served> {
    const prepared = this.#prepare(client, { ...body, stream });
    const upstream = await callNode(this.#pools, this.#node(), {
      path: this.adapter.api.generation({ model: this.model, stream: prepared.stream }),
      body: JSON.stringify(prepared.body),
      headers: prepared.headers,
      stream: prepared.stream,
      signal: new Cancellation(),
      headersWithinMs: 5_000,
    });
    const answered = await upstream.text(100_000);
    const translator = new Translator({
      ...optionsFor({ client, upstream: client }),
      client: protocols[client],
      upstream: this.adapter,
      stream,
      choices: prepared.choices,
      wrappedTools: prepared.wrappedTools,
      usageCeiling: undefined,
      outputCap: prepared.maxTokens,
      seal: null,
    });
    let wire = "";
    if (stream) for (const frame of framesFrom(bytesOf(answered))) wire += translator.push(frame);
    else translator.takeWhole(answered, JSON.parse(answered));
    if (stream) wire += translator.finish();
    if (translator.failure === null) wire += translator.end(undefined);
    return { wire, translator };
  }

  #prepare(client: Protocol, body: JsonObject) {
    return prepareRequest(body, {
      client: protocols[client],
      upstream: this.adapter,
      alias: "alias-1",
      upstreamModel: this.model,
      profile: this.profile,
      compatibility: "standard",
      defaultMaxTokens: null,
      maxOutputTokens: null,
      affordableOutput: 1_000,
      contextLeft: 1_000,
      perCall: {},
      version: "2023-06-01",
      provenanceKey: "key",
      openReasoning: () => null,
      headers: {},
    });
  }

  /** Its `protocol` is not read on the way of a call. */
  #node(): CallableNode {
    const { port } = this.#server.address() as AddressInfo; // a TCP server's address is never a path
    return {
      id: "node",
      protocol: "chat",
      provider: null,
      baseUrl: `http://127.0.0.1:${port}/base`,
      headers: {},
      proxy: null,
      ca: null,
      timeouts: { connectMs: 5_000, firstByteMs: 5_000, responseMs: 5_000, idleMs: 5_000, totalMs: 5_000 },
      apiKey: "secret",
      access: null,
      credentialHeader: this.adapter.api.credential,
      guarded: false,
      direct: false,
    };
  }
}

/** What a client of a protocol reads in an answer. */
export function readAs(client: Protocol, wire: string, stream: boolean): GenerationEvent[] {
  if (!stream) return protocols[client].decodeWhole(JSON.parse(wire), { id: "r" });
  const decoder = protocols[client].decoder({ id: "r" });
  return [...framesFrom(bytesOf(wire)).flatMap((frame) => decoder.push(frame)), ...decoder.end()];
}
