import { DialError, type UpstreamAnswer } from "./upstream-answer";

/** Reads the whole body. Rejects: DialError, also when it exceeds `maxBytes`. */
export function readBytes(answer: UpstreamAnswer, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer | null): void => {
      if (chunk === null) {
        resolve(Buffer.concat(chunks, size));
        return;
      }
      size += chunk.length;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      answer.stopReading();
      answer.abort();
      reject(new DialError("broken", `the answer exceeds ${maxBytes} bytes`));
    };
    answer.read({ take, fail: reject });
  });
}
