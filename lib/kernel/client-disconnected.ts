/** The client has closed its connection; nobody waits for the result. */
export class ClientDisconnected extends Error {
  override readonly name: string = "ClientDisconnected";

  constructor() {
    super("the client has closed its connection");
  }
}
