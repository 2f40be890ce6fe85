// Loaded before the server: counts the functions that run between the messages `begin` and `end` of the parent.
import { Session } from "node:inspector/promises";

const session = new Session();
session.connect();
await session.post("Profiler.enable");

process.on("message", async (message) => {
  if (message === "begin") {
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    process.send("began");
  } else if (message === "end") {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    await session.post("Profiler.stopPreciseCoverage");
    process.send(calledFunctions(result));
  }
});
// The channel must not keep a stopping server alive.
process.channel?.unref();

/** Shape: per script, the start offset and the number of calls of each function that ran. */
function calledFunctions(scripts) {
  return scripts.map(({ url, functions }) => ({
    url,
    calls: functions
      .map(({ ranges: [{ startOffset, count }] }) => [startOffset, count])
      .filter(([, count]) => count > 0),
  }));
}
