/** A client of the SDK ends the connection when a message is larger than 10 MiB. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Thrown for an answer that no client would take. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}
