import { Worker } from "node:worker_threads";
import { messageOf } from "@/lib/kernel/thrown";
import type { BatchValue } from "./database";
import { EmbeddedDatabaseError } from "./embedded-error";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

/** The result of one request. */
export interface WorkerResult {
  rows: unknown[];
  affectedRows: number;
  /** The command tag of the answer to a command. */
  command: string | null;
}

interface Waiting {
  resolve(result: WorkerResult): void;
  reject(error: Error): void;
}

/**
 * Requests to the embedded database's worker and their answers, in order. When the worker stops, every open and
 * every later request fails.
 */
export class WorkerChannel {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onNotification: (channel: string, payload: string) => void;
  #nextId = 1;
  #stopped: Error | null = null;

  private constructor(worker: Worker, onNotification: (channel: string, payload: string) => void) {
    this.#worker = worker;
    this.#onNotification = onNotification;
  }

  /** Starts the worker and waits until its database is open. Throws: the database's error. */
  static async open(
    file: string,
    directory: string,
    onNotification: (channel: string, payload: string) => void,
  ): Promise<WorkerChannel> {
    const worker = new Worker(file, { workerData: { directory } });
    const channel = new WorkerChannel(worker, onNotification);
    await new Promise<void>((resolve, reject) => {
      worker.on("message", (reply: WorkerReply) => {
        if (reply.kind === "ready") resolve();
        else if (reply.kind === "failed") reject(errorFrom(reply.error));
        else channel.#receive(reply);
      });
      const stop = (reason: string, cause?: unknown): void => {
        const error = new Error(`the embedded database stopped: ${reason}`, { cause });
        reject(error);
        channel.#stop(error);
      };
      worker.on("error", (error) => stop(messageOf(error), error));
      worker.on("exit", (code) => stop(`its worker ended with code ${code}`));
    }).catch(async (error: unknown) => {
      await worker.terminate();
      throw error;
    });
    return channel;
  }

  /** Sends a request; the worker answers in order. */
  send(request: WithoutId<WorkerRequest>): Promise<WorkerResult> {
    if (this.#stopped) return Promise.reject(this.#stopped);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...request, id });
    });
  }

  /** Ends the worker thread; open requests fail. */
  async terminate(): Promise<void> {
    this.#stop(new Error("the embedded database is closed"));
    await this.#worker.terminate();
  }

  #receive(reply: Exclude<WorkerReply, { kind: "ready" | "failed" }>): void {
    if (reply.kind === "notification") {
      this.#onNotification(reply.channel, reply.payload);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === "error") waiting?.reject(errorFrom(reply.error));
    else waiting?.resolve({ rows: reply.rows, affectedRows: reply.affectedRows, command: reply.command });
  }

  #stop(error: Error): void {
    this.#stopped ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#stopped);
    this.#waiting.clear();
  }
}

function errorFrom(failure: WorkerFailure): Error {
  return new EmbeddedDatabaseError(failure);
}

/** A request of the main thread to the embedded database's worker, which answers each once and in order. */
export type WorkerRequest =
  | { id: number; kind: "query"; sql: string; params: unknown[]; rowMode: "object" | "array" }
  /** A ledger batch, whose statement is prepared at its first use; its arrays have integers only. */
  | { id: number; kind: "batch"; sql: string; params: readonly BatchValue[] }
  /** A command of transactions, which has no rows. */
  | { id: number; kind: "command"; sql: string }
  | { id: number; kind: "listen"; channel: string }
  | { id: number; kind: "unlisten"; channel: string }
  | { id: number; kind: "close" };

/** A database error as a plain object that can be sent between threads. */
export interface WorkerFailure {
  message: string;
  code: string | null;
  constraint: string | null;
  detail: string | null;
}

/** A message of the worker to the main thread. */
export type WorkerReply =
  | { kind: "ready" }
  | { kind: "failed"; error: WorkerFailure }
  | { kind: "result"; id: number; rows: unknown[]; affectedRows: number; command: string | null }
  | { kind: "error"; id: number; error: WorkerFailure }
  | { kind: "notification"; channel: string; payload: string };
