import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { PGlite, parse, protocol, types } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { messageOf } from "@/lib/kernel/thrown";
import type { BatchValue } from "./database";
import type { WorkerFailure, WorkerReply, WorkerRequest } from "./worker-channel";

// The same types as the PostgreSQL client returns: bigint, Date for timestamptz, text for date and timestamp.
const parsers = {
  [types.INT8]: (text: string) => BigInt(text),
  [types.TIMESTAMPTZ]: (text: string) => new Date(text),
  [types.TIMESTAMP]: (text: string) => text,
  [types.DATE]: (text: string) => text,
};

/** Ids of types that PGlite has no names for: `integer[]` and `bigint[]`. */
const INT4_ARRAY = 1007;
const INT8_ARRAY = 1016;

/** The same, and lists of integers, which the answer of a ledger batch consists of; no parser of other arrays. */
const batchParsers = {
  ...types.parsers,
  ...parsers,
  [INT4_ARRAY]: (text: string) => elementsOf(text).map(Number),
  [INT8_ARRAY]: (text: string) => elementsOf(text).map(BigInt),
};

/** Elements that need no quotes. */
function elementsOf(array: string): string[] {
  return array === "{}" ? [] : array.slice(1, -1).split(",");
}

const { serialize } = protocol;

/** The messages that describe a statement's rows. */
type Description = Awaited<ReturnType<PGlite["execProtocol"]>>["messages"];

/**
 * Runs recurring statements: each is parsed once, and then costs one call into the database instead of the six that
 * `PGlite.query` makes. Source: docs/performance.md#s5.
 */
class PreparedStatements {
  readonly #database: PGlite;
  readonly #known = new Map<string, { name: string; description: Description }>();

  constructor(database: PGlite) {
    this.#database = database;
  }

  /** Throws: the database's error; then the statement had no effect. */
  async run(sql: string, params: readonly BatchValue[]) {
    const { name, description } = this.#known.get(sql) ?? (await this.#prepare(sql));
    const values = params.map((value) => (value === null ? null : String(value)));
    const { messages } = await this.#database.execProtocol(
      Buffer.concat([serialize.bind({ statement: name, values }), serialize.execute({}), serialize.sync()]),
    );
    const [result] = parse.parseResults([...description, ...messages], batchParsers);
    if (result === undefined) throw new Error("the embedded database gave no result");
    return { rows: result.rows, affectedRows: result.affectedRows ?? 0, command: null };
  }

  async #prepare(sql: string) {
    const name = `prepared_${this.#known.size}`;
    const { messages } = await this.#database.execProtocol(
      Buffer.concat([
        serialize.parse({ name, text: sql }),
        serialize.describe({ type: "S", name }),
        serialize.sync(),
      ]),
    );
    const statement = { name, description: messages.filter((message) => message.name === "rowDescription") };
    this.#known.set(sql, statement);
    return statement;
  }
}

/** The command tag of an answer; null when it has none. */
function commandTag(messages: Description): string | null {
  const complete = messages.find((message) => message.name === "commandComplete");
  return complete !== undefined && "text" in complete ? String(complete.text) : null;
}

type EmscriptenOptions = Parameters<NodeFS["init"]>[1];

/** Operations that change a file's attributes, by name or through an open file. */
interface AttributeOperations {
  setattr?: (target: unknown, attributes: { mode?: number | null }) => unknown;
}

const OTHERS_MODE = 0o077;

/**
 * Keeps the embedded database's files accessible to their user only. The database sets explicit modes (0666 for its
 * first files, 0644 for caches), which the umask does not restrict. Source: docs/contract.md#b17.
 */
class PrivateNodeFS extends NodeFS {
  override async init(database: PGlite, options: EmscriptenOptions) {
    const { emscriptenOpts } = await super.init(database, options);
    const preRun = [...(emscriptenOpts.preRun ?? []), ({ NODEFS }: NodeFsModule) => maskModes(NODEFS)];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

interface NodeFsModule {
  NODEFS: { node_ops: AttributeOperations; stream_ops: AttributeOperations };
}

function maskModes({ node_ops, stream_ops }: NodeFsModule["NODEFS"]): void {
  for (const operations of [node_ops, stream_ops]) {
    const { setattr } = operations;
    if (setattr === undefined) continue;
    operations.setattr = (target, attributes) => {
      const { mode } = attributes;
      return setattr(target, mode == null ? attributes : { ...attributes, mode: mode & ~OTHERS_MODE });
    };
  }
}

const noRows = { rows: [], affectedRows: 0, command: null };
const subscriptions = new Map<string, () => Promise<void>>();

async function serve(port: MessagePort): Promise<void> {
  const post = (reply: WorkerReply): void => port.postMessage(reply);
  const database = await PGlite.create({ fs: new PrivateNodeFS(directoryOf(workerData)), parsers });
  await database.exec("SET TIME ZONE 'UTC'");
  const prepared = new PreparedStatements(database);
  let last = Promise.resolve();
  port.on("message", (request: WorkerRequest) => {
    last = last.then(async () => {
      try {
        const result = await execute(database, prepared, request, post);
        post({ kind: "result", id: request.id, ...result });
      } catch (error) {
        post({ kind: "error", id: request.id, error: describe(error) });
      }
    });
  });
  post({ kind: "ready" });
}

async function execute(
  database: PGlite,
  prepared: PreparedStatements,
  request: WorkerRequest,
  post: (reply: WorkerReply) => void,
) {
  switch (request.kind) {
    case "batch":
      return await prepared.run(request.sql, request.params);
    case "query": {
      const { rows, affectedRows } = await database.query(request.sql, request.params, {
        rowMode: request.rowMode,
      });
      return { rows, affectedRows: affectedRows ?? 0, command: null };
    }
    case "command": {
      const { messages } = await database.execProtocol(serialize.query(request.sql));
      return { ...noRows, command: commandTag(messages) };
    }
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
