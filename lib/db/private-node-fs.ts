import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

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
export class PrivateNodeFS extends NodeFS {
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
