import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Failpoint } from "@/lib/failpoint";

const [wanted, times = "1"] = (process.env.FAILPOINT ?? "").split(":");
let left = Number(times);

/** Ends the process like a power cut would, at the n-th passing of the point that `FAILPOINT=name:n` names. */
export function failpoint(name: Failpoint): void {
  if (name !== wanted) return;
  left -= 1;
  if (left > 0) return;
  process.kill(process.pid, "SIGKILL");
  // Nothing more may happen in this thread before the signal has been delivered.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

// On SIGUSR2 garbage is collected, so that a test can measure what is really held.
setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
process.on("SIGUSR2", () => collect());
