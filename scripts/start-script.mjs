// Lets a page show its first frame before its scripts arrive: one small script loads the others after the first paint,
// and has a thread of its own prepare what they need of the browser.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { transformSync } from "esbuild";
import { root } from "./prepare.mjs";

const NEXT = path.join(root, ".next");
const MANIFEST = path.join(NEXT, "build-manifest.json");

/**
 * Puts a start script in the place of the framework's main scripts, which every page names in its head. A page is
 * readable without them, and on a phone they take the processor and the line from the first frame.
 */
export function writeStartScript() {
  const manifest = JSON.parse(readFileSync(MANIFEST, "utf8"));
  const worker = transformSync(`(${prepareFormats})()`, { minify: true }).code;
  const call = `(${loadAfterFirstPaint})(${JSON.stringify(manifest.rootMainFiles)},${JSON.stringify(worker)})`;
  const script = transformSync(call, { minify: true }).code;
  const hash = createHash("sha256").update(script).digest("base64url").slice(0, 16);
  const file = `static/chunks/start-${hash}.js`;
  writeFileSync(path.join(NEXT, file), script);
  writeFileSync(MANIFEST, JSON.stringify({ ...manifest, rootMainFiles: [file] }));
}

/** Runs in the browser. A page in the background does not wait for a frame, and nobody waits for more than two seconds. */
function loadAfterFirstPaint(files, worker) {
  const prepare = () => {
    new Worker(`data:text/javascript,${encodeURIComponent(worker)}`, { name: document.documentElement.lang });
  };
  const start = () => {
    if (files.length > 0) setTimeout(prepare);
    for (const file of files.splice(0))
      document.head.append(Object.assign(document.createElement("script"), { src: `/_next/${file}` }));
  };
  // The framework runs what is listed here before it takes the page over, and that in a task of its own.
  self.__next_s = [[null, { children: "" }]];
  if (document.hidden) return start();
  new PerformanceObserver(start).observe({ type: "paint", buffered: true });
  setTimeout(start, 2_000);
}

/** Runs in a worker. The first formatters of a browser process search all its locales; the page finds them searched. */
function prepareFormats() {
  const locale = self.name || undefined;
  new Intl.NumberFormat(locale).format(0);
  new Intl.DateTimeFormat(locale).format(0);
  self.close();
}
