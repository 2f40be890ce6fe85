import { generateKey } from "@/lib/accounts/key-text";
import type { Database } from "@/lib/db/database";
import type { GenerationContext } from "@/lib/gateway/generation-context";
import { parseRequest } from "@/lib/gateway/parse-request";
import { CallerSeal } from "@/lib/gateway/responses-state/caller-seal";
import { type ResolvedRequest, resolveHistory } from "@/lib/gateway/responses-state/history";
import { ResponseStore } from "@/lib/gateway/responses-state/store";
import { StoreLimits } from "@/lib/gateway/responses-state/store-bounds";
import { GatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import { newRequestId } from "@/lib/kernel/request-id";
import { callOf, GenerationRig } from "./generation-rig";

/** The node that answers. */
export const NODE = "0190a8f0-0000-7000-8000-000000000001";
const rig = new GenerationRig(["chat"]);

/** A caller of a gateway whose responses are stored in a database. */
export class Client {
  lastBody: JsonObject = {};
  readonly #secret: string;

  constructor(
    private readonly database: Pick<Database, "query">,
    private readonly keyId = crypto.randomUUID() as string,
    secret = generateKey().key,
    private readonly hours = 72,
    private readonly laterMs = 0,
  ) {
    this.#secret = secret;
  }

  get seal(): CallerSeal {
    return new CallerSeal(this.#secret);
  }

  other(): Client {
    return new Client(this.database);
  }

  rotated(): Client {
    return new Client(this.database, this.keyId);
  }

  later(ms: number): Client {
    return new Client(this.database, this.keyId, this.#secret, 72, ms);
  }

  withoutStore(): Client {
    return new Client(this.database, this.keyId, this.#secret, 0);
  }

  onAnotherGateway(): Client {
    return new Client(this.database, this.keyId, this.#secret);
  }

  /** The partition of today is gone, and made again. */
  async dropped(): Promise<Client> {
    const tomorrow = new Date(Date.now() + 2 * 86_400_000);
    await this.database.query("SELECT stored_responses_drop_partitions($1)", [tomorrow]);
    await this.database.query("SELECT stored_responses_make_partitions(now(), now())");
    return this;
  }

  async rows(): Promise<number> {
    const rows = await this.database.query("SELECT 1 FROM stored_responses WHERE key_id = $1", [this.keyId]);
    return rows.length;
  }

  /** Resolves a request. Throws: what the resolver throws. */
  resolve(fields: JsonObject, requestId = newRequestId()): Promise<ResolvedRequest> {
    this.lastBody = { model: "alias", ...fields };
    const raw = parseRequest(Buffer.from(JSON.stringify(this.lastBody)));
    return resolveHistory(this.#context(requestId), { ...raw, body: this.lastBody }, async () => {});
  }

  /** One request and its answer. Returns the id of the response. */
  async turn(fields: JsonObject, output: JsonObject[]): Promise<string> {
    const requestId = newRequestId();
    const { keeper } = await this.resolve(fields, requestId);
    const id = `resp_${requestId.replaceAll("-", "")}`;
    const response = { id, status: "completed", store: true, output };
    await keeper?.keep(JSON.stringify(response), NODE);
    return id;
  }

  async refusal(fields: JsonObject): Promise<GatewayError> {
    const thrown = await this.resolve(fields).then(
      () => new Error("nothing was refused"),
      (error: unknown) => error,
    );
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }

  #context(requestId: string): GenerationContext {
    const { gateway, key, ...rest } = rig.context({
      ...callOf("chat"),
      requestId,
      headers: { authorization: `Bearer ${this.#secret}` },
    });
    const responses = new ResponseStore({
      database: this.database,
      hours: this.hours,
      limits: roomyLimits(this.database),
      now: () => new Date(Date.now() + this.laterMs),
      onUnstored: (reason, cause) => {
        throw new Error(`not stored: ${reason}`, { cause });
      },
    });
    return {
      ...rest,
      gateway: { ...gateway, responses },
      key: { ...key, keyId: this.keyId, userId: this.keyId },
    };
  }
}

/** Bounds that no test reaches unless it is about them. */
export function roomyLimits(database: Pick<Database, "query">): StoreLimits {
  const GIB = 1024 ** 3;
  return new StoreLimits({
    database,
    bounds: { accountBytes: GIB, totalBytes: 64 * GIB },
    onEvicted: (bound) => {
      throw new Error(`responses were deleted for the bound of the ${bound}`);
    },
    onError: () => {},
  });
}

/** A message of the model. */
export function said(id: string, text: string): JsonObject {
  return {
    type: "message",
    id,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text }],
  };
}

/** A message of the user. */
export function asked(text: string): JsonObject {
  return { role: "user", content: [{ type: "input_text", text }] };
}

/** A reference to an item. */
export function ref(id: string): JsonObject {
  return { type: "item_reference", id };
}
