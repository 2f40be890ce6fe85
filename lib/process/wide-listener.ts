import { spawn } from "node:child_process";
import { createServer, type Server } from "node:net";
import { SOCKET_BUFFER_BYTES } from "@/lib/kernel/http";

/** Handles besides the first. Measured: each costs a new connection 8 µs in an idle process and nothing under load. */
const EXTRA_HANDLES = 7;
const TIMEOUT_MS = 10_000;

/** The child's program: sends a handle back as many times as the message says. */
const CHILD_PROGRAM = `process.on("message", (times, handle) => {
  for (let sent = 0; sent < times; sent += 1) process.send("copy", handle);
})`;

/** The listening handle below a Node server; it can be sent to a child process and listened on again. */
type Handle = object;

/**
 * Lets a listening server accept more than one connection per tick of the event loop. Node accepts one per tick and
 * handle; under load ticks are long, and with one handle a thousand new clients wait for a thousand ticks. A process
 * cannot copy a handle itself, so a child process sends it back several times.
 * Resolves with the additional listeners, which the caller closes with the first; none when no child can be started.
 */
export async function addListenerHandles(server: Server, backlog: number): Promise<Server[]> {
  const { _handle: handle } = server as Server & { _handle?: Handle | null };
  if (!handle) return [];
  return (await copiesOf(handle)).map((copy) =>
    createServer({ allowHalfOpen: true, noDelay: true, highWaterMark: SOCKET_BUFFER_BYTES }, (socket) =>
      server.emit("connection", socket),
    )
      .on("error", (error) => server.emit("error", error))
      .listen({ _handle: copy }, backlog),
  );
}

/** Copies a handle by way of a child process. Never rejects; copies that arrive too late are missing. */
function copiesOf(handle: Handle): Promise<Handle[]> {
  return new Promise((resolve) => {
    const copies: Handle[] = [];
    const child = spawn(process.execPath, ["--eval", CHILD_PROGRAM], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const timer = setTimeout(() => child.kill(), TIMEOUT_MS);
    const finish = () => {
      clearTimeout(timer);
      resolve(copies);
    };
    child.once("error", finish);
    child.once("exit", finish);
    child.on("message", (_message, copy) => {
      if (copies.push(copy as Handle) === EXTRA_HANDLES) child.disconnect();
    });
    try {
      child.send(EXTRA_HANDLES, handle as Server, () => {});
    } catch {
      child.kill(); // the handle of a cluster worker cannot be sent
    }
  });
}
