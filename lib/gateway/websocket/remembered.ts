import type { StoredItems } from "@/lib/gateway/responses-state/content-tasks";
import type {
  MadeResponse,
  RememberedChain,
  ResponseMemory,
} from "@/lib/gateway/responses-state/response-memory";
import { jsonTexts } from "@/lib/gateway/responses-state/row-encoding";
import { type BeforeLarge, HistoryTooLarge } from "@/lib/gateway/responses-state/store";
import { LARGE_CONTENT_BYTES } from "@/lib/gateway/responses-state/stored-content";
import { parseExact } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import { type Linked, LinkedSet } from "@/lib/kernel/linked-set";
import { nextTurn } from "@/lib/kernel/next-turn";

/** The items of one response as JSON, which the responses after it share. */
interface Segment {
  readonly json: Buffer;
  users: number;
}

/** One remembered response. */
interface Remembered extends Linked<Remembered> {
  readonly id: string;
  readonly owner: SocketMemory;
  /** Those of the responses before it first. */
  readonly segments: readonly Segment[];
  /** Of all segments together. */
  readonly bytes: number;
  readonly tokens: number;
  readonly depth: number;
  readonly nodeId: string | null;
  readonly isStored: boolean;
  /** Turns that name it. */
  pins: number;
  /** Its lane has a newer response. */
  isOld: boolean;
}

/** What the sockets of a process remember together: beyond the bound the oldest responses go. */
export class MemoryPool {
  readonly #most: number;
  readonly #responses = new LinkedSet<Remembered>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** Units: bytes of JSON. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a response, and lets the oldest go. */
  add(response: Remembered): void {
    this.#responses.add(response);
    if (this.#bytes <= this.#most) return;
    this.#responses.forEach((oldest) => {
      if (this.#bytes > this.#most && oldest !== response) oldest.owner.forget(oldest);
    });
  }

  delete(response: Remembered): void {
    this.#responses.delete(response);
  }

  /** Counts bytes that are kept or let go. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }
}

/**
 * The responses that one socket remembers: the newest of each lane, and those that its turns name. They are JSON in
 * buffers, so that the bound is what they take. Source: docs/websocket.md#state.
 */
export class SocketMemory {
  readonly #pool: MemoryPool;
  readonly #most: number;
  readonly #byId = new Map<string, Remembered>();
  readonly #newest = new Map<string | null, Remembered>();
  #bytes = 0;
  #isClosed = false;

  constructor(pool: MemoryPool, mostBytes: number) {
    this.#pool = pool;
    this.#most = mostBytes;
  }

  /** Keeps a response until `unpin`, because a turn names it. */
  pin(id: string): void {
    const found = this.#byId.get(id);
    if (found !== undefined) found.pins += 1;
  }

  unpin(id: string): void {
    const found = this.#byId.get(id);
    if (found === undefined) return;
    found.pins = Math.max(0, found.pins - 1);
    if (found.isOld && found.pins === 0) this.forget(found);
  }

  /** The memory as the turns of one lane see it. */
  ofLane(lane: string | null): ResponseMemory {
    return {
      recall: (id, maxBytes, beforeLarge) => this.#recall(id, maxBytes, beforeLarge),
      remember: (made) => this.#remember(lane, made),
    };
  }

  /** Forgets everything, and remembers nothing more. */
  close(): void {
    this.#isClosed = true;
    for (const response of [...this.#byId.values()]) this.forget(response);
  }

  /** Forgets one response. */
  forget(response: Remembered): void {
    if (!this.#byId.delete(response.id)) return;
    this.#pool.delete(response);
    for (const [lane, newest] of this.#newest) if (newest === response) this.#newest.delete(lane);
    for (const segment of response.segments) {
      segment.users -= 1;
      if (segment.users === 0) this.#count(-segment.json.length);
    }
  }

  async #recall(id: string, maxBytes: number, beforeLarge: BeforeLarge): Promise<RememberedChain | null> {
    const found = this.#byId.get(id);
    if (found === undefined) return null;
    const { segments, bytes, tokens, depth, nodeId, isStored } = found;
    if (bytes > maxBytes) throw new HistoryTooLarge();
    const isLarge = bytes > LARGE_CONTENT_BYTES;
    if (isLarge) await beforeLarge(tokens);
    const items: JsonObject[] = [];
    for (const { json } of segments) {
      if (isLarge) await nextTurn();
      const { input, output } = parseExact(json.toString()) as StoredItems; // what `jsonTexts` wrote
      for (const item of input) items.push(item);
      for (const item of output) items.push(item);
    }
    return { items, depth, nodeId, isStored };
  }

  async #remember(
    lane: string | null,
    { id, parentId, items, tokens, ...made }: MadeResponse,
  ): Promise<void> {
    const json = Buffer.from((await jsonTexts(items)).join(""));
    const parent = parentId === null ? undefined : this.#byId.get(parentId);
    // The beginning of the conversation is forgotten: its end is of no use.
    if (this.#isClosed || (parentId !== null && parent === undefined)) return;
    const segments = [...(parent?.segments ?? []), { json, users: 0 }];
    const bytes = (parent?.bytes ?? 0) + json.length;
    if (bytes > this.#most) return;
    const { depth, nodeId, isStored } = made;
    const response: Remembered = {
      id,
      owner: this,
      segments,
      bytes,
      tokens: (parent?.tokens ?? 0) + tokens,
      depth,
      nodeId,
      isStored,
      pins: 0,
      isOld: false,
    };
    for (const segment of segments) {
      if (segment.users === 0) this.#count(segment.json.length);
      segment.users += 1;
    }
    this.#byId.set(id, response);
    this.#replaceNewest(lane, response);
    for (const oldest of this.#byId.values())
      if (this.#bytes > this.#most && oldest !== response) this.forget(oldest);
    this.#pool.add(response);
  }

  #replaceNewest(lane: string | null, response: Remembered): void {
    const before = this.#newest.get(lane);
    this.#newest.set(lane, response);
    if (before === undefined) return;
    before.isOld = true;
    if (before.pins === 0) this.forget(before);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#pool.count(bytes);
  }
}
