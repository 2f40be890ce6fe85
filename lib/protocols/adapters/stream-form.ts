/** Another form of one stream, made of the encoder's frames. */
export interface StreamForm {
  /** Content type of the stream. */
  readonly type: string;
  /** Returns what to send for these frames, whole ones or the pieces of one; "" for nothing yet. */
  write(frames: string): string;
  /** Returns what ends a complete stream. */
  end(): string;
  /** A body that is sent in place of the stream, such as an error. */
  whole(json: string): string;
}
