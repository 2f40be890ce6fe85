import { parseArgs } from "node:util";
import { startDemoProvider } from "./provider";

const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, host: { type: "string" } },
});
const provider = await startDemoProvider({
  port: Number(values.port),
  ...(values.host === undefined ? {} : { host: values.host }),
});
process.stdout.write(`Simulated provider at ${provider.url}\n`);

function stop(): void {
  void provider.close().then(() => process.exit(0));
}
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
