import { expect, test } from "vitest";
import { saidBy } from "@/lib/admin/alert-receivers";

/** An address of alerts is not shown again. */
test.each([
  ["https://relay.example.com/hook/my%2Dsecret%3D1", "no hook my-secret=1 here", "no hook *** here"],
  ["https://relay.example.com/hook/my%2Dsecret%3D1", "no hook my%2Dsecret%3D1 here", "no hook *** here"],
  ["https://api.telegram.org/bot123456:ABCdefGhIJ/sendMessage", "bad 123456:ABCdefGhIJ", "bad ***"],
  ["https://relay.example.com/?secret=SEC12", "wrong SEC12", "wrong ***"],
  ["https://relay.example.com/a/b?x=1", "POST /a/b?x=1 was not found", "POST *** was not found"],
])("what a receiver of %s says is shown without the address", (url, said, shown) => {
  expect(saidBy(url, said)).toBe(shown);
});

test("words of the vendor stay", () => {
  expect(saidBy("https://hooks.slack.com/services/T000/B000", "no_service at services")).toBe(
    "no_service at services",
  );
});
