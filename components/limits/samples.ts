/** A refusal as sent over HTTP. */
export const refusalSample = `HTTP/1.1 429 Too Many Requests
retry-after: 2
retry-after-ms: 1380
x-ratelimit-limit-requests: 20
x-ratelimit-remaining-requests: 0

{"type": "error",
 "error": {"type": "rate_limit_error",
           "code": "RATE_LIMITED", "message": "…"},
 "request_id": "…"}`;

/** Code that waits as long as the response says. */
export const retrySample = `async function call(send) {
  for (let attempt = 0; ; attempt++) {
    const answer = await send();
    if (answer.status !== 429 || attempt === 5) return answer;
    const wait = answer.headers.get("retry-after-ms");
    const ms = Number(wait ?? 1000);
    await new Promise((done) => setTimeout(done, ms));
  }
}`;
