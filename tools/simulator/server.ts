import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { NodeProtocol } from "@/lib/protocols/protocol";
import { type Counts, countModel, noCounts, RequestRecord } from "./counters";
import { simulateEmbeddings } from "./embed";
import { perform } from "./perform";
import { errorScript, type Script, simulate, simulateCount, simulateGeminiCount } from "./simulate";

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const REMEMBERED_BODY_CHARACTERS = 16 * 1024;
const REMEMBERED_SCRIPTS = 500;
const MODELS = ["sim-chat", "sim-messages", "sim-responses", "sim-gemini", "sim-embedding"];

/** A running simulated provider. */
export interface Simulator {
  /** `http://host:port`: the base URL of messages nodes; chat nodes add `/v1`, Gemini nodes `/v1beta`. */
  url: string;
  port: number;
  counters(): Counts;
  close(): Promise<void>;
}

/**
 * Starts the simulated provider of all protocols; port 0 takes any free one. It answers generations, embeddings, token
 * counts and the list of models, tells `GET /__stats` and `GET /__requests`, and forgets on `POST /__reset`.
 * Throws: the listen error, e.g. EADDRINUSE.
 */
export async function startSimulator(options: { port: number; host?: string }): Promise<Simulator> {
  const host = options.host ?? "127.0.0.1";
  const simulation = new Simulation();
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) =>
    simulation.serve(request, response),
  );
  await listen(server, options.port, host);
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a path
  return {
    url: `http://${host}:${port}`,
    port,
    counters: () => simulation.counts,
    close: () => closeServer(server),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}

class Simulation {
  counts = noCounts();
  readonly #record = new RequestRecord();
  readonly #remembered = new Map<string, Script>();

  serve(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    if (request.method === "POST" && path !== "/__reset") this.#receive(path, request, response);
    else this.#tell(`${request.method} ${path}`, response);
  }

  #receive(path: string, request: IncomingMessage, response: ServerResponse): void {
    const pieces: Buffer[] = [];
    let bytes = 0;
    request.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > MAX_BODY_BYTES) request.destroy();
      else pieces.push(piece);
    });
    request.on("end", () => {
      const body = (pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))?.toString("utf8") ?? "";
      this.#record.add({ method: "POST", path, headers: request.headers, body });
      this.#generate(path, body, response);
    });
  }

  #generate(path: string, body: string, response: ServerResponse): void {
    if (path.endsWith("/messages/count_tokens")) return void perform(simulateCount(body), response, 1);
    if (path.endsWith(":countTokens")) return void perform(simulateGeminiCount(body), response, 1);
    const embeds = path.endsWith("/embeddings");
    const protocol = embeds ? "chat" : protocolOf(path);
    if (protocol === null) return void perform(errorScript("chat", 404, `Unknown path ${path}`), response, 1);
    const script = embeds ? simulateEmbeddings(body) : this.#scriptOf(protocol, asked(path, body));
    const calls = countModel(this.counts, script.model);
    this.#begin(script, response);
    perform(script, response, calls).then(
      (sent) => this.#count(script, sent),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  }

  #begin(script: Script, response: ServerResponse): void {
    this.counts.requests += 1;
    this.counts.inFlight += 1;
    if (script.stream) this.counts.streams += 1;
    response.once("close", () => {
      this.counts.inFlight -= 1;
      if (!response.writableFinished) this.counts.aborted += 1;
    });
  }

  #count(script: Script, sent: boolean): void {
    this.counts[sent ? "completed" : "failed"] += 1;
    if (!sent || script.usage === null) return;
    this.counts.promptTokens += script.usage.input;
    this.counts.completionTokens += script.usage.output;
  }

  #scriptOf(protocol: NodeProtocol, body: string): Script {
    const key = `${protocol} ${body}`;
    const known = this.#remembered.get(key);
    if (known) return known;
    const script = simulate(protocol, body);
    if (script.plain && body.length <= REMEMBERED_BODY_CHARACTERS) {
      if (this.#remembered.size >= REMEMBERED_SCRIPTS) this.#remembered.clear();
      this.#remembered.set(key, script);
    }
    return script;
  }

  #tell(call: string, response: ServerResponse): void {
    const told = this.#answers[call]?.();
    if (told === undefined) void perform(errorScript("chat", 404, `Unknown call ${call}`), response, 1);
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(told));
  }

  readonly #answers: Record<string, () => unknown> = {
    "GET /__stats": () => this.counts,
    "GET /__requests": () => this.#record.list(),
    "POST /__reset": () => this.#reset(),
    "GET /v1beta/models": () => ({
      models: MODELS.map((id) => ({ name: `models/${id}`, displayName: `${id} (simulated)` })),
    }),
    "GET /v1/models": () => ({ object: "list", data: MODELS.map(modelEntry), has_more: false }),
  };

  #reset(): Counts {
    this.counts = { ...noCounts(), inFlight: this.counts.inFlight };
    this.#record.clear();
    return this.counts;
  }
}

function protocolOf(path: string): NodeProtocol | null {
  if (path.endsWith("/chat/completions")) return "chat";
  if (path.endsWith("/responses")) return "responses";
  if (methodOfModel.test(path)) return "gemini";
  return path.endsWith("/messages") ? "messages" : null;
}

/** A path of Gemini, which names the model and what is asked of it. */
const methodOfModel = /\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** The body with what the path says. */
function asked(path: string, body: string): string {
  const [, model, method] = methodOfModel.exec(path) ?? [];
  if (model === undefined || !body.startsWith("{")) return body;
  const told = JSON.stringify({
    model: decodeURIComponent(model),
    stream: method === "streamGenerateContent",
  });
  return `${told.slice(0, -1)},${body.slice(1)}`;
}

function modelEntry(id: string) {
  return { id, object: "model", type: "model", display_name: `${id} (simulated)`, owned_by: "simulated" };
}
