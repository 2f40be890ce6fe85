/** A request of the main thread to the embedded database's worker, which answers each once and in order. */
export type WorkerRequest =
  | { id: number; kind: "query"; sql: string; params: unknown[]; rowMode: "object" | "array" }
  | { id: number; kind: "exec"; sql: string }
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
  | { kind: "result"; id: number; rows: unknown[]; affectedRows: number }
  | { kind: "error"; id: number; error: WorkerFailure }
  | { kind: "notification"; channel: string; payload: string };
