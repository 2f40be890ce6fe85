import { type buildConnector, Client, type Dispatcher } from "undici";

/** A call as its client must know it. */
export interface PooledCall extends Dispatcher.DispatchOptions {
  /** Nobody waits for it any more. */
  call: { readonly givenUp: boolean };
}

/**
 * A client of one connection. Undici takes a call whose connection was closed because it was given up for one that is
 * still to be sent, and would dial the node again for it: after a crowd has left, as many idle connections.
 */
export function nodeClient(
  origin: string | URL,
  options: Client.Options,
  connect: buildConnector.connector,
): Client {
  let current: PooledCall["call"] | undefined;
  const client = new Client(origin, {
    ...options,
    connect: (target, callback) => {
      if (current?.givenUp) callback(new Error("the call was given up"), null);
      else connect(target, callback);
    },
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (call, handler) => {
    current = (call as PooledCall).call; // every call of the gateway is one
    return dispatch(call, handler);
  };
  return client;
}
