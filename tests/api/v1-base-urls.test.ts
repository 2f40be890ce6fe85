import { describe, expect, test } from "vitest";
import { chatBody, gatewayFor } from "../support/gateway-fixtures";
import { rawCall } from "../support/raw-http";
import { expectFetchRefusal, expectRefusal } from "../support/v1-refusal";

const gateway = gatewayFor({
  env: { CORS_ORIGINS: "https://chat.example" },
  models: [
    { alias: "good", routes: [["chat", "sim-echo"]] },
    { alias: "vendor/good", routes: [["chat", "sim-echo"]] },
  ],
});

/** What a client asks for when its base URL is the origin, the one of the SDKs, or has `/v1` once too often. */
const bases = ["", "/v1", "/v1/v1", "/v1/v1/v1"];
const posts = ["/chat/completions", "/messages", "/messages/count_tokens"];

describe.each(bases)("with the base URL %j", (base) => {
  test.each(posts)("POST %s answers as under /v1, with a slash at its end too", async (path) => {
    const { key } = await gateway.key();
    for (const end of ["", "/", "?beta=true"]) {
      const answer = await gateway.server.gateway(base + path + end, key, chatBody("good"));
      expect([end, answer.status, answer.redirected]).toEqual([end, 200, false]);
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
  });

  test("streams are streams", async () => {
    const { key } = await gateway.key();
    const answer = await gateway.server.gateway(`${base}/messages`, key, chatBody("good", { stream: true }));
    expect(await answer.text()).toContain("message_stop");
  });

  test.each(posts)("GET %s is a 405 in JSON that allows POST", async (path) => {
    const answer = await rawCall(gateway.server.url, { method: "GET", path: base + path });
    expectRefusal({ ...answer, text: answer.body }, `/v1${path}`, "METHOD_NOT_ALLOWED");
    expect(answer.headers.allow).toBe("POST");
  });

  test("refuses in the words of each protocol", async () => {
    for (const path of posts) {
      const answer = await gateway.server.gateway(base + path, "tgw-unknown", chatBody("good"));
      await expectFetchRefusal(answer, `/v1${path}`, "INVALID_API_KEY");
    }
  });

  test.each(["/responses", "/embeddings", "/responses/input_tokens"])(
    "%s is answered by the gateway, whatever it has there",
    async (path) => {
      const { key } = await gateway.key();
      const direct = await gateway.server.gateway(`/v1${path}`, key, chatBody("good"));
      const answer = await gateway.server.gateway(base + path, key, chatBody("good"));
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect([answer.status, await codeOf(answer)]).toEqual([direct.status, await codeOf(direct)]);
    },
  );

  test.each(["authorization", "x-api-key", "api-key"])(
    "models are listed and shown to %s",
    async (header) => {
      const { key } = await gateway.key();
      const headers = { [header]: header === "authorization" ? `Bearer ${key}` : key };
      const list = await rawCall(gateway.server.url, { method: "GET", path: `${base}/models`, headers });
      expect(JSON.parse(list.body).data.map(({ id }: { id: string }) => id)).toContain("vendor/good");
      const one = await rawCall(gateway.server.url, {
        method: "GET",
        path: `${base}/models/vendor/good`,
        headers,
      });
      expect(JSON.parse(one.body)).toMatchObject({ id: "vendor/good", object: "model" });
      const head = await rawCall(gateway.server.url, { method: "HEAD", path: `${base}/models`, headers });
      expect([head.status, head.headers["content-type"]]).toEqual([200, "application/json"]);
      const spoiled = { [header]: header === "authorization" ? "Bearer tgw-x" : "tgw-x" };
      const refused = await rawCall(gateway.server.url, {
        method: "GET",
        path: `${base}/models`,
        headers: spoiled,
      });
      expectRefusal({ ...refused, text: refused.body }, "/v1/models", "INVALID_API_KEY");
    },
  );

  test("preflights of every call are answered", async () => {
    for (const path of [...posts, "/models", "/models/good"]) {
      const answer = await rawCall(gateway.server.url, {
        method: "OPTIONS",
        path: base + path,
        headers: {
          origin: "https://chat.example",
          "access-control-request-method": path.startsWith("/models") ? "GET" : "POST",
          "access-control-request-headers": "api-key,content-type",
        },
      });
      expect([path, answer.status]).toEqual([path, 204]);
      expect(answer.headers["access-control-allow-origin"]).toBe("https://chat.example");
      expect(answer.headers["access-control-allow-headers"]).toContain("api-key");
    }
  });
});

describe("pages keep their addresses", () => {
  test("/models is the page for whoever sends no credential", async () => {
    for (const method of ["GET", "HEAD"]) {
      const page = await rawCall(gateway.server.url, { method, path: "/models" });
      expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    }
    const cookie = await rawCall(gateway.server.url, {
      method: "GET",
      path: "/models",
      headers: { cookie: "tollgate-session=x" },
    });
    expect(cookie.headers["content-type"]).toContain("text/html");
  });

  test.each(["/models/nothing", "/messagesx", "/chat", "/console/messages"])(
    "%s is no call of the gateway",
    async (path) => {
      const answer = await rawCall(gateway.server.url, { method: "GET", path });
      expect(answer.headers["content-type"]).toContain("text/html");
    },
  );
});

describe("what does not exist under /v1", () => {
  const unknown = ["/v1/foo", "/v1/messages/batches", "/v1/chat", "/v1/v1/foo", "/messages/batches"];

  test.each(unknown)("%s is a 404 in OpenAI's shape, in Anthropic's for its clients", async (path) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const words: [Record<string, string>, string][] = [
        [{}, "invalid_request_error"],
        [{ authorization: "Bearer tgw-x" }, "invalid_request_error"],
        [{ "api-key": "tgw-x" }, "invalid_request_error"],
        [{ "anthropic-version": "2023-06-01" }, "not_found_error"],
        [{ "x-api-key": "tgw-x" }, "not_found_error"],
      ];
      for (const [headers, type] of words) {
        const answer = await rawCall(gateway.server.url, { method, path, headers });
        expect([method, headers, answer.status]).toEqual([method, headers, 404]);
        expect(answer.headers["content-type"]).toBe("application/json");
        expect(JSON.parse(answer.body)).toMatchObject({ type: "error", error: { type, code: "NOT_FOUND" } });
      }
    }
  });
});

async function codeOf(answer: Response): Promise<string> {
  const { error }: { error?: { code?: string } } = await answer.json();
  return error?.code ?? "";
}
