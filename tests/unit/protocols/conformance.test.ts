import { protocols } from "@/lib/protocols/registry";
import { describeAdapters } from "./conformance";
import { toyAdapter } from "./toy";

describeAdapters({
  ...protocols,
  toy: toyAdapter, // a protocol more is this line and its own file
});
