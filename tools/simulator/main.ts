import { parseArgs } from "node:util";
import { startSimulator } from "./server";

const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, host: { type: "string" } },
});
const simulator = await startSimulator({
  port: Number(values.port),
  ...(values.host === undefined ? {} : { host: values.host }),
});

// A child lives as long as the parent that it answers for; by hand it runs until a signal.
if (process.send) {
  process.on("disconnect", () => process.exit(0));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  // A parent that has ended meanwhile does not hear it.
  if (!process.connected) process.exit(0);
  process.send(simulator.url, undefined, undefined, () => {});
} else {
  process.stdout.write(`Simulated provider at ${simulator.url}\n`);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(0));
}
