// Compresses the hashed files of the pages at build time, so that no request waits for it.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { root } from "./prepare.mjs";

const STATIC = path.join(root, ".next", "static");
const COMPRESSED = path.join(root, "dist", "static");
const LIST = path.join(COMPRESSED, "files.json");

/** Media types by extension; files of other kinds are left to the framework. */
const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".js": "application/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};
/** Compressed by their own format. */
const AS_IS = new Set([".woff2"]);
/** Below this size a compressed file saves no packet. Units: bytes. */
const MIN_BYTES = 1024;

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/**
 * Writes `dist/static`: the list of the hashed files with their types and hashes, and each file as Brotli and gzip where
 * that makes it smaller. Compressed files of an earlier build stay where the content is the same.
 */
export async function compressStaticFiles() {
  const names = filesBelow(STATIC).filter((name) => TYPES[path.extname(name)] !== undefined);
  const earlier = existsSync(LIST) ? JSON.parse(readFileSync(LIST, "utf8")) : {};
  const entry = async (name) => [name, await entryOf(name, earlier[name]?.hash)];
  const files = Object.fromEntries(await Promise.all(names.map(entry)));
  const wanted = new Set(
    Object.entries(files).flatMap(([name, { codings }]) => codings.map((coding) => `${name}.${coding}`)),
  );
  for (const name of filesBelow(COMPRESSED)) if (!wanted.has(name)) rmSync(path.join(COMPRESSED, name));
  writeFileSync(LIST, JSON.stringify(files));
}

async function entryOf(name, earlierHash) {
  const content = readFileSync(path.join(STATIC, name));
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, 22);
  const entry = { type: TYPES[path.extname(name)], hash, codings: [] };
  if (AS_IS.has(path.extname(name)) || content.length < MIN_BYTES) return entry;
  const isSame = hash === earlierHash;
  await write(`${name}.br`, isSame, () =>
    brotli(content, { params: { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  );
  await write(`${name}.gzip`, isSame, () => gzip(content, { level: 9 }));
  return { ...entry, codings: ["br", "gzip"] };
}

async function write(name, isSame, compress) {
  const file = path.join(COMPRESSED, name);
  if (isSame && existsSync(file)) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, await compress());
}

function filesBelow(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.relative(directory, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"),
    );
}
