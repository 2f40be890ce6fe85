import type { MessageImage, Turn } from "@/lib/protocols/kit/turn";

/** What every protocol takes. */
export const imageTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"];
/** How many images a message has at most. */
export const MAX_IMAGES = 4;
/** How large an image is at most. */
export const MAX_IMAGE_MB = 5;
const MEGABYTE = 1_000_000;

/** Why a file is not attached. */
export type ImageProblem =
  | { kind: "type" | "count" | "unread"; name: string }
  | { kind: "size"; name: string; size: number };

/** The files that can be attached beside what a message has, and what is wrong with the others. */
export function acceptable(
  files: readonly File[],
  present: number,
): { taken: File[]; problems: ImageProblem[] } {
  const taken: File[] = [];
  const problems: ImageProblem[] = [];
  for (const file of files) {
    const { name } = file;
    if (!imageTypes.includes(file.type) || file.size === 0) problems.push({ kind: "type", name });
    else if (file.size > MAX_IMAGE_MB * MEGABYTE) problems.push({ kind: "size", name, size: tenths(file) });
    else if (present + taken.length >= MAX_IMAGES) problems.push({ kind: "count", name });
    else taken.push(file);
  }
  return { taken, problems };
}

/** Megabytes, rounded up, so that what is too large reads as too large. */
function tenths({ size }: File): number {
  return Math.ceil(size / (MEGABYTE / 10)) / 10;
}

/** Reads a file. Its name gets a number where another image has it: pasted images are often called the same. */
export async function readImage(file: File, present: readonly MessageImage[]): Promise<MessageImage> {
  const url = await dataUrlOf(file);
  const names = new Set(present.map(({ name }) => name));
  let name = file.name;
  for (let number = 2; names.has(name); number += 1) name = numbered(file.name, number);
  return { id: crypto.randomUUID?.() ?? `${performance.now()} ${name}`, name, mediaType: file.type, url };
}

function numbered(name: string, number: number): string {
  const end = name.lastIndexOf(".");
  return end <= 0 ? `${name}-${number}` : `${name.slice(0, end)}-${number}${name.slice(end)}`;
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

const SHOWN_CHARACTERS = 60;

/** The turns with the beginning of each image: millions of characters would be unreadable. */
export function withShortImages(turns: readonly Turn[]): Turn[] {
  return withUrls(turns, ({ url }) => url && `${url.slice(0, SHOWN_CHARACTERS)}…`);
}

/** Turns with other URLs of their images. */
export function withUrls(turns: readonly Turn[], urlOf: (image: MessageImage) => string | null): Turn[] {
  return turns.map((turn) =>
    turn.role === "user"
      ? { ...turn, images: turn.images.map((image) => ({ ...image, url: urlOf(image) })) }
      : turn,
  );
}

/** Four characters of Base64 are three bytes of a file. */
const FILE_SHARE = 3 / 4;

/** What data URLs of a few images have beside their data, and its padding: no file is as much larger. */
const HEADS_BYTES = 100;

/** Images that are together too large for one call; sizes in megabytes of files. */
export interface TooLarge {
  size: number;
  limit: number;
  /** Whether those of earlier messages, which are sent again, alone are too large already. */
  byEarlier: boolean;
}

/**
 * Whether a call with these images has a larger body than the gateway takes, of which the rest, its texts, takes a part.
 * Units: bytes.
 */
export function tooLarge(
  images: { earlier: readonly MessageImage[]; written: readonly MessageImage[] },
  restBytes: number,
  maxBodyBytes: number,
): TooLarge | null {
  const room = Math.max(0, maxBodyBytes - restBytes);
  const [earlier, written] = [images.earlier, images.written].map(encodedLength);
  const all = (earlier ?? 0) + (written ?? 0);
  if (all <= room) return null;
  const tenth = MEGABYTE / 10;
  return {
    size: Math.ceil((all * FILE_SHARE - HEADS_BYTES) / tenth) / 10,
    limit: Math.floor((room * FILE_SHARE) / tenth) / 10,
    byEarlier: (earlier ?? 0) > room,
  };
}

function encodedLength(images: readonly MessageImage[]): number {
  return images.reduce((sum, { url }) => sum + (url?.length ?? 0), 0);
}
