import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Send, TokenAnswer, TokenRequest } from "@/lib/upstream/credentials/send";
import { DialError } from "@/lib/upstream/upstream-answer";

/** A request as a vendor gets it. Shape: `url` is the one that the gateway asked for. */
export interface VendorRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string;
}

/** What a vendor answers; `hang` never ends. */
export type VendorReply = { status: number; headers?: Record<string, string>; body: string } | "hang";

/** A vendor by the host that it answers for. */
export type Vendor = (request: VendorRequest) => VendorReply | Promise<VendorReply>;

const SCHEME = "x-test-scheme";

/** A real HTTP server that answers for the hosts of vendors; hosts without a vendor cannot be reached. */
export class VendorServer {
  readonly vendors = new Map<string, Vendor>();
  /** What was asked, in order. */
  readonly asked: TokenRequest[] = [];
  readonly #server: Server;
  #onHang: () => void = () => {};

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", async (incoming, response) => {
      response.sendDate = false; // vendors have clocks of their own
      const request = await readRequest(incoming);
      const reply = await this.vendors.get(request.url.host)?.(request);
      if (reply === undefined) incoming.socket.destroy();
      else if (reply === "hang") this.#onHang();
      else response.writeHead(reply.status, reply.headers).end(reply.body);
    });
  }

  static async start(): Promise<VendorServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new VendorServer(server);
  }

  /** Sends to this server whatever the host is. A vendor that hangs makes the time of the request pass. */
  readonly send: Send = (request) => {
    this.asked.push(request);
    const { port } = this.#server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          port,
          method: request.method,
          path: request.url.pathname + request.url.search,
          headers: { ...request.headers, host: request.url.host, [SCHEME]: request.url.protocol },
          agent: false,
        },
        (incoming) => readAnswer(incoming).then(resolve, reject),
      );
      outgoing.on("error", (error) => reject(new DialError("connect", error)));
      this.#onHang = () => {
        reject(new DialError("timeout", new Error("no answer")));
        outgoing.destroy();
      };
      outgoing.end(request.body ?? undefined);
    });
  };

  reset(): void {
    this.vendors.clear();
    this.asked.length = 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** JSON as vendors answer it. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): VendorReply {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
  return text;
}

async function readRequest(incoming: IncomingMessage): Promise<VendorRequest> {
  const { [SCHEME]: scheme, ...headers } = incoming.headers as Record<string, string>;
  const url = new URL(`${scheme}//${headers.host}${incoming.url}`);
  return { method: incoming.method ?? "", url, headers, body: await textOf(incoming) };
}

async function readAnswer(incoming: IncomingMessage): Promise<TokenAnswer> {
  const headers = incoming.headers as Record<string, string>;
  return { status: incoming.statusCode ?? 0, headers, body: await textOf(incoming) };
}
