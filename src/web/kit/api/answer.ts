/** The answers that pages get. */

/** What became of a request. A refusal is not an exception: every caller shows it. */
export type Answer<T> =
  | { isDone: true; body: T; etag?: string | undefined }
  | {
      isDone: false
      /** The status; 0 if the server could not be reached. */
      status: number
      /** A sentence to be shown. */
      message: string
      /** What is wrong with single fields of the body, by name. */
      fields: Readonly<Record<string, string>>
      /** The details of the refusal, as the server gives them: a code, and what it is about. */
      details: Readonly<Record<string, unknown>>
      /** Whether the body was a refusal of this server, and not a page of a proxy or a part of an answer. */
      isRefusal?: boolean
      /** Milliseconds that the server asks to wait before the next try. */
      wait?: number
    }

/** A request that did not come through. */
export type FailedAnswer = Extract<Answer<never>, { isDone: false }>
