import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { splitLongRuns } from "@/lib/billing/long-runs";
import { countPromptTokens, imageSize, TokenCounter } from "@/lib/billing/prompt-tokens";
import { protocols } from "@/lib/protocols/registry";

const counter = new TokenCounter();
afterAll(() => counter.close());

describe("breakRuns", () => {
  it("loses nothing and leaves no run above its cap, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3_000 }), (text) => {
        const parts = splitLongRuns(text);
        expect(parts.join("")).toBe(text);
        for (const part of parts) expect(/\S{257}/.test(part)).toBe(false);
      }),
    );
  });

  it("never cuts a surrogate pair", () => {
    const parts = splitLongRuns(`a${"😀".repeat(600)}`);
    for (const part of parts) expect(/\p{Surrogate}/u.test(part)).toBe(false);
  });
});

describe("TokenCounter", () => {
  it("counts as the vendor's table does", async () => {
    expect(await counter.count("hello world, this is a test")).toBe(7);
    expect(await counter.count("")).toBe(0);
  });

  it("takes a special token in a text for plain text", async () => {
    expect(await counter.count("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("answers for a long run without a break as for any text", async () => {
    expect(await counter.count("a".repeat(100_000))).toBeGreaterThan(10_000);
  });

  it("answers by the formula while too many texts wait", async () => {
    const counts = await Promise.all(Array.from({ length: 400 }, () => counter.count("some words to count")));
    for (const count of counts) expect(count).toBeGreaterThan(0);
  });
});

describe("countPromptTokens", () => {
  const { promptFields } = protocols.messages;
  const messages = [{ role: "user", content: "What is the weather in Paris?" }];
  const tools = [
    {
      name: "weather",
      description: "Tells the weather of a city, with temperature, wind and rain, for the next seven days.",
      input_schema: { type: "object", properties: { city: { type: "string" } } },
    },
  ];
  const system = "You are a terse assistant that answers questions about the weather.";

  it("EC-145: counts system, tools and messages together", async () => {
    const alone = await countPromptTokens({ messages }, promptFields, counter);
    const withTools = await countPromptTokens({ messages, tools }, promptFields, counter);
    const all = await countPromptTokens({ messages, tools, system }, promptFields, counter);
    expect(alone).toBeGreaterThan(8);
    expect(withTools).toBeGreaterThan(alone + 30);
    expect(all).toBeGreaterThan(withTools + 10);
  });

  it("counts an image by its size, not by its encoded bytes", async () => {
    const data = png(750, 100);
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    const withImage = await countPromptTokens(
      { messages: [{ role: "user", content: [image] }] },
      promptFields,
      counter,
    );
    const link = { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } };
    const withLink = await countPromptTokens(
      { messages: [{ role: "user", content: [link] }] },
      promptFields,
      counter,
    );
    expect(withImage).toBe(104);
    expect(withLink).toBe(104);
  });
});

describe("imageSize", () => {
  it("reads PNG, GIF, JPEG and WebP headers", () => {
    expect(imageSize(png(640, 480))).toEqual({ width: 640, height: 480 });
    const gif = Buffer.alloc(40);
    gif.write("GIF89a");
    gif.writeUInt16LE(320, 6);
    gif.writeUInt16LE(200, 8);
    expect(imageSize(gif.toString("base64"))).toEqual({ width: 320, height: 200 });
    const jpeg = Buffer.alloc(60);
    jpeg.set([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10], 0);
    jpeg.set([0xff, 0xc0, 0x00, 0x11, 0x08, 0x01, 0x2c, 0x02, 0x58], 20);
    expect(imageSize(jpeg.toString("base64"))).toEqual({ width: 600, height: 300 });
    const webp = Buffer.alloc(40);
    webp.write("RIFF");
    webp.write("WEBPVP8X", 8);
    webp.writeUIntLE(99, 24, 3);
    webp.writeUIntLE(49, 27, 3);
    expect(imageSize(webp.toString("base64"))).toEqual({ width: 100, height: 50 });
  });

  it("gives null for anything else, and never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        imageSize(Buffer.from(bytes).toString("base64"));
      }),
    );
    expect(imageSize("not an image at all, just some text that is long enough")).toBeNull();
  });
});

function png(width: number, height: number): string {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32BE(0x89504e47, 0);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
}
