/** The client has closed its connection; the result is not needed. */
export class ClientDisconnected extends Error {
  override readonly name: string = "ClientDisconnected";

  constructor() {
    super("the client has closed its connection");
  }
}
