import path from "node:path";

/** Absolute path of a bundled worker, `dist/workers/<name>.js` below the project root. */
export function workerPath(name: string): string {
  return path.join(process.cwd(), "dist", "workers", `${name}.js`);
}
