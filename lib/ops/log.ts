import pino, { type Logger } from "pino";

/**
 * The structured logger. Callers choose fields one by one, so bodies and secrets are never logged.
 * Source: docs/reliability.md#s3-11.
 */
export type Log = Logger;

/** A JSON logger on standard output. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ["apiKey", "authorization", "password", "credential"],
  });
}
