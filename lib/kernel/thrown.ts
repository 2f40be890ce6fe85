/** The client has closed its connection; the result is not needed. */
export class ClientDisconnected extends Error {
  override readonly name: string = "ClientDisconnected";

  constructor() {
    super("the client has closed its connection");
  }
}

/** The message of a thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** True for errors that only our own code throws, never a database or a network. */
export function isOurFault(thrown: unknown): boolean {
  return thrown instanceof TypeError || thrown instanceof RangeError || thrown instanceof ReferenceError;
}
