import type { Socket } from "node:net";
import { type Answers, STAMP_DIGITS } from "./answers";
import type { Counters } from "./counters";
import type { Scenario } from "./scenario";

interface Streamed {
  model: string;
  scenario: Scenario;
  answers: Answers;
}

/** Sends a stream: at once, or one delta every so often, each with the time at which it was sent. Waits for slow readers. */
export function streamTimed(socket: Socket, made: Streamed, counters: Counters): void {
  const { answers, scenario } = made;
  const { chunks, every } = scenario;
  if (every === 0) {
    const deltas = Array.from({ length: chunks }, () => stamped(answers));
    socket.write(Buffer.concat([answers.streamHead, answers.opening, ...deltas, answers.closing]));
    counters.complete(made.model, scenario);
    return;
  }
  counters.openStreams += 1;
  let sent = 0;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    socket.off("close", stop);
    counters.openStreams -= 1;
  };
  const tick = () => {
    if (socket.writableNeedDrain) return;
    if (sent < chunks) {
      sent += 1;
      counters.streamBytes += answers.delta.length;
      socket.write(stamped(answers));
      return;
    }
    socket.write(answers.closing);
    counters.complete(made.model, scenario);
    stop();
  };
  socket.once("close", stop);
  socket.write(answers.streamHead);
  socket.write(answers.opening);
  timer = setInterval(tick, every);
  tick();
}

/** A delta with the present time written into it. */
function stamped({ delta, stampAt }: Answers): Buffer {
  const copy = Buffer.from(delta);
  copy.write(String(process.hrtime.bigint() / 1000n).padStart(STAMP_DIGITS, "0"), stampAt, "latin1");
  return copy;
}
