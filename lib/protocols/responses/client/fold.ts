import type { EncoderOptions, Folded } from "@/lib/protocols/adapters/encoder";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { ItemSink } from "@/lib/protocols/responses/item-writer";
import { AnswerItems } from "@/lib/protocols/responses/items";
import { ResponseResource } from "@/lib/protocols/responses/resource";

/** A whole answer needs only the items, no frames. */
const noFrames: ItemSink = {
  addItem() {},
  openPart() {},
  delta() {},
  annotate() {},
  closePart() {},
  doneItem() {},
};

/** The response that the events form. Source: docs/responses.md#s2-1. */
export function foldResponses(events: Iterable<GenerationEvent>, options: EncoderOptions): Folded {
  const items = new AnswerItems(options, noFrames);
  for (const event of events) items.push(event);
  items.close();
  const body = new ResponseResource(options).ended(items.ending, items.usage, items.output);
  return { body, losses: items.losses };
}
