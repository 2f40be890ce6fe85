// Asks the server of this container whether it is ready: the image's health check. Source: docs/contract.md#image.
import { get } from "node:http";
import { settingTexts } from "@/lib/config/env-texts";

const WITHIN_MS = 2_500;
const MAX_SHOWN_CHARACTERS = 300;
/** A server that listens on every interface is asked here; `::` takes IPv4 as well. */
const LOOPBACK = "127.0.0.1";

const { HOST = LOOPBACK, PORT = "3000" } = settingTexts(process.env, ["HOST", "PORT"]).given;
const bare = HOST.replace(/^\[(.*)\]$/, "$1");
const host = ["0.0.0.0", "::"].includes(bare) ? LOOPBACK : bare;

const asked = get({ host, port: Number(PORT), path: "/api/health/ready", timeout: WITHIN_MS }, (answer) => {
  let text = "";
  answer.setEncoding("utf8");
  answer.on("data", (chunk: string) => {
    text += chunk;
  });
  answer.on("end", () => end(answer.statusCode === 200, text));
});
asked.on("timeout", () => asked.destroy(new Error(`no answer within ${WITHIN_MS} ms`)));
asked.on("error", (error) => end(false, error.message));

function end(ready: boolean, text: string): void {
  process.stdout.write(`${text.slice(0, MAX_SHOWN_CHARACTERS)}\n`);
  process.exitCode = ready ? 0 : 1;
}
