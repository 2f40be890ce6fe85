/** The used parts of a V8 profile; lines count from 0. */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** The share of busy time of one part. */
export interface Part {
  part: string;
  /** 0…1 of the busy time. */
  share: number;
}

const WRITES = /^(writev|writeBuffer|write(Utf8|Latin1|Ascii)String|shutdown)$/;
const SOURCE_LINE = /^\/\/ ((?:lib|bench)\/\S+|server\.ts|node_modules\/\S+)$/;
const NATIVE = "V8 and native code called from everywhere (JSON, text, hashes)";

/**
 * The parts of the program by their share of busy time, largest first. `bundle` is the text of the bundle, in which
 * the bundler's comments name the source files.
 */
export function partsOf(profile: CpuProfile, bundle: string): Part[] {
  const files = filesOf(bundle);
  const partOfNode = new Map(profile.nodes.map(({ id, callFrame }) => [id, partOf(callFrame, files)]));
  const times = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of profile.samples.entries()) {
    const part = partOfNode.get(id);
    const time = profile.timeDeltas[index] ?? 0;
    if (part == null) continue;
    busy += time;
    times.set(part, (times.get(part) ?? 0) + time);
  }
  return [...times].map(([part, time]) => ({ part, share: time / busy })).sort((a, b) => b.share - a.share);
}

/** The source file of every line of a bundle. */
function filesOf(bundle: string): string[] {
  let current = "";
  return bundle.split("\n").map((line) => {
    current = SOURCE_LINE.exec(line.trim())?.[1] ?? current;
    return current;
  });
}

/** Null: the thread was idle. */
function partOf(frame: CpuProfile["nodes"][number]["callFrame"], files: readonly string[]): string | null {
  const { functionName, url, lineNumber } = frame;
  if (functionName === "(idle)") return null;
  if (functionName === "(garbage collector)") return "garbage collection";
  if (url.startsWith("node:")) return "Node: HTTP, streams, timers";
  if (WRITES.test(functionName)) return "writing to sockets";
  if (url.startsWith("wasm:")) return "undici";
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (packaged !== undefined) return packaged;
  if (!/\/dist\/[\w/-]+\.js$/.test(url)) return NATIVE;
  const [top = "", folder = ""] = (files[lineNumber] ?? "").split("/");
  return top === "lib" && !folder.includes(".") ? `ours: ${top}/${folder}` : "ours: other";
}
