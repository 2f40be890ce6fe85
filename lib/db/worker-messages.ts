/** What the main thread asks the embedded database's worker. Answered in order, one answer each. */
export type WorkerRequest =
  | { id: number; kind: "query"; sql: string; params: unknown[]; rowMode: "object" | "array" }
  | { id: number; kind: "exec"; sql: string }
  | { id: number; kind: "listen"; channel: string }
  | { id: number; kind: "unlisten"; channel: string }
  | { id: number; kind: "close" };

/** A database error in a form that survives the thread boundary. */
export interface WorkerFailure {
  message: string;
  code: string | null;
  constraint: string | null;
  detail: string | null;
}

/** What the worker says. */
export type WorkerReply =
  | { kind: "ready" }
  | { kind: "failed"; error: WorkerFailure }
  | { kind: "result"; id: number; rows: unknown[]; affectedRows: number }
  | { kind: "error"; id: number; error: WorkerFailure }
  | { kind: "notification"; channel: string; payload: string };
