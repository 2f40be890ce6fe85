import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { AwsKeys } from "./aws-keys";
import type { AwsTarget } from "./aws-target";

interface SigningKey {
  secretAccessKey: string;
  key: Buffer;
}

/**
 * Signing keys by access key, day, region and service: four hashes less for each request. At most as many as asked for;
 * the one that was not used for longest goes first. Source: docs/clouds.md#signing.
 */
export class SigningKeys {
  readonly #keys: LRUCache<string, SigningKey>;

  constructor(max: number) {
    this.#keys = new LRUCache({ max });
  }

  get size(): number {
    return this.#keys.size;
  }

  /** The key of a day. Shape: `day` as in a credential scope, `20261129`. */
  get({ accessKeyId, secretAccessKey }: AwsKeys, { region, service }: AwsTarget, day: string): Buffer {
    const name = `${accessKeyId}/${day}/${region}/${service}`;
    const found = this.#keys.get(name);
    if (found?.secretAccessKey === secretAccessKey) return found.key;
    const ofDay = hmac(`AWS4${secretAccessKey}`, day);
    const key = hmac(hmac(hmac(ofDay, region), service), "aws4_request");
    this.#keys.set(name, { secretAccessKey, key });
    return key;
  }
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
