import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A relay to a local port that is as slow as a link over the Internet. */
export interface SlowLink {
  port: number;
  /** Bytes from clients, and bytes to them. */
  readonly bytes: { up: number; down: number };
  reset(): void;
  close(): Promise<void>;
}

/** How slow it is: half of the round trip in each direction, then so many bits a second. */
export interface LinkSpeed {
  roundTripMs: number;
  megabits: number;
}

/** Starts a relay. */
export async function startSlowLink(
  targetPort: number,
  { roundTripMs, megabits }: LinkSpeed,
): Promise<SlowLink> {
  const bytes = { up: 0, down: 0 };
  const sockets = new Set<Socket>();
  const bytesPerMs = (megabits * 1_000_000) / 8 / 1_000;
  const relay = (from: Socket, to: Socket, direction: "up" | "down") => {
    /** When the link is free again, by the clock of this process. */
    let freeAtMs = 0;
    let earlier = Promise.resolve();
    from.on("data", (piece) => {
      bytes[direction] += piece.length;
      const nowMs = performance.now();
      freeAtMs = Math.max(freeAtMs, nowMs) + piece.length / bytesPerMs;
      const waitMs = freeAtMs + roundTripMs / 2 - nowMs;
      const delivered = sleep(waitMs);
      earlier = earlier.then(() => delivered).then(() => void to.write(piece));
    });
    from.on("end", () => void earlier.then(() => sleep(roundTripMs / 2)).then(() => to.end()));
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const upstream = connect({ port: targetPort, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    relay(client, upstream, "up");
    relay(upstream, client, "down");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the link has no port");
  return {
    port: address.port,
    bytes,
    reset: () => Object.assign(bytes, { up: 0, down: 0 }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
