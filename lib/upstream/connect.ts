import type { Socket } from "node:net";
import { buildConnector } from "undici";

const LETTER_H = 0x48;
const DIGIT_1 = 0x31;
/** Offset of the status after `HTTP/1.1 `. */
const STATUS_OFFSET = 9;
const CONTINUE = /^HTTP\/1\.[01] 100[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/;
const MAX_CONTINUE_BYTES = 1_024;

/**
 * Connects like the default connector, and removes each `100 Continue` before the parser: any server may send one, but
 * the parser treats it as a malformed response. Source: docs/reliability.md#r-76.
 */
export function connector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...result) => {
      const [, socket] = result;
      if (socket) dropContinue(socket); // on an error it is undefined, not null
      callback(...result);
    });
}

/** Cannot match a body: neither events nor JSON contain a bare carriage return. */
function dropContinue(socket: Socket): void {
  const read: (size?: number) => unknown = socket.read.bind(socket);
  socket.read = (size?: number) => {
    let bytes = read(size);
    while (Buffer.isBuffer(bytes) && bytes[0] === LETTER_H && bytes[STATUS_OFFSET] === DIGIT_1) {
      const found = CONTINUE.exec(bytes.toString("latin1", 0, MAX_CONTINUE_BYTES));
      if (found === null) break;
      bytes = found[0].length < bytes.length ? bytes.subarray(found[0].length) : read(size);
    }
    return bytes;
  };
}
