import type { Readable, Writable } from 'node:stream';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type MessageLine, MessageLines } from './message-lines.js';

/**
 * Messages as lines of standard input and output. Unlike the transport of the SDK it does not end the connection when a message is too large, but
 * refuses that message; and its time is linear in the size of a message.
 * @param maxMessageBytes of one message of the client
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #lines: MessageLines;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly maxMessageBytes: number,
  ) {
    this.#lines = new MessageLines(maxMessageBytes);
  }

  async start(): Promise<void> {
    this.input.on('data', this.#onData);
    this.input.on('error', this.#onError);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.output.write(serializeMessage(message))) return;
    await new Promise<void>((resolve) => this.output.once('drain', resolve));
  }

  async close(): Promise<void> {
    this.input.off('data', this.#onData);
    this.input.off('error', this.#onError);
    this.input.pause();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const line of this.#lines.push(chunk)) this.#receive(line);
  };

  readonly #onError = (error: Error): void => this.onerror?.(error);

  #receive(line: MessageLine): void {
    if ('tooLarge' in line) this.#refuse(line.id);
    else {
      try {
        this.onmessage?.(deserializeMessage(line.text));
      } catch (error) {
        this.#onError(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #refuse(id: string | number | undefined): void {
    const message = `The message is larger than ${this.maxMessageBytes / 1024 ** 2} MiB. Send less data in one call.`;
    this.#onError(new Error(message));
    if (id !== undefined) void this.send({ jsonrpc: '2.0', id, error: { code: ErrorCode.InvalidRequest, message } });
  }
}
