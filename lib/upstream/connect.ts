import type { Socket } from "node:net";
import { buildConnector } from "undici";

const LETTER_H = 0x48;
const DIGIT_1 = 0x31;
/** Where the status begins after `HTTP/1.1 `. */
const STATUS_AT = 9;
const CONTINUE = /^HTTP\/1\.[01] 100[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/;
const LONGEST_BYTES = 1_024;

/**
 * Connects as the client does by itself, and drops each `100 Continue` before the parser sees it: any server may send one,
 * while the parser takes it for a broken answer. Source: docs/reliability.md#r-76.
 */
export function connector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...result) => {
      const [, socket] = result;
      if (socket) dropContinue(socket); // undefined, not null, beside an error
      callback(...result);
    });
}

/** A body cannot look like one: neither events nor JSON hold a bare carriage return. */
function dropContinue(socket: Socket): void {
  const read: (size?: number) => unknown = socket.read.bind(socket);
  socket.read = (size?: number) => {
    let bytes = read(size);
    while (Buffer.isBuffer(bytes) && bytes[0] === LETTER_H && bytes[STATUS_AT] === DIGIT_1) {
      const found = CONTINUE.exec(bytes.toString("latin1", 0, LONGEST_BYTES));
      if (found === null) break;
      bytes = found[0].length < bytes.length ? bytes.subarray(found[0].length) : read(size);
    }
    return bytes;
  };
}
