import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type EmscriptenOptions = Parameters<NodeFS["init"]>[1];

/** Changes of a file's attributes, by name or through an open file. */
interface AttributeOperations {
  setattr?: (target: unknown, attributes: { mode?: number | null }) => unknown;
}

const OTHERS = 0o077;

/**
 * The embedded database's files on the disk, for their user alone. The database sets modes of its own (0666 for what it
 * makes first, 0644 for caches), which no umask holds back. Source: docs/contract.md#b17.
 */
export class PrivateNodeFS extends NodeFS {
  override async init(database: PGlite, options: EmscriptenOptions) {
    const { emscriptenOpts } = await super.init(database, options);
    const preRun = [...(emscriptenOpts.preRun ?? []), ({ NODEFS }: NodeFsModule) => keepPrivate(NODEFS)];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

interface NodeFsModule {
  NODEFS: { node_ops: AttributeOperations; stream_ops: AttributeOperations };
}

function keepPrivate({ node_ops, stream_ops }: NodeFsModule["NODEFS"]): void {
  for (const operations of [node_ops, stream_ops]) {
    const { setattr } = operations;
    if (setattr === undefined) continue;
    operations.setattr = (target, attributes) => {
      const { mode } = attributes;
      return setattr(target, mode == null ? attributes : { ...attributes, mode: mode & ~OTHERS });
    };
  }
}
