import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { items, refused } from "./support";

const { user } = items;
const question = { role: "user", content: "Weather?" };

describe("the items of a Responses client", () => {
  test("are refused by the path of the picture or the file that is missing or broken", () => {
    const at = "input[0].content[0]";
    const cases: [JsonObject, string][] = [
      [{ type: "input_image" }, "image_url"],
      [{ type: "input_image", image_url: null, file_id: "" }, "image_url"],
      [{ type: "input_image", image_url: "data:image/png;base64," }, "image_url"],
      [{ type: "input_image", image_url: "data:image/png;base64,%%" }, "image_url"],
      [{ type: "input_image", file_id: "file-1" }, "file_id"],
      [{ type: "input_file" }, "file_data"],
      [{ type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64," }, "file_data"],
      [{ type: "input_file", filename: "a.pdf", file_data: "no base64!" }, "file_data"],
      [{ type: "input_file", file_id: "file-1" }, "file_id"],
    ];
    for (const node of ["chat", "messages"] as const)
      for (const [part, name] of cases)
        expect(refused({ input: [user([part])] }, node).details.param).toBe(`${at}.${name}`);
  });

  test("are refused by the path of what is wrong in them", () => {
    const image = { type: "input_image", image_url: 5 };
    expect(refused({ input: [question, question, question, user([image])] }).details.param).toBe(
      "input[3].content[0].image_url",
    );
    expect(refused({ input: [user([{ type: "input_image", image_url: "cat.png" }])] }).details.param).toBe(
      "input[0].content[0].image_url",
    );
    expect(refused({ input: [{ type: "function_call", name: "f" }] }).details.param).toBe("input[0].call_id");
    expect(refused({ input: [{ role: "robot", content: "" }] }).details.param).toBe("input[0].role");
    expect(refused({ input: [user([{ type: "input_image", file_id: "file-1" }])] }).details.param).toBe(
      "input[0].content[0].file_id",
    );
    expect(refused({ input: [] }).details.param).toBe("input");
    expect(refused({ input: 5 }).details.param).toBe("input");
  });
});
