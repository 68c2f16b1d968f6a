/** What a thread and its owner say to each other: one message, one reply, in order. The first reply comes unasked: the program is prepared. */

/** A message, or that the chunk before has been taken. */
export type ToThread = { message: unknown } | { more: true };

/** An answer; or a chunk of one, after which `more` is requested until a value ends it. */
export type Reply = { value: unknown } | { chunk: Uint8Array };

export type FromThread = Reply | { failure: ProgramFailure };

/** An error, without members that cannot be sent. */
export interface ProgramFailure {
  name: string;
  message: string;
  stack: string | undefined;
}

/** The blocks of memory that can be handed over with a message: that of its member `body`, if these bytes are alone in it. */
export function ownBuffers(message: unknown): ArrayBuffer[] {
  const body = typeof message === 'object' && message !== null && 'body' in message ? message.body : message;
  if (!(body instanceof Uint8Array) || !(body.buffer instanceof ArrayBuffer)) return [];
  return body.byteLength === body.buffer.byteLength ? [body.buffer] : [];
}
