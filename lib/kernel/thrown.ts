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

/** True for what only our own code throws, and no database or network. */
export function isOurFault(thrown: unknown): boolean {
  return thrown instanceof TypeError || thrown instanceof RangeError || thrown instanceof ReferenceError;
}
