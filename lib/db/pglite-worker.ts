import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { PGlite, types } from "@electric-sql/pglite";
import { messageOf } from "@/lib/kernel/errors";
import { PrivateNodeFS } from "./private-node-fs";
import type { WorkerFailure, WorkerReply, WorkerRequest } from "./worker-channel";

// The same types as the PostgreSQL client returns: bigint, Date for timestamptz, text for date and timestamp.
const parsers = {
  [types.INT8]: (text: string) => BigInt(text),
  [types.TIMESTAMPTZ]: (text: string) => new Date(text),
  [types.TIMESTAMP]: (text: string) => text,
  [types.DATE]: (text: string) => text,
};

const noRows = { rows: [], affectedRows: 0 };
const subscriptions = new Map<string, () => Promise<void>>();

async function serve(port: MessagePort): Promise<void> {
  const post = (reply: WorkerReply): void => port.postMessage(reply);
  const database = await PGlite.create({ fs: new PrivateNodeFS(directoryOf(workerData)), parsers });
  await database.exec("SET TIME ZONE 'UTC'");
  let last = Promise.resolve();
  port.on("message", (request: WorkerRequest) => {
    last = last.then(async () => {
      try {
        const result = await execute(database, request, post);
        post({ kind: "result", id: request.id, ...result });
      } catch (error) {
        post({ kind: "error", id: request.id, error: describe(error) });
      }
    });
  });
  post({ kind: "ready" });
}

async function execute(database: PGlite, request: WorkerRequest, post: (reply: WorkerReply) => void) {
  switch (request.kind) {
    case "query": {
      const { rows, affectedRows } = await database.query(request.sql, request.params, {
        rowMode: request.rowMode,
      });
      return { rows, affectedRows: affectedRows ?? 0 };
    }
    case "exec":
      await database.exec(request.sql);
      return noRows;
    case "listen": {
      const { channel } = request;
      const stop = await database.listen(channel, (payload) =>
        post({ kind: "notification", channel, payload }),
      );
      subscriptions.set(channel, () => stop());
      return noRows;
    }
    case "unlisten":
      await subscriptions.get(request.channel)?.();
      subscriptions.delete(request.channel);
      return noRows;
    case "close":
      await database.close();
      return noRows;
  }
}

function directoryOf(data: unknown): string {
  if (typeof data === "object" && data !== null && "directory" in data) return String(data.directory);
  throw new Error("the worker was started without a directory");
}

function describe(error: unknown): WorkerFailure {
  const fields: Record<string, unknown> = typeof error === "object" && error !== null ? { ...error } : {};
  const text = (name: string) => (typeof fields[name] === "string" ? fields[name] : null);
  return {
    message: messageOf(error),
    code: text("code"),
    constraint: text("constraint"),
    detail: text("detail"),
  };
}

if (parentPort) {
  const port = parentPort;
  serve(port).catch((error) =>
    port.postMessage({ kind: "failed", error: describe(error) } satisfies WorkerReply),
  );
}
