import { parentPort, workerData } from 'node:worker_threads';
import { type FromThread, ownBuffers, type ToThread } from './thread-messages.js';

/**
 * Answers a message. Errors that it throws reach whoever asked, and the thread goes on.
 * @param send sends a part of a long answer, and resolves when it has been taken. What the handler returns then is not sent
 */
export type Handler<Message> = (message: Message, send: (chunk: Uint8Array) => Promise<void>) => unknown;

/**
 * The whole life of a thread that `startThread` starts: prepares itself once, then answers one message after another. Bytes in the member `body`
 * of an answer are handed over.
 * @param prepare takes the data that the thread was started with; the thread ends if it throws
 */
export function serveThread<Setup, Message>(prepare: (setup: Setup) => Handler<Message> | Promise<Handler<Message>>): void {
  let onTaken: (() => void) | undefined;
  const send = (chunk: Uint8Array) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    onTaken = resolve;
    post({ chunk }, chunk);
    return promise;
  };
  const handler = Promise.resolve(workerData as Setup).then(prepare); // given by whoever starts the thread
  let last = handler.then(() => post({ value: undefined }));
  parentPort?.on('message', (message: ToThread) => {
    if ('more' in message) onTaken?.();
    else last = last.then(async () => answer(await handler, message.message as Message, send)); // written for this program
  });
}

async function answer<Message>(handler: Handler<Message>, message: Message, send: (chunk: Uint8Array) => Promise<void>): Promise<void> {
  try {
    const value = await handler(message, send);
    post({ value }, value);
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    post({ failure: { name, message, stack } });
  }
}

function post(message: FromThread, bytes?: unknown): void {
  parentPort?.postMessage(message, ownBuffers(bytes));
}
