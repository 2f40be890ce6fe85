import { open } from "node:fs/promises";
import type { Machine } from "./exchange";

const MAX_FILE_BYTES = 64 * 1024;

/** The machine that the gateway runs on. Source: docs/clouds.md#ambient. */
export const systemMachine: Machine = { environment: process.env, readFile };

/** Reads at most 64 KiB, also of a file that never ends. Rejects: an error for a longer file, and for none. */
async function readFile(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_FILE_BYTES + 1));
    if (bytesRead > MAX_FILE_BYTES) throw new Error(`a file has more than ${MAX_FILE_BYTES} bytes`);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
