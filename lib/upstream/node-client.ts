import { type buildConnector, Client, type Dispatcher } from "undici";

/** A call with the state that its client needs. */
export interface PooledCall extends Dispatcher.DispatchOptions {
  /** The exchange of this call; `aborted` once its caller has abandoned it. */
  call: { readonly aborted: boolean };
}

/**
 * A client of one connection. When a call is aborted and its connection closed, undici treats the call as unsent and
 * would connect again for it: after many aborts there would be as many idle connections.
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
      if (current?.aborted) callback(new Error("the call was aborted"), null);
      else connect(target, callback);
    },
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (call, handler) => {
    current = (call as PooledCall).call; // every call of the gateway is a PooledCall
    return dispatch(call, handler);
  };
  return client;
}
