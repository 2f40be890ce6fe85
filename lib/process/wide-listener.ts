import { spawn } from "node:child_process";
import { createServer, type Server } from "node:net";

/** Besides the first. Measured: each costs a new connection 8 µs while the process has little to do, and nothing under load. */
const MORE = 7;
const WITHIN_MS = 10_000;

/** The program of the child: every handle comes back as often as it is told. */
const ECHO = `process.on("message", (times, handle) => {
  for (let sent = 0; sent < times; sent += 1) process.send("copy", handle);
})`;

/** What Node listens on, below its servers; it can be sent to a child and listened on again. */
type Handle = object;

/**
 * Lets a listening server take more than one connection in a turn of the event loop. Node takes one per turn and
 * listening handle; under load turns are long, and with one handle a thousand new clients wait for a thousand of them.
 * A process cannot copy a handle itself, so a child sends it back some times.
 * Resolves with the listeners besides the first, to be closed with it: none where no child can be started.
 */
export async function widenListener(server: Server, backlog: number): Promise<Server[]> {
  const { _handle: handle } = server as Server & { _handle?: Handle | null };
  if (!handle) return [];
  return (await copiesOf(handle)).map((copy) =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket))
      .on("error", (error) => server.emit("error", error))
      .listen({ _handle: copy }, backlog),
  );
}

/** Sends a handle to a child, which sends it back. Never rejects: what has not come in time is missing. */
function copiesOf(handle: Handle): Promise<Handle[]> {
  return new Promise((resolve) => {
    const copies: Handle[] = [];
    const child = spawn(process.execPath, ["--eval", ECHO], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    const timer = setTimeout(() => child.kill(), WITHIN_MS);
    const end = () => {
      clearTimeout(timer);
      resolve(copies);
    };
    child.once("error", end);
    child.once("exit", end);
    child.on("message", (_message, copy) => {
      if (copies.push(copy as Handle) === MORE) child.disconnect();
    });
    try {
      child.send(MORE, handle as Server, () => {});
    } catch {
      child.kill(); // a worker of a cluster listens on something that cannot be sent
    }
  });
}
