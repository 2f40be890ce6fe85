import type { OpenAnswer } from "./attempt";

/** The client has gone while nodes were asked; `open` is set when one had already said 200. */
export class ClientLeft extends Error {
  readonly open: OpenAnswer | null;

  constructor(open: OpenAnswer | null) {
    super("the client has gone");
    this.name = "ClientLeft";
    this.open = open;
  }
}
