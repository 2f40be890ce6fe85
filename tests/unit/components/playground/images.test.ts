import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { callSnippet } from "@/components/playground/call-snippet";
import { withFileNames } from "@/components/playground/code-images";
import { type Exchange, emptyAnswer, turnsFor } from "@/components/playground/conversation";
import { acceptable, tooLarge, withShortImages } from "@/components/playground/images";
import { bodyOf } from "@/lib/protocols/kit/call-body";
import type { CallInput } from "@/lib/protocols/kit/call-input";
import { requestOf } from "@/lib/protocols/kit/call-request";
import type { MessageImage, Turn } from "@/lib/protocols/kit/turn";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { DATA, image, plainCall } from "../../protocols/kit/plain-call";

const cat = image("cat.png");
const asked: Turn = { role: "user", text: "What is it?", images: [cat] };

function call(protocol: Protocol, ...turns: Turn[]): CallInput {
  return { ...plainCall, protocol, stream: false, turns };
}

describe("the images of a message", () => {
  test("go to every model that is asked, and stay in the conversation", () => {
    const exchange = (id: string, images: MessageImage[]): Exchange => ({
      id,
      message: id,
      images,
      answers: [emptyAnswer("a", "chat", false), emptyAnswer("b", "chat", false)],
    });
    const exchanges = [exchange("one", [cat]), exchange("two", [])];
    for (const model of ["a", "b", "c"])
      expect(turnsFor(model, exchanges)).toEqual([
        { role: "user", text: "one", images: [cat] },
        { role: "user", text: "two", images: [] },
      ]);
  });

  test("are cut short where somebody reads them", () => {
    const large = image("large.png", `data:image/png;base64,${"A".repeat(6_000_000)}`);
    const body = JSON.stringify(bodyOf(call("chat", ...withShortImages([{ ...asked, images: [large] }]))));
    expect(body).toContain("data:image/png;base64,AAAA");
    expect(body.length).toBeLessThan(400);
  });
});

describe("the files that can be attached", () => {
  const file = (name: string, type: string, bytes = 10) => new File([new Uint8Array(bytes)], name, { type });

  test("are images of four kinds up to 5 MB, and each other one is named with what is wrong", () => {
    const files = [
      file("a.png", "image/png", 5_000_000),
      file("b.pdf", "application/pdf"),
      file("c.svg", "image/svg+xml"),
      file("empty.png", "image/png", 0),
      file("large.webp", "image/webp", 5_000_001),
      file("d.gif", "image/gif"),
    ];
    const { taken, problems } = acceptable(files, 0);
    expect(taken.map(({ name }) => name)).toEqual(["a.png", "d.gif"]);
    expect(problems).toEqual([
      { kind: "type", name: "b.pdf" },
      { kind: "type", name: "c.svg" },
      { kind: "type", name: "empty.png" },
      { kind: "size", name: "large.webp", size: 5.1 },
    ]);
  });

  test("are four in all", () => {
    const files = ["a", "b", "c"].map((name) => file(name, "image/jpeg"));
    const { taken, problems } = acceptable(files, 2);
    expect(taken.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(problems).toEqual([{ kind: "count", name: "c" }]);
  });
});

describe("a call with images as code", () => {
  const odd = `it's "$HOME" \`x\` \\ .png`;
  const turns: Turn[] = [{ role: "user", text: odd, images: [image(odd, null), cat] }];
  const snippet = (language: "curl" | "python" | "node", protocol: Protocol) =>
    callSnippet(language, protocol, "https://g", bodyOf(call(protocol, ...withFileNames(turns))));

  test.each(protocolIds)(
    "is a shell command for %s that reads the files and sends the same body",
    (protocol) => {
      const folder = mkdtempSync(path.join(tmpdir(), "tollgate-images-"));
      try {
        for (const name of [odd, "cat.png"])
          writeFileSync(path.join(folder, name), Buffer.from(DATA, "base64"));
        const script = `curl() { cat; }\n${snippet("curl", protocol)}`;
        const sent = execFileSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" });
        const same: Turn[] = [{ role: "user", text: odd, images: [cat, cat] }];
        expect(JSON.parse(sent)).toEqual(requestOf(protocol, bodyOf(call(protocol, ...same))).body);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  test.each<[Protocol, string]>([
    ["chat", '"url": "data:image/png;base64," + '],
    ["messages", '"data": '],
    ["responses", '"image_url": "data:image/png;base64," + '],
  ])("reads the files by their names for %s in Python and JavaScript", (protocol, before) => {
    const python = snippet("python", protocol);
    expect(python).toMatch(/^import base64\nimport os\n/);
    expect(python).toContain(`${before}base64_of("cat.png")`);
    expect(python).toContain(`base64_of(${JSON.stringify(odd)})`);
    const node = snippet("node", protocol);
    expect(node).toContain('import { readFileSync } from "node:fs";');
    expect(node).toContain(`${before}base64Of("cat.png")`);
  });

  test("has nothing of that where there is no image", () => {
    for (const language of ["curl", "python", "node"] as const) {
      const plain = bodyOf(call("chat", { ...asked, images: [] }));
      expect(callSnippet(language, "chat", "https://g", plain)).not.toMatch(/base64|working directory/i);
    }
  });
});

describe("images that are together too large", () => {
  const MB = 1_000_000;
  const large = (megabytes: number) => image("large.png", "x".repeat((megabytes * MB * 4) / 3));
  const limit = 10 * 1024 * 1024;

  test("are told in megabytes of their files, with the room that the texts leave", () => {
    const written = [large(4.5), large(4.5)];
    expect(tooLarge({ earlier: [], written }, 300, limit)).toEqual({ size: 9, limit: 7.8, byEarlier: false });
    expect(tooLarge({ earlier: [], written }, 3 * MB, limit)?.limit).toBe(5.6);
    expect(tooLarge({ earlier: [], written: [large(4.5), large(3)] }, 300, limit)).toBeNull();
  });

  test("count those of earlier messages, which are sent again while the page has them", () => {
    const earlier = [large(4.5)];
    expect(tooLarge({ earlier, written: [large(4.5)] }, 300, limit)?.byEarlier).toBe(false);
    expect(tooLarge({ earlier: [...earlier, large(4.5)], written: [] }, 300, limit)?.byEarlier).toBe(true);
    expect(tooLarge({ earlier: [image("gone.png", null)], written: [large(4.5)] }, 300, limit)).toBeNull();
  });
});
