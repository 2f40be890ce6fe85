// Lets a page show its first frame before its scripts arrive: one small script loads the others after the first paint,
// has a thread of its own prepare what they need of the browser, and keeps what is pressed until they answer.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildSync, transformSync } from "esbuild";
import { root } from "./prepare.mjs";

const NEXT = path.join(root, ".next");
const MANIFEST = path.join(NEXT, "build-manifest.json");

/**
 * Puts a start script in the place of all scripts that a page names in its head: the framework's main ones, and those of
 * the page's components. A page is readable without them, and on a phone they take the processor and the line from the
 * first frame.
 */
export function writeStartScript() {
  for (const file of readdirSync(path.join(NEXT, "server"), { recursive: true }))
    if (file.endsWith("_client-reference-manifest.js")) nameNoScripts(path.join(NEXT, "server", file));
  const manifest = JSON.parse(readFileSync(MANIFEST, "utf8"));
  const worker = transformSync(`(${prepareFormats})()`, { minify: true }).code;
  const call = `(${loadAfterFirstPaint})(${JSON.stringify(manifest.rootMainFiles)},${JSON.stringify(worker)})`;
  const script = transformSync(call, { minify: true }).code + bundled("components/shell/keep-presses.ts");
  const hash = createHash("sha256").update(script).digest("base64url").slice(0, 16);
  const file = `static/chunks/start-${hash}.js`;
  writeFileSync(path.join(NEXT, file), script);
  writeFileSync(MANIFEST, JSON.stringify({ ...manifest, rootMainFiles: [file] }));
}

/** A script of its own, with what it imports. */
function bundled(file) {
  const [{ text }] = buildSync({
    entryPoints: [path.join(root, file)],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    write: false,
    logLevel: "warning",
  }).outputFiles;
  return text;
}

/** React names the scripts of a manifest in the head: those of its entries, and those of components that it can load. */
function nameNoScripts(file) {
  const [, head, json] = readFileSync(file, "utf8").match(/^(.*= )({"moduleLoading".*});?\s*$/s) ?? [];
  if (json === undefined) throw new Error(`${file} names its scripts in a form that is not known here.`);
  const manifest = { ...JSON.parse(json), moduleLoading: null, entryJSFiles: {} };
  writeFileSync(file, `${head}${JSON.stringify(manifest)};\n`);
}

/** Runs in the browser. A page in the background does not wait for a frame, and nobody waits for more than two seconds. */
function loadAfterFirstPaint(files, worker) {
  const prepare = () => {
    new Worker(`data:text/javascript,${encodeURIComponent(worker)}`, { name: document.documentElement.lang });
  };
  // In a task for each: on a phone, asking for all of them at once blocks the page.
  const load = (file) => {
    document.head.append(Object.assign(document.createElement("script"), { src: `/_next/${file}` }));
  };
  const start = () => {
    if (files.length === 0) return;
    setTimeout(prepare);
    // The data of the page that has arrived so far, which names the scripts of its components.
    const data = (self.__next_f ?? []).map((part) => part[1]).join("");
    const scripts = new Set(Array.from(data.matchAll(/"\/_next\/([\w./-]+\.js)"/g), (match) => match[1]));
    for (const file of [...scripts, ...files.splice(0)]) setTimeout(() => load(file));
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
