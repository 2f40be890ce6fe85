// Loaded before the server: connections to metadata servers of machines go to METADATA_PORT on loopback instead.
import net from "node:net";

const hosts = new Set(["169.254.169.254", "metadata.google.internal"]);
const port = Number(process.env.METADATA_PORT);

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...given) {
  const [first] = given;
  const options = Array.isArray(first) ? first[0] : first;
  if (hosts.has(options?.host)) Object.assign(options, { host: "127.0.0.1", port });
  return connect.apply(this, given);
};
