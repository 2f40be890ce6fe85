// Lets a page show its first frame before its scripts arrive: one small script loads the others after the first paint,
// has a thread of its own prepare what they need of the browser, and keeps what is pressed until they answer.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { transformSync } from "esbuild";
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
  const script = transformSync(`${call};(${keepEarlyPress})();`, { minify: true }).code;
  const hash = createHash("sha256").update(script).digest("base64url").slice(0, 16);
  const file = `static/chunks/start-${hash}.js`;
  writeFileSync(path.join(NEXT, file), script);
  writeFileSync(MANIFEST, JSON.stringify({ ...manifest, rootMainFiles: [file] }));
}

/** React names the scripts of a manifest in the head: those of its entries, and those of components that it can load. */
function nameNoScripts(file) {
  const [, head, json] = readFileSync(file, "utf8").match(/^(.*= )({"moduleLoading".*});?\s*$/s);
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

/**
 * Runs in the browser. Presses again, once the page's scripts answer, the button that was pressed before, or the keys of
 * the palette with what was typed after them. Links work without scripts, forms and fields keep what they were given.
 */
function keepEarlyPress() {
  const LONGEST_WAIT_MS = 10_000;
  let again = null;
  let pressedAt = 0;
  const takenOver = (element) =>
    element !== null && Object.keys(element).some((name) => name.startsWith("__reactFiber"));
  const keep = (press) => {
    if (again === null) setTimeout(retry);
    again = press;
    pressedAt = performance.now();
  };
  const retry = () => {
    if (again === null || again() || performance.now() - pressedAt > LONGEST_WAIT_MS) again = null;
    else setTimeout(retry, 50);
  };
  /** The framework drops what it cannot answer yet, so that the button never hears of it. */
  const click = (button) => {
    let heard = !button.isConnected;
    if (heard || !takenOver(button)) return heard;
    const hear = () => {
      heard = true;
    };
    button.addEventListener("click", hear);
    button.click();
    button.removeEventListener("click", hear);
    return heard;
  };
  const openPalette = (shortcut, typed) => {
    const opened = !document.body.dispatchEvent(new KeyboardEvent("keydown", shortcut));
    if (opened) for (const key of typed) document.body.dispatchEvent(new KeyboardEvent("keydown", key));
    return opened;
  };
  let typed = null;
  const onClick = (event) => {
    const button = event.target.closest?.("button");
    if (!event.isTrusted || (button && takenOver(button))) return;
    typed = null;
    if (button && (button.type !== "submit" || button.form === null)) keep(() => click(button));
    else again = null;
  };
  const onKey = (event) => {
    if (takenOver(document.querySelector("main"))) return removeEventListener("keydown", onKey, true);
    if (!event.isTrusted) return;
    const { key, ctrlKey, metaKey } = event;
    const init = { key, ctrlKey, metaKey, bubbles: true, cancelable: true };
    if ((ctrlKey || metaKey) && key.toLowerCase() === "k") {
      event.preventDefault();
      const keys = [];
      typed = keys;
      keep(() => openPalette(init, keys));
    } else if (key === "Escape") again = typed = null;
    else if (key.length === 1 && !ctrlKey && !metaKey) typed?.push(init);
  };
  addEventListener("click", onClick, true);
  addEventListener("keydown", onKey, true);
}
