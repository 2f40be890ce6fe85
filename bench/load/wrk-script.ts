import { writeFileSync } from "node:fs";
import path from "node:path";
import { aroundCredential, type Target } from "./target";

const SEEDS = 2 ** 31;

/** Writes the script of a load, and the files that it reads, into a directory. Returns its path. */
export function writeWrkScript(target: Target, directory: string, behaviour: string): string {
  const { credentials } = target;
  const requests =
    credentials === undefined
      ? sameRequests(target, directory)
      : requestsOfMany(target, credentials, directory);
  return written(directory, "wrk.lua", requests + behaviour);
}

function sameRequests(target: Target, directory: string): string {
  const headers = Object.entries(target.headers).map(
    ([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`,
  );
  return `wrk.method = "POST"
wrk.body = io.open(${quoted(written(directory, "wrk.body", target.body))}, "rb"):read("*a")
${headers.join("\n")}
`;
}

/** Joins each request of three parts, so that a drawn credential costs the load generator little. */
function requestsOfMany(target: Target, credentials: readonly string[], directory: string): string {
  const [before, after] = aroundCredential(target);
  return `local before = io.open(${quoted(written(directory, "wrk.before", before))}, "rb"):read("*a")
local after = io.open(${quoted(written(directory, "wrk.after", after))}, "rb"):read("*a")
local credentials = {}
for line in io.lines(${quoted(written(directory, "wrk.credentials", credentials.join("\n")))}) do
  credentials[#credentials + 1] = line
end
math.randomseed(${Math.floor(Math.random() * SEEDS)})
function request()
  return before .. credentials[math.random(#credentials)] .. after
end
`;
}

function written(directory: string, name: string, text: string): string {
  const file = path.join(directory, name);
  writeFileSync(file, text);
  return file;
}

/** A text of JSON is one of Lua here: nothing in it is escaped but quotes and backslashes. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
