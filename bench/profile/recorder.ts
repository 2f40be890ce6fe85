import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded before a process under test: records a profile of its main thread from `start-profile` until the parent sends
 * the path of the file to write it to. Each message is answered once it is done.
 */
const INTERVAL_US = 250;

const session = new Session();

if (isMainThread && process.send) {
  session.connect();
  process.on("message", (message) => {
    void answer(String(message)).then((done) => process.send?.({ done }));
  });
}

async function answer(message: string): Promise<string> {
  if (message === "start-profile") {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: INTERVAL_US });
    await session.post("Profiler.start");
    return message;
  }
  const { profile } = await session.post("Profiler.stop");
  writeFileSync(message, JSON.stringify(profile));
  return message;
}
