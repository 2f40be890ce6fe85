import { tooLarge } from "@/lib/admission/admission";
import { runtime } from "@/lib/gateway/runtime";
import { clientIp } from "@/lib/kernel/client-address";
import { Permit } from "@/lib/kernel/permit";
import { newRequestId } from "@/lib/kernel/request-id";
import { protocolOfPath } from "@/lib/protocols/registry";
import { Cancellation } from "@/lib/upstream/cancellation";
import { decodeBody } from "./decode-body";
import { dispatch, refuseAtArrival } from "./dispatch";
import { gatewayPath } from "./gateway-path";
import type { GatewayRequest, RequestHead } from "./gateway-request";
import { malformedPath } from "./malformed-path";
import { moveQueryKey } from "./query-key";
import type { Reply } from "./reply";

/**
 * The gateway core behind web-standard requests, for hosts without the custom server. One core, two thin adapters:
 * the path decides what happens. Source: docs/architecture.md#s1-1.
 */
export async function serveWeb(request: Request): Promise<Response> {
  const gateway = runtime();
  const { drain, settings, bodyDecoders: semaphore } = gateway;
  const url = new URL(request.url);
  const decoded = decodePath(url.pathname);
  if (decoded === null) {
    const refused = malformedPath(url.pathname);
    return new Response(textOf(refused), refused);
  }
  const gone = new Cancellation();
  request.signal.addEventListener("abort", () => gone.abort(), { once: true });
  const headers = Object.fromEntries(request.headers);
  const search = url.search.slice(1);
  const path = gatewayPath(decoded, { method: request.method, headers, search }) ?? decoded;
  const query = moveQueryKey(search, path, headers);
  const receivedAt = gateway.clock.date();
  const head: RequestHead = {
    requestId: newRequestId(receivedAt.getTime()),
    protocol: protocolOfPath(path),
    method: request.method,
    path,
    headers,
  };
  const refusal = refuseAtArrival(gateway, head);
  if (refusal !== null) return new Response(textOf(refusal), refusal);
  const call: GatewayRequest = {
    ...head,
    query: new URLSearchParams(query),
    clientIp: clientIp(headers["x-forwarded-for"], undefined, settings.trustProxy),
    signal: gone,
    receivedAtMs: gateway.clock.nowMs(),
    receivedAt,
    replyHeaders: {},
    permit: new Permit(),
    readBody: (open, accountId) => {
      const pieces = request.body ?? noPieces();
      const maxBytes = settings.maxBodyBytes;
      return open === null
        ? readBody(pieces, maxBytes)
        : decodeBody(pieces, { open, maxBytes, semaphore, accountId, signal: gone });
    },
  };
  drain.requestStarted();
  const ended = () => {
    drain.requestEnded();
    call.permit.release();
  };
  return new Promise((resolve, reject) => {
    const send = (reply: Reply) => {
      const { status, headers } = reply;
      resolve(new Response(bodyOf(reply, gone, ended), { status, headers }));
    };
    dispatch(gateway, call, send, reject);
  });
}

function decodePath(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

function textOf({ body }: Reply): string | null {
  return typeof body === "string" ? body : null;
}

function bodyOf(
  reply: Reply,
  gone: Cancellation,
  done: () => void,
): string | ReadableStream<Uint8Array> | null {
  const { body } = reply;
  if (typeof body === "string") {
    done();
    return reply.status === 204 ? null : body;
  }
  const text = new TextEncoder();
  let cancelled = false;
  let pulled = () => {};
  let written = Promise.resolve();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (frames: string) => {
        if (cancelled) return null;
        controller.enqueue(text.encode(frames));
        if ((controller.desiredSize ?? 0) > 0) return null;
        return new Promise<void>((resolve) => {
          pulled = resolve;
        });
      };
      const ended = () => {
        if (!cancelled) controller.close();
      };
      written = body({ write })
        .finally(done)
        .then(ended, (error: unknown) => controller.error(error));
    },
    pull: () => pulled(),
    /** The rest of the stream runs to its settlement, without a reader. */
    cancel() {
      cancelled = true;
      gone.abort();
      pulled();
      return written;
    },
  });
}

async function* noPieces(): AsyncGenerator<Uint8Array> {}

async function readBody(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of pieces) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
