// The load generator without wrk: autocannon in a separate process, controlled by its parent.
import autocannon from "autocannon";

const US_PER_MS = 1_000;
const LONGEST_S = 3_600;

process.once("message", ({ target, connections }) => {
  const { url, headers, body, credentials } = target;
  const running = autocannon({
    url,
    requests: [credentials === undefined ? {} : { setupRequest: withDrawn(credentials) }],
    headers,
    body,
    connections,
    method: "POST",
    duration: LONGEST_S,
    timeout: 60,
  });
  process.once("message", () => running.stop());
  running.then((result) => {
    const { latency, requests, non2xx, errors } = result;
    process.send({
      requests: requests.total,
      p50Us: latency.p50 * US_PER_MS,
      p99Us: latency.p99 * US_PER_MS,
      maxUs: latency.max * US_PER_MS,
      failures: non2xx + errors,
    });
    process.disconnect();
  });
});

/** Gives each request one of several credentials. */
function withDrawn(credentials) {
  return (request) => {
    const authorization = credentials[Math.floor(Math.random() * credentials.length)];
    return { ...request, headers: { ...request.headers, authorization } };
  };
}
