import type { Dispatcher } from "undici";
import type { UpstreamAnswer } from "@/lib/upstream/upstream-answer";

/** A node whose answer a test writes. */
export class FakeNode {
  /** True once the gateway has closed the connection. */
  gone = false;
  readonly #controller: Dispatcher.DispatchController;

  constructor(readonly answer: UpstreamAnswer) {
    const controller = {
      paused: false,
      aborted: false,
      reason: null,
      pause: () => {
        controller.paused = true;
      },
      resume: () => {
        controller.paused = false;
      },
      abort: (reason: Error) => {
        this.gone = true;
        answer.onResponseError(this.#controller, reason);
      },
    };
    this.#controller = controller as unknown as Dispatcher.DispatchController; // the parts an answer uses
    answer.onRequestStart(this.#controller);
  }

  /** True while the gateway reads nothing. */
  get isPaused(): boolean {
    return this.#controller.paused;
  }

  /** Says 200. */
  open(type = "text/event-stream"): void {
    this.answer.onResponseStart(this.#controller, 200, { "content-type": type });
  }

  send(text: string | Uint8Array): void {
    if (!this.gone) this.answer.onResponseData(this.#controller, Buffer.from(text));
  }

  /** Breaks the connection. */
  reset(): void {
    if (!this.gone) this.answer.onResponseError(this.#controller, new Error("read ECONNRESET"));
  }

  end(): void {
    if (!this.gone) this.answer.onResponseEnd();
  }
}
