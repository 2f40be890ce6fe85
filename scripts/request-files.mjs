// Counts the files of this project that run for one converted streamed request with tools, by V8's precise coverage.
// Fails when there are more than the architecture allows. Source: docs/architecture.md#s3.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildWhenChanged } from "./build.mjs";
import { prepare, root } from "./prepare.mjs";
import { startUpstream } from "./request-files/upstream.mjs";

/** Ratchets: they only ever go down. */
const MAX_FILES = 70;
const WARM_UP_CALLS = 3;
const MEASURED_CALLS = 3;
const PROBE = path.join(root, "scripts", "request-files", "probe.mjs");

await prepare();
await buildWhenChanged();
const dataDir = mkdtempSync(path.join(tmpdir(), "tollgate-request-files-"));
const upstream = await startUpstream();
const server = startServer(dataDir, upstream.url);
try {
  const url = await readyUrl(server);
  const key = await newKey(url);
  for (let call = 0; call < WARM_UP_CALLS; call += 1) await callOnce(url, key);
  const calls = [];
  for (let call = 0; call < MEASURED_CALLS; call += 1) calls.push(await measureCall(server, url, key));
  report(filesOfEvery(calls));
} finally {
  server.kill("SIGKILL");
  upstream.server.close();
  upstream.server.closeAllConnections();
  rmSync(dataDir, { recursive: true, force: true });
}

function startServer(directory, upstreamUrl) {
  const file = path.join(directory, "tollgate.yaml");
  writeFileSync(file, JSON.stringify(configuration(upstreamUrl)));
  return spawn(process.execPath, ["--import", PROBE, "dist/server.js"], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      PORT: "0",
      DATA_DIR: directory,
      CONFIG_FILE: file,
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
}

function configuration(baseUrl) {
  const limits = { qps: null, rpm: null, tpm: null, keyQuotaCents: 1_000_000 };
  return {
    nodes: [{ name: "upstream", protocol: "chat", baseUrl }],
    models: [
      {
        alias: "measured",
        prices: { input: 100, output: 300 },
        routes: [{ node: "upstream", model: "upstream-model", priority: 0 }],
      },
    ],
    plans: [{ id: 1, name: "Unlimited", selfService: true, ...limits }],
  };
}

async function readyUrl(child) {
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    const found = /ready at (http:\/\/\S+)/.exec(output);
    if (found) {
      child.stdout.resume();
      return found[1];
    }
  }
  throw new Error(`the server did not start:\n${output}`);
}

async function newKey(url) {
  const account = { username: "measurer", password: "secret-password" };
  const { token } = await post(`${url}/api/user/register`, account);
  const { key } = await post(
    `${url}/api/user/tokens`,
    { name: "measured" },
    { authorization: `Bearer ${token}` },
  );
  return key;
}

async function post(url, body, headers = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** A messages client streams from a chat node, with tools and a tool result in its history. */
async function callOnce(url, key) {
  const response = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01" },
    body: JSON.stringify({
      model: "measured",
      max_tokens: 200,
      stream: true,
      system: "You are brief.",
      tools: [
        { name: "weather", input_schema: { type: "object", properties: { city: { type: "string" } } } },
      ],
      messages: [
        { role: "user", content: "How is the weather in Bergen?" },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Bergen" } }],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "Rain." }] },
      ],
    }),
  });
  const text = await response.text();
  if (!text.includes("message_stop")) throw new Error(`the call failed: ${response.status} ${text}`);
}

async function ask(child, message) {
  const answer = once(child, "message");
  child.send(message);
  return (await answer)[0];
}

async function measureCall(child, url, key) {
  await ask(child, "begin");
  await callOnce(url, key);
  return filesOf(await ask(child, "end"));
}

/** The counts of the last call without the files that did not run in each call: those belong to a timer of the server. */
function filesOfEvery(calls) {
  return new Map([...calls.at(-1)].filter(([file]) => calls.every((files) => files.has(file))));
}

/** Shape: path of a source file from the root → functions and calls that ran. */
function filesOf(scripts) {
  const files = new Map();
  for (const { url, calls } of scripts) {
    if (!url.startsWith("file:") || !fileURLToPath(url).startsWith(path.join(root, "dist"))) continue;
    const sourceOf = sourceReader(fileURLToPath(url));
    for (const [offset, count] of calls) {
      const source = sourceOf(offset);
      if (source === null) continue;
      const found = files.get(source) ?? { functions: 0, calls: 0 };
      files.set(source, { functions: found.functions + 1, calls: found.calls + count });
    }
  }
  return files;
}

function sourceReader(script) {
  const starts = [0];
  for (const match of readFileSync(script, "utf8").matchAll(/\n/g)) starts.push(match.index + 1);
  const map = new SourceMap(JSON.parse(readFileSync(`${script}.map`, "utf8")));
  return (offset) => {
    let line = starts.findLastIndex((start) => start <= offset);
    if (line === -1) line = 0;
    const { originalSource } = map.findEntry(line, offset - starts[line]);
    if (!originalSource) return null;
    const file = path.relative(root, path.resolve(path.dirname(script), originalSource));
    return file.startsWith("..") || file.includes("node_modules") ? null : file;
  };
}

function report(files) {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [file, { functions, calls }] of sorted)
    process.stdout.write(
      `${file.padEnd(60)} ${String(functions).padStart(4)} functions ${String(calls).padStart(5)} calls\n`,
    );
  const sum = (field) => sorted.reduce((total, [, counts]) => total + counts[field], 0);
  const core = sorted.filter(([file]) => /^lib\/(protocols|convert|gateway)\//.test(file)).length;
  process.stdout.write(
    `${sorted.length} files (${core} of protocols and gateway), ${sum("functions")} functions, ${sum("calls")} calls; at most ${MAX_FILES} files\n`,
  );
  if (sorted.length > MAX_FILES) process.exitCode = 1;
}
