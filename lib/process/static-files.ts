import { createReadStream, existsSync, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { acceptedCoding, type ContentCoding } from "@/lib/kernel/http";

/** The framework's directory of hashed files, as its URLs and its build name it. */
const URL_PREFIX = "/_next/static/";

/** One file of the build. `codings`: as what it was compressed. */
interface StaticFile {
  type: string;
  hash: string;
  codings: ContentCoding[];
}

/** Answers a request for a hashed file; false when the request is for something else. */
export type ServeStaticFile = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * Serves the hashed files of the build below `root`, as they were compressed at build time. Their names change with
 * their content, so clients keep them for a year. Without the list that the build writes it serves nothing.
 * Source: docs/dashboard.md#s2-15.
 */
export function openStaticFiles(root: string): ServeStaticFile {
  const list = path.join(root, "dist", "static", "files.json");
  // The build writes this list.
  const parsed = existsSync(list)
    ? (JSON.parse(readFileSync(list, "utf8")) as Record<string, StaticFile>)
    : {};
  const files = new Map(Object.entries(parsed));
  return async (request, response) => {
    const { method, url = "" } = request;
    if ((method !== "GET" && method !== "HEAD") || !url.startsWith(URL_PREFIX)) return false;
    const name = nameIn(url);
    const file = files.get(name);
    if (file === undefined) return false;
    const coding = acceptedCoding(request.headers["accept-encoding"], file.codings);
    const place =
      coding === null
        ? path.join(root, ".next", "static", name)
        : path.join(root, "dist", "static", `${name}.${coding}`);
    await send(request, response, place, { file, coding });
    return true;
  };
}

/** The name below the directory: without query, decoded where it can be. */
function nameIn(url: string): string {
  const name = url.slice(URL_PREFIX.length).split("?", 1)[0] ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  place: string,
  { file, coding }: { file: StaticFile; coding: ContentCoding | null },
): Promise<void> {
  const etag = coding === null ? `"${file.hash}"` : `"${file.hash}-${coding}"`;
  response.setHeader("etag", etag);
  response.setHeader("cache-control", "public, max-age=31536000, immutable");
  if (file.codings.length > 0) response.setHeader("vary", "Accept-Encoding");
  if (isKnown(request.headers["if-none-match"], etag)) return void response.writeHead(304).end();
  response.setHeader("content-type", file.type);
  if (coding !== null) response.setHeader("content-encoding", coding);
  response.setHeader("content-length", (await stat(place)).size);
  if (request.method === "HEAD") return void response.end();
  // A client that leaves ends the stream; there is nobody to tell.
  await pipeline(createReadStream(place), response).catch(() => response.destroy());
}

/** Whether the client has this representation. See RFC 9110 13.1.2. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
