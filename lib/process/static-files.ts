import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { acceptedCoding, type ContentCoding } from "@/lib/kernel/content-coding";
import { isKnown } from "@/lib/kernel/request-headers";

/** The framework's directory of hashed files, as its URLs and its build name it. */
const URL_PREFIX = "/_next/static/";

/** One file of the build. `codings`: its compressed forms. */
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

/** The path below the directory: without query, decoded if possible. */
function nameIn(url: string): string {
  return decoded(url.slice(URL_PREFIX.length).split("?", 1)[0] ?? "");
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Answers a request for a range of a file of `public/` that has no such bytes; false when the request may continue. */
export type RefuseRange = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Answers ranges beyond the end of a file below `root`/public with 416, because the framework fails on them. An invalid
 * range header is removed, so that the whole file is sent. See RFC 9110 14.
 */
export function openRangeCheck(root: string): RefuseRange {
  const folder = path.join(root, "public");
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const names = new Set(entries.map((name) => `/${name.split(path.sep).join("/")}`));
  return (request, response) => {
    const { range } = request.headers;
    if (range === undefined) return false;
    const file = decoded((request.url ?? "").split("?", 1)[0] ?? "");
    const info = names.has(file) ? statSync(path.join(folder, file), { throwIfNoEntry: false }) : undefined;
    const isServed = info?.isFile() !== true || holdsRange(range, info.size);
    const isConditional = request.headers["if-range"] !== undefined;
    if (isServed === null || (isServed === false && isConditional)) delete request.headers.range;
    if (info === undefined || isServed !== false || isConditional) return false;
    response.writeHead(416, { "content-range": `bytes */${info.size}`, "content-length": 0 }).end();
    return true;
  };
}

/** Whether a file of `size` bytes has one of the ranges of a header; null: the header is no range of bytes. */
function holdsRange(header: string, size: number): boolean | null {
  const [, list] = /^\s*bytes\s*=(.*)$/i.exec(header) ?? [];
  if (list === undefined) return null;
  let holds = false;
  for (const part of list.split(",")) {
    const [, first = "", last = ""] = /^\s*(\d*)-(\d*)\s*$/.exec(part) ?? [];
    if (first === "" && last === "") return null;
    if (first !== "" && last !== "" && Number(last) < Number(first)) return null;
    holds ||= first === "" ? Number(last) > 0 && size > 0 : Number(first) < size;
  }
  return holds;
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
  // A client that disconnects ends the stream; no error needs to be reported.
  await pipeline(createReadStream(place), response).catch(() => response.destroy());
}
