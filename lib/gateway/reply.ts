import { printJson } from "@/lib/kernel/exact-json";

/**
 * What keeps a silent stream open. `text` is called at the time of writing, because it depends on the stream's state.
 */
export interface IdleFrame {
  afterMs: number;
  text(): string;
}

/**
 * Where the core writes a stream. `write` returns null when more may follow at once, else a promise that resolves then.
 */
export interface FrameSink {
  write(frames: string): Promise<void> | null;
}

/** What the core answers: a whole body, or frames that are written as they come. Source: docs/architecture.md#s1-1. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** A string is sent whole; a function writes a stream to its end, and is called once. */
  body: string | ((sink: FrameSink) => Promise<void>);
  idleFrame?: IdleFrame;
  /** How long reading from this client's connection stops after the reply. Units: seconds. */
  holdBackSeconds?: number | undefined;
}

/** Thrown by a body whose stream is broken for its client too: the connection is reset once all is written. */
export class BrokenOff extends Error {}

/** A JSON reply. */
export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return jsonTextReply(status, printJson(value), headers);
}

/** A reply whose JSON is made already. */
export function jsonTextReply(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}
