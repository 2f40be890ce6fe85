import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import {
  type ContextChoice,
  prepareFor,
  refusalOf,
  validated,
} from "@/tests/unit/protocols/requests/support";

const base64 = (bytes: number[] | string) => Buffer.from(bytes as string).toString("base64");
const jpeg = base64([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70]);
const png = base64([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
const heic = base64([0, 0, 0, 24, ...Buffer.from("ftypheic")]);
const pdf = base64("%PDF-1.7");

/** The block a chat user's only part becomes. */
function fromChat(part: JsonObject, choice: ContextChoice = {}): unknown {
  const body = validated(
    { model: "m", max_tokens: 9, messages: [{ role: "user", content: [part] }] },
    "chat",
  );
  const [turn] = prepareFor(body, choice).body.messages as { content: unknown[] }[];
  return turn?.content[0];
}

/** The content a messages user's only block becomes. */
function fromMessages(block: JsonObject, choice: ContextChoice = {}): unknown {
  const body = validated(
    { model: "m", max_tokens: 9, messages: [{ role: "user", content: [block] }] },
    "messages",
  );
  const prepared = prepareFor(body, { clientProtocol: "messages", upstreamProtocol: "chat", ...choice });
  return (prepared.body.messages as JsonObject[])[0]?.content;
}

const image = (url: string) => ({ type: "image_url", image_url: { url, detail: "high" } });
const imageOf = (mediaType: string, data: string) => ({
  type: "image",
  source: { type: "base64", media_type: mediaType, data },
});

describe("chat content parts to a messages upstream", () => {
  it("EC-71: image/jpg is image/jpeg", () => {
    expect(fromChat(image(`data:image/jpg;base64,${jpeg}`))).toEqual(imageOf("image/jpeg", jpeg));
  });

  it("EC-72: the bytes decide when they contradict the declared type", () => {
    expect(fromChat(image(`data:image/png;base64,${jpeg}`))).toEqual(imageOf("image/jpeg", jpeg));
  });

  it("EC-73: HEIC is refused by its part, whatever it calls itself", () => {
    for (const type of ["image/heic", "image/png"]) {
      const refusal = refusalOf(() => fromChat(image(`data:${type};base64,${heic}`)));
      expect(refusal.details.param).toBe("messages[0].content[0].image_url.url");
      expect(refusal.message).toContain("image/heic");
    }
  });

  it("EC-74: parameters, capitals and line breaks in a data URL are understood", () => {
    const folded = `${png.slice(0, 4)}\r\n ${png.slice(4)}`;
    expect(fromChat(image(`DATA:image/PNG;charset=x;Base64,${folded}`))).toEqual(imageOf("image/png", png));
  });

  it("EC-75: http images and other schemes are refused, https ones are passed on and never fetched", () => {
    for (const url of ["http://example.com/a.png", "ftp://example.com/a.png", "file:///etc/passwd", ""]) {
      expect(refusalOf(() => fromChat(image(url))).details.param).toBe(
        "messages[0].content[0].image_url.url",
      );
    }
    expect(fromChat(image("https://example.com/a.png"))).toEqual({
      type: "image",
      source: { type: "url", url: "https://example.com/a.png" },
    });
    expect(
      refusalOf(() => fromChat(image("https://example.com/a.png"), { profile: { imageUrl: false } })).message,
    ).toContain("data URL");
  });

  it("takes an image URL that is a bare string", () => {
    expect(fromChat({ type: "image_url", image_url: `data:image/png;base64,${png}` })).toEqual(
      imageOf("image/png", png),
    );
  });

  it("reads percent-encoded data that is not base64", () => {
    const encoded = [...Buffer.from(png, "base64")]
      .map((byte) => `%${byte.toString(16).padStart(2, "0")}`)
      .join("");
    expect(fromChat(image(`data:image/png,${encoded}`))).toEqual(imageOf("image/png", png));
  });

  it("EC-76: a PDF becomes a document with its title, as a file or as an image", () => {
    const source = { type: "base64", media_type: "application/pdf", data: pdf };
    const file = { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` };
    expect(fromChat({ type: "file", file })).toEqual({ type: "document", source, title: "a.pdf" });
    expect(fromChat({ type: "file", file: { file_data: pdf } })).toEqual({ type: "document", source });
    expect(fromChat(image(`data:application/pdf;base64,${pdf}`))).toEqual({ type: "document", source });
  });

  it("turns a text file into a text document and refuses other files and ids", () => {
    const file = (filename: string, data: string) => ({ type: "file", file: { filename, file_data: data } });
    expect(fromChat(file("a.csv", base64("a,b")))).toEqual({
      type: "document",
      source: { type: "text", media_type: "text/plain", data: "a,b" },
      title: "a.csv",
    });
    expect(refusalOf(() => fromChat(file("a.bin", base64("zz")))).details.param).toBe(
      "messages[0].content[0].file.file_data",
    );
    expect(refusalOf(() => fromChat({ type: "file", file: { file_id: "file-1" } })).message).toContain(
      "file ids",
    );
    expect(refusalOf(() => fromChat(file("a.pdf", "https://example.com/a.pdf"))).message).toContain(
      "not fetched",
    );
  });

  it("EC-79: audio is refused by its part", () => {
    const audio = { type: "input_audio", input_audio: { data: "AAAA", format: "mp3" } };
    expect(refusalOf(() => fromChat(audio)).details.param).toBe("messages[0].content[0]");
  });

  it("refuses a kind of part nobody knows, and media where a role holds only text", () => {
    expect(refusalOf(() => fromChat({ type: "hologram" })).details.param).toBe("messages[0].content[0].type");
    const system = { role: "system", content: [image("https://example.com/a.png")] };
    const body = validated(
      { model: "m", max_tokens: 9, messages: [system, { role: "user", content: "a" }] },
      "chat",
    );
    expect(refusalOf(() => prepareFor(body)).details.param).toBe("messages[0].content[0].type");
  });

  it("replaces images by a note for a model without vision only when lenient", () => {
    const blind = { profile: { imagesIn: false } };
    expect(refusalOf(() => fromChat(image("https://e.com/a.png"), blind)).details.alternative).toBe(
      "they are replaced by a note",
    );
    expect(fromChat(image("https://e.com/a.png"), { ...blind, compatibility: "lenient" })).toMatchObject({
      type: "text",
    });
  });

  it("puts an image of a tool into its result", () => {
    const messages = [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "x", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "x", content: [image(`data:image/png;base64,${png}`)] },
    ];
    const turns = prepareFor(validated({ model: "m", max_tokens: 9, messages }, "chat")).body.messages;
    expect(turns).toMatchObject([
      {},
      {},
      { content: [{ type: "tool_result", content: [imageOf("image/png", png)] }] },
    ]);
  });
});

describe("messages content blocks to a chat upstream", () => {
  it("passes images on as data URLs, and https URLs where the upstream takes them", () => {
    expect(fromMessages(imageOf("image/png", png))).toEqual([
      { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
    ]);
    const remote = { type: "image", source: { type: "url", url: "https://e.com/a.png" } };
    expect(fromMessages(remote)).toEqual([{ type: "image_url", image_url: { url: "https://e.com/a.png" } }]);
    expect(refusalOf(() => fromMessages(remote, { profile: { imageUrl: false } })).details.param).toBe(
      "messages[0].content[0].source.url",
    );
    const file = { type: "image", source: { type: "file", file_id: "f" } };
    expect(refusalOf(() => fromMessages(file)).details.param).toBe("messages[0].content[0].source.type");
  });

  it("EC-77: a text document becomes text with its title and context", () => {
    const source = { type: "text", media_type: "text/plain", data: "body" };
    expect(fromMessages({ type: "document", title: "T", context: "C", source })).toBe("T\nC\nbody");
  });

  it("sends a PDF as a file where the upstream takes one, else refuses it", () => {
    const block = {
      type: "document",
      title: "a.pdf",
      source: { type: "base64", media_type: "application/pdf", data: pdf },
    };
    expect(fromMessages(block, { upstreamModel: "gpt-4o" })).toEqual([
      { type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` } },
    ]);
    expect(refusalOf(() => fromMessages(block)).details.param).toBe("messages[0].content[0].source");
    const remote = { type: "document", source: { type: "url", url: "https://e.com/a.pdf" } };
    expect(refusalOf(() => fromMessages(remote)).message).toContain("not fetched");
  });

  it("names a PDF without a title and takes the summary of a compaction as text", () => {
    const source = { type: "base64", media_type: "application/pdf", data: pdf };
    const file = { filename: "document.pdf", file_data: `data:application/pdf;base64,${pdf}` };
    expect(fromMessages({ type: "document", title: "", source }, { upstreamModel: "gpt-4o" })).toEqual([
      { type: "file", file },
    ]);
    expect(fromMessages({ type: "document", source }, { upstreamModel: "gpt-4o" })).toEqual([
      { type: "file", file },
    ]);
    expect(fromMessages({ type: "compaction", content: "what happened" })).toBe("what happened");
  });

  it("flattens a document of blocks and puts a search result into words", () => {
    const content = [{ type: "text", text: "one" }, imageOf("image/png", png)];
    expect(fromMessages({ type: "document", source: { type: "content", content } })).toEqual([
      { type: "text", text: "one" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
    ]);
    const found = {
      type: "search_result",
      title: "T",
      source: "https://s",
      content: [{ type: "text", text: "b" }],
    };
    expect(fromMessages(found)).toBe("T\nhttps://s\nb");
  });

  it("EC-78: a document in an assistant turn is refused for 2026 clients on every route", () => {
    const messages = [
      { role: "user", content: "a" },
      {
        role: "assistant",
        content: [{ type: "document", source: { type: "text", media_type: "text/plain", data: "x" } }],
      },
      { role: "user", content: "b" },
    ];
    const request = { model: "m", max_tokens: 9, messages };
    const refusal = refusalOf(() => validated(request, "messages", { version: "2026-10-21" }));
    expect(refusal.details.param).toBe("messages[1].content[0].type");
    expect(validated(request, "messages")).toBe(request);
  });

  it("refuses a kind of block nobody knows and drops uploads with a warning", () => {
    expect(refusalOf(() => fromMessages({ type: "hologram" })).details.param).toBe(
      "messages[0].content[0].type",
    );
    const messages = [
      {
        role: "user",
        content: [
          { type: "container_upload", file_id: "f" },
          { type: "text", text: "a" },
        ],
      },
    ];
    const prepared = prepareFor(validated({ model: "m", max_tokens: 9, messages }, "messages"), {
      clientProtocol: "messages",
      upstreamProtocol: "chat",
    });
    expect(prepared.body.messages).toEqual([{ role: "user", content: "a" }]);
    expect(prepared.losses).toEqual(["dropped:container_upload"]);
  });
});
