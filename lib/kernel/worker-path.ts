import path from "node:path";

/** Absolute path of a bundle, `dist/<name>.js` below the project root. */
export function bundlePath(name: string): string {
  return path.join(process.cwd(), "dist", `${name}.js`);
}

/** Absolute path of a bundled worker, `dist/workers/<name>.js` below the project root. */
export function workerPath(name: string): string {
  return bundlePath(path.join("workers", name));
}
